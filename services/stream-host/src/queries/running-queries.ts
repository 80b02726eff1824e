import type { ProblemError, QueryState } from '@sluice/contract';
import type { ReaderPace } from './reader-pace.ts';

/** A query that runs in this process. */
export interface RunningQuery {
  readonly queryId: string;
  readonly tenantId: string;
  readonly accountId: string;
  /** Address of the client that sent it. */
  readonly address: string;
  /** Undefined while no client reads the result. */
  pace?: ReaderPace | undefined;
  readonly isStopped: boolean;
  /** False after the worker was given back, also while the client still reads what was sent before. */
  holdsWorker: boolean;
  state: QueryState;
  rows: number;
  bytes: number;
  /** Progress of the engine's work, for engines that report it. */
  splitsDone: number | null;
  splitsTotal: number | null;
  /** Stops the query. The first reason becomes its outcome; later ones are ignored. */
  stop(reason: ProblemError): void;
}

/** Registry of the queries that run in this process, for lists and for stopping them. */
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
