import type { FormatSpec } from '@sluice/encoders';
import type { CatalogueFiles, EngineProgress, EngineSpec, Statement, TableName } from '@sluice/engine';

/** Everything a query worker needs to run a statement, as plain data. */
export interface QueryJob {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly format: FormatSpec;
  /**
   * `columns` describes the statement without running it; its events are `columns` and `end`. `columns and tables` adds the tables that it
   * reads to the first event; an engine that reports the tables of a running statement reports them as progress too. `tables` has no columns there, only the tables that an engine names without planning
   * (`EngineCapabilities.namesTablesFirst`). Default: `rows`.
   */
  readonly wants?: 'rows' | 'columns' | 'columns and tables' | 'tables';
  /** Keeps the rows too: they are sent in their stored form (`OnStored`). Not for Parquet. */
  readonly keep?: KeepSpec;
  /** Renders the rows of a kept result in this format instead of running the statement. Nothing else of the statement is used. */
  readonly stored?: StoredSpec;
  /** Makes the database of a mirrored catalog instead of running the statement, with the memory limit of its engine, which is DuckDB. The events have no columns. */
  readonly catalogue?: CatalogueFiles;
  /** Reports when the engine ran, for traces. */
  readonly reportsEngineTime?: boolean;
}

/** Everything that a worker needs to write a kept result. The key is for this result only. */
export interface KeepSpec {
  readonly tenantId: string;
  readonly queryId: string;
  /** Base64. */
  readonly key: string;
  readonly engine: string;
  readonly ranAtMs: number;
  readonly sqlSha256: string;
  /** Values of the parameters of the statement in JSON; empty: none. */
  readonly parameters: string;
}

/** Everything that a worker needs to read a kept result, whose sealed bytes it gets from the host (`ReadStored`). The key is for this result only. */
export interface StoredSpec {
  readonly tenantId: string;
  readonly queryId: string;
  /** Base64. */
  readonly key: string;
  /** Length of the sealed bytes. */
  readonly bytes: number;
  /** Time of the execution, in milliseconds since 1970. */
  readonly ranAtMs: number;
}

/** Returns the sealed bytes of the kept result of a job from `start` to `end`, exclusive. */
export type ReadStored = (start: number, end: number) => Promise<Uint8Array>;

/** End of a result that a worker has written completely. */
export interface StoredEnd {
  readonly rows: number;
  readonly rowBytes: number;
  readonly sha256: string;
}

/**
 * Part of a kept result, in order: sealed bytes, and then either the end or the reason for which the result is not kept. Without the last,
 * it is incomplete. `release` must be called after the last use of the bytes.
 */
export type StoredPart =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly release: () => void }
  | { readonly kind: 'end'; readonly end: StoredEnd }
  | { readonly kind: 'not kept'; readonly reason: string };

/** Receives the parts of a kept result, and returns false if it wants no more of them. It never throws and never waits. */
export type OnStored = (part: StoredPart) => boolean;

/** Period in which an engine ran a job, in epoch milliseconds. */
export interface EngineTime {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Tables and views that a statement reads, from an engine that reports them while it runs. */
interface TablesReport {
  readonly tables: readonly TableName[];
}

/** Progress of a running statement, for engines that report it. The last one of a job may be the time of its engine. */
export type JobProgress = EngineProgress | TablesReport | { readonly engineTime: EngineTime };

export type OnProgress = (progress: JobProgress) => void;
