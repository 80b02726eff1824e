import { TESTED_ENGINE } from '../hosts/tested-engine.ts';
import { DUCKDB_STATEMENTS } from './duckdb-statements.ts';
import { TRINO_STATEMENTS } from './trino-statements.ts';

const STATEMENTS = { duckdb: DUCKDB_STATEMENTS, trino: TRINO_STATEMENTS }[TESTED_ENGINE];

/** Returns one row after about a second. */
export const SILENT = STATEMENTS.silent;
/** Returns one row after a fraction of a second. */
export const BRIEF = STATEMENTS.brief;
/** Returns one row after enough time to stop several of these. */
export const HELD = STATEMENTS.held;
/** A misspelt statement with the position that the engine reports. */
export const MISSPELT = STATEMENTS.misspelt;
/** Returns nothing for longer than any test waits, and can be interrupted. */
export const ENDLESS = STATEMENTS.endless;
/** Computes one value for many seconds and ignores interrupts (measured for DuckDB; Trino has no such statement). */
export const UNINTERRUPTIBLE = STATEMENTS.uninterruptible;
/** Returns more rows than any test reads: several gigabytes. */
export const LONG = STATEMENTS.long;
/** Row at which FAILS_LATE fails with `boom at <row>`, after others were sent. */
export const FAILING_ROW = STATEMENTS.failingRow;
export const FAILS_LATE = STATEMENTS.failsLate;
/** Fails on every row. */
export const FAILS_AT_ONCE = STATEMENTS.failsAtOnce;
/** Returns a hundred thousand rows or more at once, then one every ten milliseconds or slower. */
export const PAUSING = STATEMENTS.pausing;
/** Returns `n` from 0 to n-1, in order. */
export const countTo = (n: number): string => STATEMENTS.count(n);
/** Returns this many rows of one text `x` with this many characters. */
export const wideRows = (characters: number, rows: number): string => STATEMENTS.wide(characters, rows);
/** Statements other than SELECT that describe something. */
export const DESCRIPTIONS = STATEMENTS.descriptions;
/** Returns `h`, the hour, and `t`, the text, of 2026-07-01 12:00 UTC in the session's time zone; with the expected row. */
export const NOON = STATEMENTS.noon;
/** Whether the engine reports the splits of a query. */
export const SPLITS = STATEMENTS.splits;
/** Results that are cut before their end. */
export const CUT = STATEMENTS.cut;
