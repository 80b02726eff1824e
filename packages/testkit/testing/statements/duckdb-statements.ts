import { shortOrLong } from '@sluice/testkit';
import type { CutStatements, EngineStatements } from './engine-statements.ts';

/** The rows before it are more than one event of the worker (256 KiB) in each format, so rows leave before a failure in this row. */
const FAR_ROW = shortOrLong(40_000, 100_000);
const LAST_ROW = shortOrLong(60_000, 150_000);

/** Statement of two columns: its first line returns `row` rows, its second line the row with index `row`. */
const behind = (row: number, then: string): string =>
  row === 0 ? then : `SELECT n, 'fine' AS word FROM range(${row}) t(n)\nUNION ALL ${then}`;

const withWord = (word: string): string => `SELECT n,\n  ${word} AS word\nFROM range(${LAST_ROW + 1}) t(n)`;

const CUT: CutStatements = {
  // Chunks have 2,048 rows.
  rows: [0, 1, 2047, 2048, 2049, FAR_ROW, LAST_ROW],
  farRow: FAR_ROW,
  errorIn: (row) => behind(row, `SELECT n, error('boom at row ' || n) FROM range(${row}, ${LAST_ROW + 1}) t(n)`),
  errorInOnly: (row) => withWord(`CASE WHEN n = ${row} THEN error('boom at row ' || n) ELSE 'fine' END`),
  failedCastIn: (row) =>
    behind(row, `SELECT n, CAST('no number ' || n AS INTEGER)::VARCHAR FROM range(${row}, ${LAST_ROW + 1}) t(n)`),
  failedCastInOnly: (row) =>
    withWord(`CAST(CASE WHEN n = ${row} THEN 'no number ' || n ELSE n::VARCHAR END AS INTEGER)`),
  failedCast: (row) => `Could not convert string 'no number ${row}' to INT32`,
  castLocation: (row) => (row === 0 ? { line: 1, column: 11 } : { line: 2, column: 11 + 'UNION ALL '.length }),
  castInOnlyLocation: { line: 2, column: 3 },
  silentFrom: (row) => behind(row, `SELECT n, 'never' FROM range(9000000000000) t(n) WHERE n % 7 = 8`),
};

export const DUCKDB_STATEMENTS: EngineStatements = {
  silent: 'SELECT count(*) AS n FROM range(9000) a, range(9000) b WHERE (a.range * b.range) % 7 = 8',
  brief: 'SELECT count(*) AS n FROM range(5000) a, range(5000) b',
  held: 'SELECT count(*) AS n FROM range(10000) a, range(10000) b WHERE (a.range * b.range) % 7 = 8',
  endless: 'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 8',
  uninterruptible: `SELECT levenshtein(repeat('a', 90000 + n::INTEGER), repeat('b', 90000)) AS d FROM numbers LIMIT 1`,
  long: `SELECT range AS n, repeat('x', 100) AS filler FROM range(50000000)`,
  misspelt: { sql: 'SELECT * FRM items', column: 14 },
  failingRow: 90_000,
  failsLate: `SELECT CASE WHEN n = 90000 THEN error('boom at ' || n) ELSE n END AS n FROM numbers`,
  failsAtOnce: `SELECT error('at once') FROM numbers`,
  pausing: `SELECT n, CASE WHEN n < 1000000 THEN 0
  ELSE levenshtein(repeat('a', 5000 + (n % 2)::INTEGER), repeat('b', 5000)) END AS d FROM range(2000000) t(n)`,
  count: (n) => `SELECT range AS n FROM range(${n})`,
  wide: (characters, rows) => `SELECT repeat('x', ${characters}) AS x FROM range(${rows})`,
  descriptions: ['SHOW TABLES', 'DESCRIBE items', 'SUMMARIZE items', 'EXPLAIN SELECT * FROM items'],
  noon: {
    sql: `SELECT hour(TIMESTAMPTZ '2026-07-01 12:00:00+00') AS h, TIMESTAMPTZ '2026-07-01 12:00:00+00' AS t`,
    inUtc: '{"h":12,"t":"2026-07-01 12:00:00.000000 UTC"}',
    inKolkata: '{"h":17,"t":"2026-07-01 17:30:00.000000 +05:30"}',
  },
  splits: 'unknown',
  cut: CUT,
};
