import type { ChainEntry } from './check-link.ts';
import type { CheckpointPayload } from './checkpoint.ts';
import type { Finding } from './finding.ts';

/** Largest step of a server's clock, back or forward, while it serves. */
const CLOCK_STEP_MS = 5000;
/** Longest time that a transaction may have been open; a host ends its own within seconds, and PostgreSQL an idle one after a minute. */
const TRANSACTION_MS = 15 * 60_000;

const FUTURE = 'It claims a time that had not come when it was found.';
const PAST = 'It claims a time that the sealer had passed before it came.';

/** A row of the log that has no place in the chain. */
export interface UnsealedRow {
  readonly id: string;
  /** Microseconds of the epoch, as text. */
  readonly occurredUs: string;
  readonly action: string;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Whether the sealer has been past it, so that it would have a place. */
  readonly isPassed: boolean;
  /** Whether its transaction was open when the sealer looked last. */
  readonly wasOpen: boolean;
}

/** Clock of the database, epoch milliseconds. */
export interface SealerClock {
  /** Time of the sealer's last look; null before the first. */
  readonly seenMs: number | null;
  readonly nowMs: number;
}

/** Judges the times that records claim by the times that checkpoints sign. */
export class RecordTimes {
  /** The latest `since_ts` so far: it never goes back, whatever the database reports to the sealer. */
  #sinceMs = 0;
  #issuedMs = 0;

  /** Judges a record that `checkpoint` adds to the chain. */
  checkSealed({ sequence, recordId, record }: ChainEntry, checkpoint: CheckpointPayload | undefined) {
    const occurredMs = Number(record?.occurredUs ?? 0) / 1000;
    const found = (reason: string): Finding => ({ kind: 'inserted', sequence, recordId, reason });
    if (checkpoint === undefined) return undefined;
    if (occurredMs < this.#earliest(checkpoint, sequence)) return found(PAST);
    if (occurredMs > latest(checkpoint)) return found(FUTURE);
    return undefined;
  }

  /** Goes on to the records behind a checkpoint. */
  pass({ since_ts: sinceMs, issued_ts: issuedMs }: CheckpointPayload): void {
    this.#sinceMs = Math.max(this.#sinceMs, sinceMs ?? 0);
    this.#issuedMs = issuedMs;
  }

  /** Judges a row that is not sealed. */
  checkUnsealed({ id, occurredUs, isPassed, wasOpen }: UnsealedRow, clock: SealerClock): Finding | undefined {
    const occurredMs = Number(occurredUs) / 1000;
    const found = (reason: string): Finding => ({ kind: 'inserted', recordId: id, reason });
    const sinceMs = Math.max(this.#sinceMs, clock.seenMs ?? this.#issuedMs - TRANSACTION_MS);
    if (isPassed || occurredMs < sinceMs - allowance(wasOpen)) {
      return found('The log has it, but it was never sealed.');
    }
    return occurredMs > clock.nowMs + CLOCK_STEP_MS ? found(FUTURE) : undefined;
  }

  #earliest({ v, since_ts, late }: CheckpointPayload, sequence: number): number {
    if (v === undefined || since_ts === undefined || since_ts === null) return this.#issuedMs - TRANSACTION_MS;
    return Math.max(this.#sinceMs, since_ts) - allowance(late?.includes(sequence) === true);
  }
}

const allowance = (wasOpen: boolean): number => (wasOpen ? TRANSACTION_MS : CLOCK_STEP_MS);

const latest = ({ v, until_ts, issued_ts }: CheckpointPayload): number =>
  v === undefined || until_ts === undefined ? issued_ts + TRANSACTION_MS : until_ts + CLOCK_STEP_MS;
