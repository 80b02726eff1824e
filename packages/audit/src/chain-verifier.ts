import { bytesOfHex, hexOf } from './byte-encodings.ts';
import { type ChainEntry, checkLink } from './check-link.ts';
import type { CheckpointPayload, DroppedRange } from './checkpoint.ts';
import type { Finding } from './finding.ts';
import type { RecordTimes } from './record-times.ts';
import type { RetentionHistory } from './retention-history.ts';
import { genesisHash } from './sealed-record.ts';
import type { SetAsideReports } from './set-aside-reports.ts';

interface ChainVerifierOptions {
  readonly tenantId: string;
  /** Dropped ranges by their first sequence. */
  readonly dropped: ReadonlyMap<number, DroppedRange>;
  /** Checkpoints ordered by number. */
  readonly checkpoints: AsyncIterable<CheckpointPayload>;
  readonly times: RecordTimes;
  readonly retention: RetentionHistory;
  readonly reports: SetAsideReports;
}

const missing = (sequence: number, reason = 'No record has this sequence number.'): Finding => ({
  kind: 'missing',
  sequence,
  reason,
});

/** Verifies one chain, record by record. */
export class ChainVerifier {
  readonly #options: ChainVerifierOptions;
  readonly #checkpoints: AsyncIterator<CheckpointPayload>;
  #hash: Uint8Array;
  #next = 1;
  /** First checkpoint whose records are not all verified. */
  #checkpoint: CheckpointPayload | undefined;
  records = 0;

  constructor(options: ChainVerifierOptions) {
    this.#options = options;
    this.#hash = genesisHash(options.tenantId);
    this.#checkpoints = options.checkpoints[Symbol.asyncIterator]();
  }

  async start(): Promise<void> {
    this.#checkpoint = (await this.#checkpoints.next()).value;
  }

  async take(entry: ChainEntry, following: () => readonly ChainEntry[]): Promise<Finding | undefined> {
    if (entry.sequence > this.#next) await this.#skipDropped();
    const { times, retention, reports } = this.#options;
    const { sequence, recordId } = entry;
    if (sequence > this.#next) return missing(this.#next);
    if (sequence < this.#next)
      return { kind: 'inserted', sequence, recordId, reason: 'Another record already has this sequence number.' };
    const finding = checkLink(entry, this.#hash, following) ?? times.checkSealed(entry, this.#checkpoint);
    if (finding !== undefined) return finding;
    if (entry.record !== undefined) {
      retention.takeRecord(entry.record);
      reports.takeRecord(entry.record, this.#next);
    }
    this.#hash = entry.hash;
    this.#next += 1;
    this.records += 1;
    return await this.#passCheckpoints();
  }

  async end(): Promise<Finding | undefined> {
    await this.#skipDropped();
    if (this.#checkpoint !== undefined)
      return missing(this.#next, 'A signed checkpoint covers this record: the end of the log was removed.');
    return undefined;
  }

  /** Returns whether an entry continues the verified part of the chain. */
  isNext(entry: ChainEntry): boolean {
    return entry.sequence === this.#next && checkLink(entry, this.#hash, () => []) === undefined;
  }

  async #skipDropped(): Promise<void> {
    const { dropped, times, retention } = this.#options;
    for (let range = dropped.get(this.#next); range !== undefined; range = dropped.get(this.#next)) {
      this.#hash = bytesOfHex(range.hash);
      this.#next = range.to + 1;
      // The records of these checkpoints were dropped, so only their signatures can be verified.
      while (this.#checkpoint !== undefined && this.#checkpoint.sequence <= range.to) {
        times.pass(this.#checkpoint);
        retention.skipCheckpoint(this.#checkpoint);
        this.#checkpoint = (await this.#checkpoints.next()).value;
      }
    }
  }

  async #passCheckpoints(): Promise<Finding | undefined> {
    const { times, retention } = this.#options;
    while (this.#checkpoint !== undefined && this.#checkpoint.sequence < this.#next) {
      const { sequence, hash, number } = this.#checkpoint;
      if (sequence === this.#next - 1 && hash !== hexOf(this.#hash)) {
        const reason = `Checkpoint ${number} signs a different hash: this record or an earlier one was changed.`;
        return { kind: 'altered', sequence, reason };
      }
      times.pass(this.#checkpoint);
      const finding = retention.takeCheckpoint(this.#checkpoint);
      if (finding !== undefined) return finding;
      this.#checkpoint = (await this.#checkpoints.next()).value;
    }
    return undefined;
  }
}
