import type { Finding } from '../report.ts';
import type { SluiceProcess } from '../sluice-process.ts';

/** What a scenario measures on. */
export interface BenchContext {
  readonly sluice: SluiceProcess;
  /** The DuckDB file that the queries read, for yardsticks. */
  readonly database: string;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

export type Scenario = (context: BenchContext) => Promise<readonly Finding[]>;

export const TABLES = {
  lineitem: { sql: 'SELECT * FROM bench_lineitem', rows: 1_000_000, columns: 16 },
  flights: { sql: 'SELECT * FROM flights', rows: 3_000_000, columns: 5 },
} as const;
