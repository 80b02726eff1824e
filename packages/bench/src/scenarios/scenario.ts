import type { Finding } from '../report.ts';
import type { SluiceProcess } from '../sluice-process.ts';

/** The Sluice and the data that a scenario measures. */
export interface BenchContext {
  readonly sluice: SluiceProcess;
  /** DuckDB file that the queries read, for baselines. */
  readonly database: string;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

export type Scenario = (context: BenchContext) => Promise<readonly Finding[]>;

export const TABLES = {
  lineitem: { sql: 'SELECT * FROM bench_lineitem', rows: 1_000_000, columns: 16 },
  flights: { sql: 'SELECT * FROM flights', rows: 3_000_000, columns: 5 },
} as const;
