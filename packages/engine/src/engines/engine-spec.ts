import type { DuckDbProfile } from '../duckdb/profile.ts';
import type { TrinoProfile } from '../trino/protocol/profile.ts';

/**
 * Engine that serves a tenant, with its settings. Only jobs with the same `key`, which means one tenant and one profile, share a
 * worker. A TrinoProfile holds credentials: a spec reaches a worker over its channel and must not be logged or stored.
 */
export type EngineSpec = {
  readonly key: string;
  /** Version of the database files. A worker opens the engine again when it changes. */
  readonly revision?: string;
} & (
  | { readonly kind: 'duckdb'; readonly profile: DuckDbProfile }
  | { readonly kind: 'trino'; readonly profile: TrinoProfile }
);

/** Progress of a running statement, for engines that report it. */
export interface EngineProgress {
  /** The statement waits in the engine's own queue. */
  readonly isQueued: boolean;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}
