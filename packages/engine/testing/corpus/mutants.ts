import fc from 'fast-check';
import { rejectedStatements } from './rejected-statements.ts';

/** Selects that no caller may run; `{file}` is replaced by a private file. */
const FORBIDDEN: readonly string[] = [
  "SELECT * FROM read_text('{file}')",
  "SELECT * FROM read_csv('{file}')",
  "FROM '{file}'",
  'FROM "{file}"',
  'FROM duckdb_databases',
  'FROM duckdb_databases()',
  'FROM duckdb_settings()',
  'FROM pg_catalog.pg_settings',
  'FROM pg_settings',
  'FROM system.main.duckdb_views',
  'FROM sqlite_master',
  'SELECT current_query_id() AS v',
  "SELECT current_setting('threads') AS v",
  'SELECT current_query() AS v',
  "FROM query('SELECT 1')",
  "FROM enable_logging('QueryLog')",
  'FROM duckdb_logs()',
];

/** The rejected statements that can be written in parentheses. */
const FORBIDDEN_SELECTS: readonly string[] = rejectedStatements('{file}').filter(
  (sql) => /^(?:SELECT|FROM|WITH|VALUES)\b/i.test(sql) && !/;|--|\b(?:INSERT|DELETE)\b/.test(sql),
);

/** Statements around another one. */
const WRAPPERS: readonly ((select: string) => string)[] = [
  (s) => `SELECT * FROM (${s})`,
  (s) => `(${s})`,
  (s) => `WITH x AS (${s}) FROM x`,
  (s) => `WITH x AS MATERIALIZED (${s}), y AS (FROM x) SELECT count(*) FROM y`,
  (s) => `SELECT EXISTS (${s})`,
  (s) => `SELECT 1 WHERE NOT EXISTS (${s})`,
  (s) => `SELECT id FROM events WHERE id IN (SELECT 1 FROM (${s}))`,
  (s) => `SELECT 1 AS a UNION ALL SELECT count(*) FROM (${s})`,
  (s) => `SELECT 1 AS a EXCEPT SELECT count(*) FROM (${s})`,
  (s) => `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, (${s}) WHERE n < 2) FROM r`,
  (s) => `WITH RECURSIVE r AS (SELECT count(*) AS n FROM (${s}) UNION ALL SELECT n FROM r WHERE false) FROM r`,
  (s) => `SELECT * FROM events, LATERAL (${s})`,
  (s) => `SELECT * FROM events LEFT JOIN (${s}) ON true`,
  (s) => `SELECT * FROM events POSITIONAL JOIN (${s})`,
  (s) => `SELECT list_transform([1], lambda q: (SELECT count(*) FROM (${s})))`,
  (s) => `SELECT * FROM range((SELECT count(*) FROM (${s})))`,
  (s) => `SELECT count(*) FILTER (WHERE EXISTS (${s})) FROM events`,
  (s) => `VALUES ((SELECT count(*) FROM (${s})))`,
  (s) => `SELECT CASE WHEN EXISTS (${s}) THEN 1 END`,
  (s) => `SELECT kind FROM events GROUP BY kind HAVING EXISTS (${s})`,
  (s) => `SELECT id FROM events QUALIFY row_number() OVER (ORDER BY (SELECT count(*) FROM (${s}))) = 1`,
  (s) => `SELECT id FROM events ORDER BY (SELECT count(*) FROM (${s})) LIMIT 1`,
  (s) => `SELECT id FROM events LIMIT (SELECT count(*) FROM (${s}))`,
  (s) => `SELECT * REPLACE ((SELECT count(*) FROM (${s})) AS id) FROM events`,
  (s) => `SELECT {'a': [(SELECT count(*) FROM (${s}))]}`,
  (s) => `SELECT MAP {1: (SELECT count(*) FROM (${s}))}`,
  (s) => `SELECT * FROM (DESCRIBE ${s})`,
  (s) => `SELECT * FROM (SUMMARIZE ${s})`,
  (s) => `SELECT CAST((SELECT count(*) FROM (${s})) AS VARCHAR) || 'x'`,
  (s) => `FROM (SELECT 1 AS a, 2 AS b) UNPIVOT (v FOR n IN (a, b)) WHERE v < (SELECT count(*) FROM (${s}))`,
];

/** Spellings with the same meaning for a parser. */
const SPELLINGS: readonly ((sql: string) => string)[] = [
  (sql) => sql,
  (sql) => sql.replaceAll('FROM', 'fRoM').replaceAll('SELECT', 'sElEcT'),
  (sql) => sql.replaceAll(' FROM ', '/* FROM events */FROM--\n'),
  (sql) =>
    sql.replace(/\b(read_text|read_csv|duckdb_\w+|current_query\w*|current_setting|query)\b/g, (name) =>
      name.toUpperCase(),
    ),
  (sql) => sql.replace(/\b(read_text|read_csv|duckdb_\w+|current_query\w*|query)(?=\()/g, '"$1"'),
  (sql) => sql.replace(/\b(read_text|read_csv|duckdb_\w+|current_query\w*|query)(?=\()/g, 'main.$1'),
  (sql) => sql.replaceAll('(', '( ').replaceAll(' ', '\n\t'),
  (sql) => `${sql} ; -- done`,
];

/** Names that hide nothing: declared where DuckDB may or may not see them from the forbidden place. */
const DECOYS: readonly ((sql: string) => string)[] = [
  (sql) => sql,
  (sql) => sql,
  (sql) => sql,
  (sql) => `WITH duckdb_databases AS (SELECT 1 AS z) SELECT * FROM (${sql})`,
  (sql) => `WITH "duc\u212adb_databases" AS (SELECT 1 AS z) SELECT * FROM (${sql})`,
  (sql) =>
    `SELECT * FROM (WITH pg_settings AS (SELECT 1 AS z), "{file}" AS (SELECT 1 AS z) SELECT 1 AS one) AS d, (${sql}) AS s`,
  (sql) => `WITH a AS (SELECT * FROM (${sql})), "{file}" AS (SELECT 1 AS z) FROM a`,
  (sql) => `WITH RECURSIVE "{file}" AS (SELECT 1 AS q FROM (${sql}) UNION ALL SELECT 1 WHERE false) FROM "{file}"`,
];

/** Forbidden statements, nested up to four levels deep, in any spelling. */
export const mutants = (file: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(fc.constantFrom(...FORBIDDEN), fc.constantFrom(...FORBIDDEN_SELECTS)),
      fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 4 }),
      fc.constantFrom(...DECOYS),
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom('', '', '', 'EXPLAIN ', 'EXPLAIN ANALYZE ', 'EXPLAIN (FORMAT json) '),
    )
    .map(([select, wrappers, decoy, spell, prefix]) => {
      const hidden = wrappers.reduce((sql, wrap) => wrap(sql), select);
      return prefix + spell(decoy(hidden)).replaceAll('{file}', file);
    });
