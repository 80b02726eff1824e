import type { DownloadSnapshot } from './download-state.ts';

/** Downloads of a tab that are listed again after a reload. */
const SAVED_MAX = 50;

const keyOf = (owner: string): string => `sluice.downloads ${owner}`;

/**
 * Returns the downloads that this tab has started for an account, newest first. Neither tickets nor statements are saved.
 * @param owner - tenant and id of the account
 */
export function readSavedDownloads(owner: string): readonly DownloadSnapshot[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(saved) ? (saved as DownloadSnapshot[]) : [];
  } catch {
    // A storage that is off or damaged costs the list, and nothing else.
    return [];
  }
}

/** Saves the downloads that have a query, whose receipts can be read again. */
export function saveDownloads(owner: string, downloads: readonly DownloadSnapshot[]): void {
  const saved = downloads.filter(({ queryId }) => queryId !== undefined).slice(0, SAVED_MAX);
  try {
    sessionStorage.setItem(keyOf(owner), JSON.stringify(saved));
  } catch {
    // As above.
  }
}
