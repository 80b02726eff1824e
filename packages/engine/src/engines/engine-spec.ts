import type { DuckDbProfile } from '../duckdb/profile.ts';
import type { TrinoProfile } from '../trino/protocol/profile.ts';

/**
 * Which engine serves a tenant, and its settings. Workers are shared only between jobs with the same `key`: one tenant with one profile.
 * A TrinoProfile holds credentials: a spec reaches a worker over its channel, and nothing else of it may be shown or stored.
 */
export type EngineSpec =
  | { readonly kind: 'duckdb'; readonly key: string; readonly profile: DuckDbProfile }
  | { readonly kind: 'trino'; readonly key: string; readonly profile: TrinoProfile };
