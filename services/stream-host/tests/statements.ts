import { DUCKDB_STATEMENTS } from './duckdb-statements.ts';
import { TESTED_ENGINE } from './tested-engine.ts';
import { TRINO_STATEMENTS } from './trino-statements.ts';

/** What the tests ask of an engine, in its SQL. */
export interface EngineStatements {
  readonly silent: string;
  readonly endless: string;
  readonly deaf: string;
  readonly long: string;
  readonly failingRow: number;
  readonly failsLate: string;
  readonly pausing: string;
  count(n: number): string;
  wide(characters: number, rows: number): string;
}

const STATEMENTS = { duckdb: DUCKDB_STATEMENTS, trino: TRINO_STATEMENTS }[TESTED_ENGINE];

/** Says nothing for about a second, and then one row. */
export const SILENT = STATEMENTS.silent;
/** Says nothing for longer than any test waits, and can be interrupted. */
export const ENDLESS = STATEMENTS.endless;
/** Works on one value for many seconds, and never looks whether it is interrupted (measured of DuckDB; Trino has no such statement). */
export const DEAF = STATEMENTS.deaf;
/** More rows than any test reads: several gigabytes. */
export const LONG = STATEMENTS.long;
/** The row in which FAILS_LATE fails, when others have been sent: `boom at <row>`. */
export const FAILING_ROW = STATEMENTS.failingRow;
export const FAILS_LATE = STATEMENTS.failsLate;
/** A hundred thousand rows or more at once, and then one every ten milliseconds or slower. */
export const PAUSING = STATEMENTS.pausing;
/** `n` from 0 to n-1, in order. */
export const countTo = (n: number): string => STATEMENTS.count(n);
/** So many rows of one text `x` of so many letters x. */
export const wideRows = (characters: number, rows: number): string => STATEMENTS.wide(characters, rows);
