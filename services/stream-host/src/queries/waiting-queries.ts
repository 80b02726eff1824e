import type { ProblemError } from '@sluice/contract';
import type { WaitingQueryRow } from '@sluice/store/queries';

/** A query that waits for a worker in this process. */
interface WaitingQuery extends WaitingQueryRow {
  /** Ends the wait. The reason becomes the outcome of the query. */
  cancel(reason: ProblemError): void;
}

/** Registry of the queries that wait for a worker in this process, for lists and for cancelling. */
export class WaitingQueries {
  readonly #byId = new Map<string, WaitingQuery>();

  add(query: WaitingQuery): void {
    this.#byId.set(query.queryId, query);
  }

  remove(queryId: string): void {
    this.#byId.delete(queryId);
  }

  find(tenantId: string, queryId: string): WaitingQuery | undefined {
    const found = this.#byId.get(queryId);
    return found?.tenantId === tenantId ? found : undefined;
  }

  all(): readonly WaitingQuery[] {
    return [...this.#byId.values()];
  }
}
