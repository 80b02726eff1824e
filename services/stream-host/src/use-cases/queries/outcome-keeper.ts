import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { QueryEnd, QueryStore } from '@sluice/store/queries';
import type { SuspensionWatch } from '../../queries/suspension-watch.ts';

/** Time for a receipt to become durable before its transfer ends as failed. */
const DURABLE_WITHIN_MS = 5_000;
const RETRY_MS = 250;
/** Maximum of kept outcomes of queries that never ran. The reaper closes any others after this process has ended. */
const FAILURES_MAX = 10_000;

interface RecordedTransfer {
  readonly bytesSent: number;
  readonly beganMs: number;
}

type OutcomeStore = Pick<QueryStore, 'finish' | 'find' | 'correct'>;

/**
 * Makes the outcomes of queries durable. An outcome that cannot be written in time is kept and written as soon as the store is
 * available, as the failure that was reported to its client. When this process ends before, the reaper closes the query.
 */
export class OutcomeKeeper {
  readonly #queries: OutcomeStore;
  readonly #suspensions: Pick<SuspensionWatch, 'since'> | undefined;
  readonly #kept = new Map<string, QueryEnd>();

  constructor(queries: OutcomeStore, suspensions?: Pick<SuspensionWatch, 'since'>) {
    this.#queries = queries;
    this.#suspensions = suspensions;
  }

  /** Number of outcomes that are not written yet. */
  get waiting(): number {
    return this.#kept.size;
  }

  /**
   * Resolves when receipt and audit outcome are durable. Throws `receipt_unavailable` (`audit_unavailable` for a failed query) when
   * they are not durable after 5 s, and `host_suspended` or `internal` when another host closed the query before. After a throw the
   * transfer must not end as complete. `bytesSent` excludes the last bytes, which wait for this call. `beganMs` is the start of the
   * query by `performance.now()`.
   */
  async record(end: QueryEnd, { bytesSent, beganMs }: RecordedTransfer): Promise<void> {
    const deadline = performance.now() + DURABLE_WITHIN_MS;
    for (;;) {
      try {
        if (await this.#write(end)) return;
        break;
      } catch (thrown) {
        if (performance.now() + RETRY_MS < deadline) await wait(RETRY_MS);
        else {
          this.#kept.set(end.queryId, end.state === 'FINISHED' ? asUnrecorded(end, bytesSent) : end);
          throw unrecorded(end, thrown);
        }
      }
    }
    throw this.#closedByOthers(beganMs);
  }

  /**
   * Closes a query that never ran, as soon as the store is available. Its record may have become durable although the confirmation
   * was lost, and would stay open until this process ends.
   */
  enqueueFailure(end: QueryEnd): void {
    if (this.#kept.size < FAILURES_MAX) this.#kept.set(end.queryId, end);
  }

  /** Writes the kept outcomes one after the other and stops at the first failure. Call it periodically. */
  async retry(): Promise<void> {
    for (const end of [...this.#kept.values()]) {
      try {
        // A server that hung may have executed the first attempt after its timeout, with another outcome.
        if (!(await this.#write(end))) await this.#queries.correct(end);
      } catch {
        return;
      }
      this.#kept.delete(end.queryId);
    }
  }

  #closedByOthers(beganMs: number): ProblemError {
    const suspension = this.#suspensions?.since(beganMs);
    if (suspension === undefined) {
      return new ProblemError(
        'internal',
        'Another host closed this query as lost, so its result is not confirmed. Send the query again.',
      );
    }
    const seconds = Math.round(suspension.durationMs / 1000);
    return new ProblemError(
      'host_suspended',
      `This host was suspended for ${seconds} s, and other hosts closed its queries meanwhile, so the result is not confirmed. Send the query again.`,
    );
  }

  /** Returns whether the stored outcome equals the given one, also when an earlier attempt wrote it and its reply was lost. */
  async #write(end: QueryEnd): Promise<boolean> {
    if (await this.#queries.finish(end)) return true;
    const found = await this.#queries.find(end.tenantId, end.queryId);
    return (
      found?.receipt.state === end.state && found.receipt.sha256 === end.sha256 && found.receipt.bytes === end.bytes
    );
  }
}

const UNRECORDED = 'The receipt could not be written in time, so the transfer ended as failed.';
const UNKEPT =
  'The client had left, and the receipt of the complete result could not be written in time, so the result is not kept. Send the query again.';
const UNCONFIRMED =
  'All rows were sent, but their receipt could not be written in time, so they are not confirmed and the transfer ended as failed. The received data may be complete; send the query again to be sure.';

/** The query ran, which the store's own error does not say. */
const unrecorded = ({ state, sha256 }: QueryEnd, cause: unknown): ProblemError =>
  state === 'FINISHED'
    ? new ProblemError('receipt_unavailable', unconfirmedOf({ sha256 }), { cause })
    : new ProblemError('audit_unavailable', UNRECORDED, { cause });

/** Returns the message for a complete result. Its transfer had been cut before if it has no digest. */
const unconfirmedOf = ({ sha256 }: Pick<QueryEnd, 'sha256'>): string => (sha256 === null ? UNKEPT : UNCONFIRMED);

const asUnrecorded = (end: QueryEnd, bytes: number): QueryEnd => ({
  ...end,
  bytes,
  state: 'FAILED',
  sha256: null,
  error: {
    code: 'RECEIPT_UNAVAILABLE',
    message: unconfirmedOf(end),
  },
});
