import type { FormatSpec } from '@sluice/encoders';
import type { EngineProgress, EngineSpec, Statement, TableName } from '@sluice/engine';

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
  /** Reports when the engine ran, for traces. */
  readonly reportsEngineTime?: boolean;
}

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
