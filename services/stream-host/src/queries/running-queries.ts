import type { ProblemError, QueryState } from '@sluice/contract';
import type { ReaderPace } from './reader-pace.ts';

/** A query that this process runs now. */
export interface RunningQuery {
  readonly queryId: string;
  readonly tenantId: string;
  readonly accountId: string;
  /** Absent where no client reads it. */
  readonly pace?: ReaderPace;
  readonly isStopped: boolean;
  state: QueryState;
  rows: number;
  bytes: number;
  /** Of the engine's work, where it tells. */
  splitsDone: number | null;
  splitsTotal: number | null;
  /** Stops it; the reason becomes its end. The first reason stays. */
  stop(reason: ProblemError): void;
}

/** The queries of this process, for their owners' lists and for whoever may stop them. */
export class RunningQueries {
  readonly #byId = new Map<string, RunningQuery>();

  get size(): number {
    return this.#byId.size;
  }

  add(query: RunningQuery): void {
    this.#byId.set(query.queryId, query);
  }

  remove(queryId: string): void {
    this.#byId.delete(queryId);
  }

  find(queryId: string): RunningQuery | undefined {
    return this.#byId.get(queryId);
  }

  all(): readonly RunningQuery[] {
    return [...this.#byId.values()];
  }
}
