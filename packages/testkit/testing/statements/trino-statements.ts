import { TRINO_SQL } from '@sluice/engine/testing';
import type { CutStatements, EngineStatements } from './engine-statements.ts';

/** Trino sends its rows about once a second, so a failure must be farther away for rows to be sent before it. */
const FAILING_ROW = 1_500_000;

/** A table whose pages of one row arrive one after the other, each after a pause. */
interface WaitingTable {
  readonly pages: number;
  readonly pauseMs: number;
}

const WAITS = 'waits.default.';
/** Tables of Trino's black hole connector. A statement that reads one lasts as long as its pauses, and takes no processor time. */
const WAITING_TABLES = {
  brief: { pages: 3, pauseMs: 100 },
  silent: { pages: 12, pauseMs: 100 },
  held: { pages: 40, pauseMs: 100 },
  endless: { pages: 1_000_000, pauseMs: 100 },
} as const satisfies Record<string, WaitingTable>;

const waitFor = (table: keyof typeof WAITING_TABLES): string => `SELECT count(*) AS n FROM ${WAITS}${table}`;

/** Statements that create the tables of the other statements. The tables hold no data and stay. */
export const CREATE_WAITING_TABLES: readonly string[] = Object.entries(WAITING_TABLES).map(
  ([name, { pages, pauseMs }]) =>
    `CREATE TABLE IF NOT EXISTS ${WAITS}${name} (n bigint)
     WITH (split_count = 1, pages_per_split = ${pages}, rows_per_page = 1, page_processing_delay = '${pauseMs}ms')`,
);

const count = (n: number): string => `SELECT id AS n FROM (${TRINO_SQL.rows(n)}) AS counted`;

const FAR_ROW = 100_000;
/** Work of half a second or more on the thousand rows before the failure, during which earlier rows are sent. */
const WORK = `n >= ${FAR_ROW - 1000} AND reduce(sequence(1, 10000), 0, (s, x) -> (s + x * n) % 7, s -> s) < 0`;

/** Selects numbered rows with a word. It does not use UNION ALL, because Trino runs its sides in parallel. */
const withWord = (word: string): string => `SELECT n, ${word} AS word FROM (${count(FAR_ROW + 1)}) AS t`;
const errorWhen = (isFailing: string): string =>
  withWord(`CASE WHEN ${isFailing} THEN CAST(fail('boom at row ' || CAST(n AS varchar)) AS varchar)
  WHEN ${WORK} THEN 'never' ELSE 'fine' END`);
const failedCastWhen = (isFailing: string): string =>
  withWord(
    `CAST(CASE WHEN ${isFailing} THEN 'no number ' WHEN ${WORK} THEN 'never' ELSE '' END || CAST(n AS varchar) AS integer)`,
  );

const CUT: CutStatements = {
  // Unnested blocks have a thousand rows; the far row is the last one.
  rows: [0, 1, 1000, FAR_ROW],
  farRow: FAR_ROW,
  errorIn: (row) => errorWhen(`n >= ${row}`),
  errorInOnly: (row) => errorWhen(`n = ${row}`),
  failedCastIn: (row) => failedCastWhen(`n >= ${row}`),
  failedCastInOnly: (row) => failedCastWhen(`n = ${row}`),
  failedCast: (row) => `Cannot cast 'no number ${row}' to INT`,
  // Trino reports the position of a syntax error, but not of a failure at run time.
  castLocation: () => undefined,
  castInOnlyLocation: undefined,
  silentFrom: (row) => `SELECT n, 'never' AS word FROM (${count(row)}) AS t
    UNION ALL SELECT n, 'never' AS word FROM ${WAITS}endless WHERE n % 7 = 8`,
};

export const TRINO_STATEMENTS: EngineStatements = {
  silent: waitFor('silent'),
  brief: waitFor('brief'),
  held: waitFor('held'),
  endless: waitFor('endless'),
  uninterruptible: waitFor('endless'),
  long: `SELECT n, rpad('x', 100, 'x') AS filler FROM (${count(50_000_000)}) AS t`,
  misspelt: { sql: 'SELECT * FRM items', column: 10 },
  failingRow: FAILING_ROW,
  failsLate: `SELECT CASE WHEN n = ${FAILING_ROW} THEN CAST(fail('boom at ${FAILING_ROW}') AS bigint) ELSE n END AS n
  FROM (${count(2 * FAILING_ROW)}) AS t`,
  failsAtOnce: `SELECT CAST(fail('at once') AS varchar) AS x FROM numbers`,
  pausing: `SELECT id AS n, n AS d FROM (${TRINO_SQL.slowAfterRows}) AS t`,
  count,
  wide: (characters, rows) => `SELECT rpad('x', ${characters}, 'x') AS x FROM (${count(rows)}) AS t`,
  descriptions: ['SHOW TABLES', 'SHOW COLUMNS FROM items', 'DESCRIBE items', 'EXPLAIN SELECT * FROM items'],
  noon: {
    sql: 'SELECT hour(from_unixtime(1782907200)) AS h, from_unixtime(1782907200) AS t',
    inUtc: '{"h":12,"t":"2026-07-01 12:00:00.000 UTC"}',
    inKolkata: '{"h":17,"t":"2026-07-01 17:30:00.000 Asia/Kolkata"}',
  },
  splits: 'known',
  cut: CUT,
};
