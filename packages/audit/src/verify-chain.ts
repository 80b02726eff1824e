import { ChainVerifier } from './chain-verifier.ts';
import type { ChainEntry } from './check-link.ts';
import { type CheckpointPayload, type RetentionSettings, readCheckpoint } from './checkpoint.ts';
import type { ExactInteger } from './exact-integer.ts';
import type { Finding, Verdict } from './finding.ts';
import { RecordTimes, type SealerClock, type UnsealedRow } from './record-times.ts';
import { RetentionHistory } from './retention-history.ts';
import { SetAsideReports } from './set-aside-reports.ts';
import type { SignedPayload, TrustedKeys } from './trusted-keys.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';

/** Receipt that differs from the query's record or outcome in the log. */
export interface ReceiptMismatch {
  readonly queryId: string;
  /** Id of the query's record; null when the log has none. */
  readonly recordId: string | null;
  readonly sequence: ExactInteger | null;
  /** `inserted`: the log has no record of the query. `missing`: the log has a record, but there is no receipt. */
  readonly kind: 'altered' | 'missing' | 'inserted';
  /** Columns that differ. */
  readonly columns: readonly string[];
}

/** Stored count that differs from the number of records. */
export interface CountMismatch {
  readonly kind: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly hourMs: number;
  /** Digits of a `bigint`. */
  readonly counted: string;
  readonly records: string;
}

/** Log of one tenant in one snapshot. Every method can be called more than once. */
interface ChainToVerify {
  readonly tenantId: string;
  readonly keys: TrustedKeys;
  /** Checkpoints ordered by number. */
  checkpoints(): AsyncIterable<readonly SignedPayload[]>;
  /** Entries ordered by sequence number. */
  entries(): AsyncIterable<readonly ChainEntry[]>;
  unsealed(): AsyncIterable<readonly UnsealedRow[]>;
  clock(): Promise<SealerClock>;
  /** First mismatch; undefined when all counts are right. */
  countMismatch(): Promise<CountMismatch | undefined>;
  /** First mismatch by sequence number; undefined when all receipts are right. */
  receiptMismatch(): Promise<ReceiptMismatch | undefined>;
  /** Undefined for a removed tenant. */
  retention(): Promise<RetentionSettings | undefined>;
  /** Payloads that were saved outside the database, by number. */
  readonly saved?: ReadonlyMap<number, string> | undefined;
}

async function* payloadsOf(batches: AsyncIterable<readonly SignedPayload[]>): AsyncGenerator<CheckpointPayload> {
  for await (const batch of batches) {
    for (const { payload } of batch) {
      const read = readCheckpoint(payload);
      if (read !== undefined) yield read;
    }
  }
}

const countFinding = ({ kind, name, hourMs, counted, records }: CountMismatch): Finding => {
  const whose = kind === 'all' ? 'all records' : `${kind} ${JSON.stringify(name)}`;
  const hour = new Date(hourMs).toISOString();
  return {
    kind: 'altered',
    reason: `The count of ${whose} in the hour of ${hour} is ${counted}, but the log has ${records}.`,
  };
};

const RECEIPT_REASONS: Readonly<Record<ReceiptMismatch['kind'], (columns: string) => string>> = {
  altered: (columns) => `differs from its sealed record or outcome in: ${columns}.`,
  missing: () => 'is missing.',
  inserted: () => 'has no record in the log.',
};

const receiptFinding = ({ kind, queryId, recordId, sequence, columns }: ReceiptMismatch): Finding => ({
  kind,
  ...(sequence === null ? {} : { sequence }),
  ...(recordId === null ? {} : { recordId }),
  reason: `The receipt of query ${queryId} ${RECEIPT_REASONS[kind](columns.join(', '))}`,
});

interface Histories {
  readonly times: RecordTimes;
  readonly retention: RetentionHistory;
  readonly reports: SetAsideReports;
}

/** Verifies the data outside the chain: rows that are not sealed, counts, receipts and settings. */
async function verifyUnsealedData(
  chain: ChainToVerify,
  { times, retention, reports }: Histories,
): Promise<Finding | undefined> {
  const clock = await chain.clock();
  for await (const rows of chain.unsealed()) {
    for (const row of rows) {
      const finding = times.checkUnsealed(row, clock);
      if (finding !== undefined) return finding;
      retention.takeRecord(row);
      reports.takeRecord(row);
    }
  }
  const count = await chain.countMismatch();
  if (count !== undefined) return countFinding(count);
  const receipt = await chain.receiptMismatch();
  if (receipt !== undefined) return receiptFinding(receipt);
  return retention.end(await chain.retention());
}

/**
 * Verifies that the log of a tenant contains exactly the records that were sealed and signed, and that counts, receipts and retention
 * settings match it. Otherwise reports the first record that is altered, missing, inserted or reordered. Newer rows that are not sealed
 * yet are not a finding.
 */
export async function verifyChain(chain: ChainToVerify): Promise<Verdict> {
  const { tenantId, keys, saved } = chain;
  const signed = await verifyCheckpoints({ tenantId, keys, saved, checkpoints: chain.checkpoints() });
  const reports = new SetAsideReports();
  const verdict = (records: number, finding: Finding | undefined): Verdict => ({
    tenantId,
    records,
    checkpoints: signed.count,
    finding,
    ...(reports.count === 0 ? {} : { setAside: reports }),
  });
  if (signed.finding !== undefined) return verdict(0, signed.finding);
  const histories = { times: new RecordTimes(), retention: new RetentionHistory(), reports };
  const checkpoints = payloadsOf(chain.checkpoints());
  const verifier = new ChainVerifier({ tenantId, dropped: signed.dropped, checkpoints, ...histories });
  await verifier.start();
  let unsigned: ChainEntry | undefined;
  for await (const batch of chain.entries()) {
    for (const [index, entry] of batch.entries()) {
      if (entry.sequence > signed.sequence) {
        unsigned ??= entry;
        continue;
      }
      const finding = await verifier.take(entry, () => batch.slice(index + 1));
      if (finding !== undefined) return verdict(verifier.records, finding);
    }
  }
  const cut = signed.hasLeft ? undefined : await verifier.end();
  if (cut !== undefined) return verdict(verifier.records, cut);
  if (unsigned !== undefined) return verdict(verifier.records, unsignedFinding(verifier, unsigned, signed.count));
  return verdict(verifier.records, await verifyUnsealedData(chain, histories));
}

/** Reports the first entry that no checkpoint signs. If it continues the chain, its checkpoint may be missing; otherwise it was added. */
function unsignedFinding(verifier: ChainVerifier, entry: ChainEntry, checkpoints: number): Finding {
  const { sequence, recordId } = entry;
  return verifier.isNext(entry)
    ? {
        kind: 'missing',
        checkpoint: checkpoints + 1,
        sequence,
        recordId,
        reason:
          'No checkpoint signs this entry of the chain: it was added, or the checkpoint that signed it is missing.',
      }
    : {
        kind: 'inserted',
        sequence,
        recordId,
        reason: 'No checkpoint signs this entry of the chain, which does not continue it.',
      };
}
