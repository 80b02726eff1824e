import type { ChainEntry } from './check-link.ts';
import type { CheckpointPayload } from './checkpoint.ts';
import type { ExactInteger } from './exact-integer.ts';
import type { Finding } from './finding.ts';

/** Largest step of a server's clock, back or forward, while it serves. */
const CLOCK_STEP_MS = 5000;
/** Longest duration of a transaction. A host ends its own within seconds, and PostgreSQL ends an idle one after seconds. */
const TRANSACTION_MS = 15 * 60_000;

const FUTURE = 'Its time is later than the time at which it was sealed or read.';
const PAST = 'Its time is earlier than a time up to which the log had already been sealed.';

/** Row of the log that has no entry in the chain. */
export interface UnsealedRow {
  readonly id: string;
  /** Microseconds since the epoch, in decimal digits. */
  readonly occurredUs: string;
  readonly action: string;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Whether the sealer has passed the row, so that it should have an entry. */
  readonly isPassed: boolean;
  /** Whether its transaction was open at the sealer's last snapshot. */
  readonly wasOpen: boolean;
}

/** Clock of the database, epoch milliseconds. */
export interface SealerClock {
  /** Time of the sealer's last snapshot; null before the first. */
  readonly seenMs: number | null;
  readonly nowMs: number;
}

/** Checks the times of records against the times that checkpoints sign. */
export class RecordTimes {
  /** Latest `since_ts` so far. It never decreases, whatever clock the database reports to the sealer. */
  #sinceMs = 0;
  #issuedMs = 0;

  /** Checks a record that `checkpoint` adds to the chain. */
  checkSealed(
    { sequence, recordId, record }: Pick<ChainEntry, 'sequence' | 'recordId' | 'record'>,
    checkpoint: CheckpointPayload | undefined,
  ): Finding | undefined {
    const occurredMs = Number(record?.occurredUs ?? 0) / 1000;
    const found = (reason: string): Finding => ({ kind: 'inserted', sequence, recordId, reason });
    if (checkpoint === undefined) return undefined;
    if (occurredMs < this.#earliest(checkpoint, sequence)) return found(PAST);
    if (occurredMs > latest(checkpoint)) return found(FUTURE);
    return undefined;
  }

  /** Continues with the records after a checkpoint. */
  pass({ since_ts: sinceMs, issued_ts: issuedMs }: CheckpointPayload): void {
    this.#sinceMs = Math.max(this.#sinceMs, sinceMs ?? 0);
    this.#issuedMs = issuedMs;
  }

  /** Checks a row that is not sealed. */
  checkUnsealed({ id, occurredUs, isPassed, wasOpen }: UnsealedRow, clock: SealerClock): Finding | undefined {
    const occurredMs = Number(occurredUs) / 1000;
    const found = (reason: string): Finding => ({ kind: 'inserted', recordId: id, reason });
    const sinceMs = Math.max(this.#sinceMs, clock.seenMs ?? this.#issuedMs - TRANSACTION_MS);
    if (isPassed || occurredMs < sinceMs - allowance(wasOpen)) {
      return found('The log contains the record, but it was never sealed.');
    }
    return occurredMs > clock.nowMs + CLOCK_STEP_MS ? found(FUTURE) : undefined;
  }

  #earliest({ v, since_ts, late }: CheckpointPayload, sequence: ExactInteger): number {
    if (v === undefined || since_ts === undefined || since_ts === null) return this.#issuedMs - TRANSACTION_MS;
    return Math.max(this.#sinceMs, since_ts) - allowance(late?.some((own) => own === sequence) === true);
  }
}

const allowance = (wasOpen: boolean): number => (wasOpen ? TRANSACTION_MS : CLOCK_STEP_MS);

const latest = ({ v, until_ts, issued_ts }: CheckpointPayload): number =>
  v === undefined || until_ts === undefined ? issued_ts + TRANSACTION_MS : until_ts + CLOCK_STEP_MS;
