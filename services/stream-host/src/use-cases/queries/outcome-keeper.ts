import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { SuspensionWatch } from '@sluice/host';
import type { QueryEnd, QueryStore } from '@sluice/store/queries';

/** A receipt has this long to become durable before its transfer ends as failed. */
const DURABLE_WITHIN_MS = 5_000;
const RETRY_MS = 250;
/** Of queries that never ran, no more are kept through an outage; what is left open then, a reaper closes after this process. */
const UNHEARD_MAX = 10_000;

export interface RecordedTransfer {
  readonly bytesSent: number;
  readonly beganMs: number;
}

type KeptIn = Pick<QueryStore, 'finish' | 'find' | 'correct'>;

/**
 * Makes the outcomes of queries durable. An outcome that cannot be written in time is kept and written as soon as the store
 * answers again, as the failure that its client was told; when this process dies first, the reaper closes the query.
 */
export class OutcomeKeeper {
  readonly #queries: KeptIn;
  readonly #suspensions: Pick<SuspensionWatch, 'since'> | undefined;
  readonly #kept = new Map<string, QueryEnd>();

  constructor(queries: KeptIn, suspensions?: Pick<SuspensionWatch, 'since'>) {
    this.#queries = queries;
    this.#suspensions = suspensions;
  }

  /** Outcomes that wait for the store. */
  get waiting(): number {
    return this.#kept.size;
  }

  /**
   * Resolves when receipt and audit outcome are durable. Throws `receipt_unavailable` (`audit_unavailable` for a query that failed)
   * when they are not after 5 s; `host_suspended` or `internal` when another host closed the query before: then a transfer must not
   * end as if it were whole. `bytesSent` have left so far, without the last ones that wait for this. The query began at `beganMs` of
   * `performance.now()`.
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
   * Closes a query that never ran, as soon as the store answers: its record may have become durable with nobody to hear of it,
   * and would stay open for as long as this process lives.
   */
  enqueueFailure(end: QueryEnd): void {
    if (this.#kept.size < UNHEARD_MAX) this.#kept.set(end.queryId, end);
  }

  /** Writes what is kept, one after the other; gives up at the first that fails. To be called now and then. */
  async retry(): Promise<void> {
    for (const end of [...this.#kept.values()]) {
      try {
        // A server that hung does what it was sent before, when nobody waits for it any more.
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
        'This query was taken for lost and closed, so its result cannot be vouched for. Send it again.',
      );
    }
    const seconds = Math.round(suspension.durationMs / 1000);
    return new ProblemError(
      'host_suspended',
      `This host was suspended for ${seconds} s, and others closed its queries meanwhile, so the result cannot be vouched for. Send it again.`,
    );
  }

  /** Whether the outcome stands as given, also when an earlier attempt wrote it and its answer was lost. */
  async #write(end: QueryEnd): Promise<boolean> {
    if (await this.#queries.finish(end)) return true;
    const found = await this.#queries.find(end.tenantId, end.queryId);
    return (
      found?.receipt.state === end.state && found.receipt.sha256 === end.sha256 && found.receipt.bytes === end.bytes
    );
  }
}

const UNRECORDED = 'The receipt could not be written in time, so the transfer was ended as failed.';
const UNCONFIRMED =
  'All rows left this host, but their receipt could not be written in time, so nothing confirms them and the transfer was ended as failed. What arrived may be whole; send the query again to be sure.';

/** Here something ran, which the store cannot know. */
const unrecorded = ({ state }: QueryEnd, cause: unknown): ProblemError =>
  state === 'FINISHED'
    ? new ProblemError('receipt_unavailable', UNCONFIRMED, { cause })
    : new ProblemError('audit_unavailable', UNRECORDED, { cause });

const asUnrecorded = (end: QueryEnd, bytes: number): QueryEnd => ({
  ...end,
  bytes,
  state: 'FAILED',
  sha256: null,
  error: {
    code: 'RECEIPT_UNAVAILABLE',
    message: UNCONFIRMED,
  },
});
