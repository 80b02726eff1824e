import type { FormatSpec } from '@sluice/encoders';
import type { EngineProgress, EngineSpec, Statement } from '@sluice/engine';

/** Everything a query worker needs to run a statement, as plain data. */
export interface QueryJob {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly format: FormatSpec;
  /**
   * `columns` describes the statement without running it; its events are `columns` and `end`. `columns and tables` adds the tables that it
   * reads to the first event. Default: `rows`.
   */
  readonly wants?: 'rows' | 'columns' | 'columns and tables';
}

/** Progress of a running statement, for engines that report it. */
export type JobProgress = EngineProgress;

export type OnProgress = (progress: JobProgress) => void;
