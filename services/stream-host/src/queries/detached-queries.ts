import { ProblemError } from '@sluice/contract';
import type { KeptResultStore } from '@sluice/store/queries';
import type { Keeping } from './kept-results.ts';
import type { RunningQuery } from './running-queries.ts';

interface DetachedQueriesDependencies {
  readonly hostId: string;
  readonly records: Pick<KeptResultStore, 'listAsked'>;
  /** Time without a client after which a query is cancelled. */
  readonly waitMs: number;
}

interface DetachedQuery {
  readonly live: Pick<RunningQuery, 'queryId' | 'stop'>;
  readonly keeping: Pick<Keeping, 'failure'>;
}

interface WaitingQuery extends DetachedQuery {
  /** Time by `performance.now()` at which a client was last known to want the result. */
  wantedMs: number;
}

/** Time for stopped queries to record their outcomes before their host ends. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * Queries of this host that run on although their clients have left, because their results are kept. A client that asks for the events of
 * one notes that in the database, on any host. A query that no client asks for is cancelled after the wait.
 */
export class DetachedQueries {
  readonly #dependencies: DetachedQueriesDependencies;
  readonly #byId = new Map<string, WaitingQuery>();
  #onEmpty: (() => void) | undefined;

  constructor(dependencies: DetachedQueriesDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Adds a query whose client has just left. Returns the function to call when it is over. */
  add(query: DetachedQuery): () => void {
    const { queryId } = query.live;
    this.#byId.set(queryId, { ...query, wantedMs: performance.now() });
    return () => {
      this.#byId.delete(queryId);
      if (this.#byId.size === 0) this.#onEmpty?.();
    };
  }

  /**
   * Cancels the queries that no client has asked for within the wait, and those whose results can no longer be kept. Call it periodically.
   * While the database cannot be read, the time of the last known request counts. Throws the error of the database.
   */
  async cancelAbandoned(): Promise<void> {
    if (this.#byId.size === 0) return;
    const { hostId, records, waitMs } = this.#dependencies;
    try {
      const listed = await records.listAsked(hostId);
      const nowMs = performance.now();
      for (const { queryId, agoMs } of listed) {
        const query = this.#byId.get(queryId);
        if (query !== undefined) query.wantedMs = Math.max(query.wantedMs, nowMs - agoMs);
      }
    } finally {
      const overdueMs = performance.now() - waitMs;
      for (const { live, keeping, wantedMs } of this.#byId.values()) {
        if (wantedMs <= overdueMs) live.stop(abandoned(waitMs));
        else if (keeping.failure !== undefined) live.stop(resultLost(keeping.failure));
      }
    }
  }

  /** Stops all queries, for the end of this host, and waits a short time for their outcomes. */
  async stopAll(reason: ProblemError): Promise<void> {
    if (this.#byId.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      timer = setTimeout(resolve, STOP_TIMEOUT_MS);
    });
    for (const { live } of this.#byId.values()) live.stop(reason);
    await ended.finally(() => clearTimeout(timer));
  }
}

const abandoned = (waitMs: number): ProblemError => {
  const wait = waitMs % 1_000 === 0 ? `${waitMs / 1_000} s` : `${waitMs} ms`;
  return new ProblemError(
    'query_cancelled',
    `The client left and did not come back within ${wait}, so the query was cancelled.`,
  );
};

/** Returns the outcome of a query whose client has left and whose result is not kept. */
export const resultLost = (reason: string): ProblemError =>
  new ProblemError(
    'query_cancelled',
    `The client left, and the result cannot be kept for it, so the query was cancelled: ${reason}`,
  );
