import type { FormatSpec } from '@sluice/encoders';
import type { DuckDbProfile, Statement, TrinoProfile } from '@sluice/engine';

/**
 * Which engine serves a tenant, and how. Workers are shared only between jobs of the same `key`: one tenant's, with one profile.
 * A TrinoProfile holds credentials: a spec reaches a worker over its channel, and nothing else of it may be shown or kept.
 */
export type EngineSpec =
  | { readonly kind: 'duckdb'; readonly key: string; readonly profile: DuckDbProfile }
  | { readonly kind: 'trino'; readonly key: string; readonly profile: TrinoProfile };

/** Everything a query worker needs; plain data. */
export interface QueryJob {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly format: FormatSpec;
  /** `columns`: the statement is described, not run, and its events are columns and end. Default: `rows`. */
  readonly wants?: 'rows' | 'columns';
}

/** How far an engine is that tells of it. */
export interface JobProgress {
  /** The engine has not begun: the statement waits for its turn there. */
  readonly isQueued: boolean;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}

export type OnProgress = (progress: JobProgress) => void;
