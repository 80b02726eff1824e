/** Statements that name unknown objects, or that the engine cannot parse: they return its own error and nothing else. */
const STATEMENTS: readonly string[] = [
  'EXPLAIN /* /* */ ANALYZE DELETE FROM events -- */ */',
  'EXPLAIN (VERBOSE) SELECT 1',
  "SELECT '{file}'.read_text()",
  'SELECT pg_backend_pid()',
  "SELECT getenv('PATH')",
  'SELECT * FROM U&"\\0072ead_csv"(\'{file}\')',
  'SELECT * FROM "re" "ad_csv"(\'{file}\')',
  'SELECT * FROM otherschema.read_csv(1)',
  "SELECT '{file}'.read_csv()",
  'SELECT set_config(1)',
  'FROM demo.pg_catalog.pg_settings',
  'SHOW TABLES FROM pg_catalog',
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM '/etc/hosts.csv'",
  "SELECT * FROM 's3://bucket/x.parquet'",
  "SELECT * FROM 'https://example.com/x.csv'",
  'SELECT $$ unterminated',
  "SELECT 'unterminated",
  'SELECT /* unterminated',
  'SELEKT 1',
  ')',
  'SELECT 1) UNION ALL SELECT (2',
  'SELECT 1) AS x(a) UNION ALL (SELECT 1',
];

/** Returns statements that must fail, in the guard or in the engine. */
export const unknownStatements = (file: string): readonly string[] =>
  STATEMENTS.map((statement) => statement.replaceAll('{file}', file));
