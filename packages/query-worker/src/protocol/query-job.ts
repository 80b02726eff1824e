import type { FormatSpec } from '@sluice/encoders';
import type { DuckDbProfile, Statement, TrinoProfile } from '@sluice/engine';

/**
 * Engine that serves a tenant. Only jobs with the same `key`, which means one tenant and one profile, share a worker.
 * A TrinoProfile holds credentials: a spec reaches a worker over its channel and must not be logged or stored.
 */
export type EngineSpec =
  | { readonly kind: 'duckdb'; readonly key: string; readonly profile: DuckDbProfile }
  | { readonly kind: 'trino'; readonly key: string; readonly profile: TrinoProfile };

/** Everything a query worker needs to run a statement, as plain data. */
export interface QueryJob {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly format: FormatSpec;
  /** `columns` describes the statement without running it; its events are `columns` and `end`. Default: `rows`. */
  readonly wants?: 'rows' | 'columns';
}

/** Progress of a running statement, for engines that report it. */
export interface JobProgress {
  /** The statement waits in the engine's own queue. */
  readonly isQueued: boolean;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}

export type OnProgress = (progress: JobProgress) => void;
