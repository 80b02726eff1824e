import type { SealVersion } from '@sluice/contract/audit-fields';
import { hexOf } from './byte-encodings.ts';
import type { ExactInteger } from './exact-integer.ts';
import type { Finding } from './finding.ts';
import { chainHash, type SealedRecord, sealedText } from './sealed-record.ts';

/** Entry of a chain with the row that it names. */
export interface ChainEntry {
  readonly sequence: ExactInteger;
  readonly hash: Uint8Array;
  readonly version: SealVersion;
  readonly recordId: string;
  /** Undefined when the log does not contain the row. */
  readonly record: SealedRecord | undefined;
  /** Whether the row is hidden from searches although it is sealed. */
  readonly isHidden?: boolean;
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => hexOf(a) === hexOf(b);

const hashOf = (
  previous: Uint8Array,
  { record, version }: Pick<ChainEntry, 'record' | 'version'>,
  sequence: ExactInteger,
): Uint8Array | undefined => {
  try {
    return record === undefined ? undefined : chainHash(previous, sealedText(record, sequence, version));
  } catch {
    return undefined; // metadata that is not JSON was never sealed
  }
};

/** Returns whether an entry has the hash of its record after `previous`. */
const isLinked = (entry: ChainEntry, previous: Uint8Array): boolean => {
  const hash = hashOf(previous, entry, entry.sequence);
  return hash !== undefined && isEqual(hash, entry.hash);
};

/** Returns whether a later record was sealed at this sequence number, under the hash and version of either entry. */
const belongs = (other: ChainEntry, here: ChainEntry, previous: Uint8Array): boolean =>
  [other.version, here.version].some((version) => {
    const hash = hashOf(previous, { record: other.record, version }, here.sequence);
    return hash !== undefined && (isEqual(hash, here.hash) || isEqual(hash, other.hash));
  });

/** Checks that an entry was sealed after `previous`. `following` returns the later entries of the same batch. */
export function checkLink(
  entry: ChainEntry,
  previous: Uint8Array,
  following: () => readonly ChainEntry[],
): Finding | undefined {
  const { sequence, recordId, record } = entry;
  const found = (kind: Finding['kind'], reason: string): Finding => ({ kind, sequence, recordId, reason });
  const isWhole = isLinked(entry, previous);
  if (!isWhole && following().some((other) => other.sequence === sequence && isLinked(other, previous)))
    return found('inserted', 'Another record was sealed under this sequence number.');
  if (record === undefined)
    return found('missing', 'The chain has an entry for this record, but the log does not contain it.');
  if (isWhole) {
    return entry.isHidden === true ? found('altered', 'The record is hidden from searches.') : undefined;
  }
  if (following().some((other) => belongs(other, entry, previous))) {
    return found('reordered', 'Another record was sealed under this sequence number.');
  }
  return found('altered', 'The record differs from what was sealed.');
}
