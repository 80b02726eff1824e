import { TESTED_ENGINE } from '../hosts/tested-engine.ts';
import { DUCKDB_STATEMENTS } from './duckdb-statements.ts';
import { TRINO_STATEMENTS } from './trino-statements.ts';

const STATEMENTS = { duckdb: DUCKDB_STATEMENTS, trino: TRINO_STATEMENTS }[TESTED_ENGINE];

/** Says nothing for about a second, and then one row. */
export const SILENT = STATEMENTS.silent;
/** Says nothing for a fraction of a second, and then one row. */
export const BRIEF = STATEMENTS.brief;
/** Says nothing for long enough to be stopped beside others of its kind, and then one row. */
export const HELD = STATEMENTS.held;
/** Says nothing for some seconds, and then one row. */
export const SLOW = STATEMENTS.slow;
/** No statement; and where the engine sees that. */
export const MISSPELT = STATEMENTS.misspelt;
/** Says nothing for longer than any test waits, and can be interrupted. */
export const ENDLESS = STATEMENTS.endless;
/** Works on one value for many seconds, and never looks whether it is interrupted (measured of DuckDB; Trino has no such statement). */
export const UNINTERRUPTIBLE = STATEMENTS.uninterruptible;
/** More rows than any test reads: several gigabytes. */
export const LONG = STATEMENTS.long;
/** The row in which FAILS_LATE fails, when others have been sent: `boom at <row>`. */
export const FAILING_ROW = STATEMENTS.failingRow;
export const FAILS_LATE = STATEMENTS.failsLate;
/** Fails on every row. */
export const FAILS_AT_ONCE = STATEMENTS.failsAtOnce;
/** A hundred thousand rows or more at once, and then one every ten milliseconds or slower. */
export const PAUSING = STATEMENTS.pausing;
/** `n` from 0 to n-1, in order. */
export const countTo = (n: number): string => STATEMENTS.count(n);
/** So many rows of one text `x` of so many letters x. */
export const wideRows = (characters: number, rows: number): string => STATEMENTS.wide(characters, rows);
/** Statements that describe, and are no SELECT. */
export const DESCRIPTIONS = STATEMENTS.descriptions;
/** `h`, the hour, and `t`, the whole, of 2026-07-01 12:00 UTC in the session's time zone, and the text of that row. */
export const NOON = STATEMENTS.noon;
/** Whether the engine tells how many splits of its work are done. */
export const SPLITS = STATEMENTS.splits;
/** What ends before its end. */
export const CUT = STATEMENTS.cut;
