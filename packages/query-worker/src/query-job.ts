import type { FormatSpec } from '@sluice/encoders';
import type { DuckDbProfile, Statement } from '@sluice/engine';

/** Which engine serves a tenant, and how. */
export interface EngineSpec {
  readonly kind: 'duckdb';
  /** Workers are shared only between jobs of the same key: one tenant's, with one profile. */
  readonly key: string;
  readonly profile: DuckDbProfile;
}

/** Everything a query worker needs; plain data, without a secret. */
export interface QueryJob {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly format: FormatSpec;
}
