import type { SealVersion } from '@sluice/contract';
import type { Finding } from './finding.ts';
import { chainHash, type SealedRecord, sealedText } from './sealed-record.ts';

/** One place of a chain with the row that stands there. */
export interface ChainEntry {
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly version: SealVersion;
  readonly recordId: string;
  /** Undefined when the log has no such row. */
  readonly record: SealedRecord | undefined;
  /** Whether searches do not show the row although it is sealed. */
  readonly isHidden?: boolean;
}

const hashOf = (
  previous: Uint8Array,
  { record, version }: Pick<ChainEntry, 'record' | 'version'>,
  sequence: number,
): Buffer | undefined => {
  try {
    return record === undefined ? undefined : chainHash(previous, sealedText(record, sequence, version));
  } catch {
    return undefined; // metadata that is not JSON was never sealed
  }
};

/** Whether one of those that follow belongs here: what was sealed at this place under the hash, and in the format, of either. */
const belongs = (other: ChainEntry, here: ChainEntry, previous: Uint8Array): boolean =>
  [other.version, here.version].some((version) => {
    const hash = hashOf(previous, { record: other.record, version }, here.sequence);
    return hash !== undefined && (hash.equals(here.hash) || hash.equals(other.hash));
  });

/** Whether the entry is what was sealed after `previous`. `following` are the entries behind it, as far as they are at hand. */
export function checkLink(
  entry: ChainEntry,
  previous: Uint8Array,
  following: () => readonly ChainEntry[],
): Finding | undefined {
  const { sequence, recordId, record } = entry;
  const found = (kind: Finding['kind'], reason: string): Finding => ({ kind, sequence, recordId, reason });
  if (record === undefined) return found('missing', 'The chain has its place, but the log has no such record.');
  if (hashOf(previous, entry, sequence)?.equals(entry.hash) === true) {
    return entry.isHidden === true ? found('altered', 'Searches are kept from showing it.') : undefined;
  }
  if (following().some((other) => belongs(other, entry, previous))) {
    return found('reordered', 'Another record was sealed at this place.');
  }
  return found('altered', 'It is not what was sealed at this place.');
}
