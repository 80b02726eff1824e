import type { DownloadSnapshot } from './download-state.ts';

/** Downloads of a tab that are listed again after a reload. */
const KEPT_MAX = 50;

const keyOf = (owner: string): string => `sluice.downloads ${owner}`;

/**
 * Returns the downloads that this tab has started for an account, newest first. Neither tickets nor statements are kept.
 * @param owner - tenant and id of the account
 */
export function readKept(owner: string): readonly DownloadSnapshot[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(kept) ? (kept as DownloadSnapshot[]) : [];
  } catch {
    // A storage that is off or damaged costs the list, and nothing else.
    return [];
  }
}

/** Keeps the downloads that have a query, whose receipts can be read again. */
export function keepDownloads(owner: string, downloads: readonly DownloadSnapshot[]): void {
  const kept = downloads.filter(({ queryId }) => queryId !== undefined).slice(0, KEPT_MAX);
  try {
    sessionStorage.setItem(keyOf(owner), JSON.stringify(kept));
  } catch {
    // As above.
  }
}
