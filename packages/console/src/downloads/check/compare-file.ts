import type { Receipt } from '@sluice/client';
import type { HashedFile, KnownDownload } from './find-receipt.ts';

/**
 * Result of a comparison.
 * - `whole`: the bytes of the file are those of the download; `limited` if the download itself had more rows.
 * - `differs`: they are not.
 * - `running`: the download has not ended, so its hash is not known yet.
 * - `unfinished`: the download did not end whole, so no file of it is.
 */
export type FileVerdict =
  | { readonly kind: 'whole'; readonly isLimited: boolean }
  | { readonly kind: 'differs'; readonly expectedBytes: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'unfinished'; readonly state: Receipt['state'] };

/** Compares a file with the download that it should be. */
export function compareFile(file: HashedFile, download: KnownDownload): FileVerdict {
  if (download.kind === 'saved') return compareBytes(file, download.saved, false);
  const { state, bytes, sha256, limited } = download.receipt;
  if (state === 'QUEUED' || state === 'RUNNING') return { kind: 'running' };
  // A failed download may have a hash too: that of a body which says that it failed.
  if (state !== 'FINISHED' || sha256 === null) return { kind: 'unfinished', state };
  return compareBytes(file, { bytes, sha256 }, limited);
}

function compareBytes(
  file: HashedFile,
  expected: { readonly bytes: number; readonly sha256: string },
  isLimited: boolean,
): FileVerdict {
  const isSame = file.sha256 === expected.sha256 && file.bytes === expected.bytes;
  return isSame ? { kind: 'whole', isLimited } : { kind: 'differs', expectedBytes: expected.bytes };
}
