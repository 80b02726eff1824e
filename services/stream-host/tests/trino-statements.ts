import { TRINO_SQL } from '@sluice/engine/testing';
import type { EngineStatements } from './engine-statements.ts';

/** Trino sends what it has about once a second, so a failure must be farther away for rows to come before it. */
const FAILING_ROW = 1_500_000;

const count = (n: number): string => `SELECT id AS n FROM (${TRINO_SQL.rows(n)}) AS counted`;

export const TRINO_STATEMENTS: EngineStatements = {
  silent: 'SELECT count(*) AS n FROM tpch.sf1.orders WHERE o_orderkey % 7 = 8',
  endless: 'SELECT count(*) AS n FROM tpch.sf1000.lineitem WHERE l_orderkey % 7 = 8',
  deaf: 'SELECT count(*) AS n FROM tpch.sf1000.lineitem WHERE l_orderkey % 7 = 8',
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
  splits: 'told',
};
