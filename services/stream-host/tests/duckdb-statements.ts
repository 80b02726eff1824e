import type { EngineStatements } from './engine-statements.ts';

export const DUCKDB_STATEMENTS: EngineStatements = {
  silent: 'SELECT count(*) AS n FROM range(9000) a, range(9000) b WHERE (a.range * b.range) % 7 = 8',
  endless: 'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 8',
  deaf: `SELECT levenshtein(repeat('a', 90000 + n::INTEGER), repeat('b', 90000)) AS d FROM numbers LIMIT 1`,
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
};
