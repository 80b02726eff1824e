import { describe, expect, it } from '@jest/globals';
import type { ClientSession } from '../client-session.ts';
import { TrinoError } from '../trino-error.ts';
import { readCatalogueStatement } from './read-catalogue-statement.ts';

const SESSION: ClientSession = {
  user: undefined,
  catalog: 'demo',
  schema: 'vega',
  timeZone: 'Europe/Paris',
  properties: new Map(),
  prepared: new Map(),
  transactionId: undefined,
  capabilities: { parametricDatetime: true, number: true },
  source: undefined,
  clientInfo: undefined,
  clientTags: [],
  traceToken: undefined,
};
const FACTS = { engine: 'duckdb', user: "o'ann@example.com" } as const;

const read = (sql: string, session: Partial<ClientSession> = {}, engine: 'duckdb' | 'trino' = 'duckdb') =>
  readCatalogueStatement(sql, { ...SESSION, ...session }, { ...FACTS, engine });

const AT_START = { location: { lineNumber: 1, columnNumber: 1 } };

const failureOf = (sql: string, session: Partial<ClientSession> = {}): TrinoError => {
  try {
    read(sql, session);
  } catch (thrown) {
    if (thrown instanceof TrinoError) return thrown;
  }
  throw new Error(`${sql} did not fail`);
};

describe('a SELECT from tables of the catalogue', () => {
  it.each([
    ['SELECT * FROM system.jdbc.catalogs', 'SELECT * FROM jdbc.catalogs'],
    ['select * from "system"."jdbc"."TABLES" t', 'select * from "jdbc"."TABLES" t'],
    ['SELECT * FROM system /* x */ . jdbc.types;', 'SELECT * FROM jdbc.types'],
    ['TABLE system.metadata.catalogs', 'TABLE metadata.catalogs'],
    ['SELECT * FROM information_schema.tables', 'SELECT * FROM "information_schema of demo".tables'],
    ['SELECT * FROM Shop.information_schema."tables"', 'SELECT * FROM "information_schema of shop"."tables"'],
    [
      'SELECT information_schema.views.table_name FROM information_schema.views',
      'SELECT "information_schema of demo".views.table_name FROM "information_schema of demo".views',
    ],
    [
      'WITH a AS (SELECT 1) SELECT * FROM a JOIN system.runtime.nodes ON true',
      'WITH a AS (SELECT 1) SELECT * FROM a JOIN runtime.nodes ON true',
    ],
    ['(SELECT table_cat FROM system.jdbc.tables) LIMIT 0', '(SELECT table_cat FROM jdbc.tables) LIMIT 0'],
    [
      "SELECT * FROM system.jdbc.tables WHERE table_name LIKE 'a\\_%' ESCAPE '\\' AND x = 'from system.jdbc.types'",
      "SELECT * FROM jdbc.tables WHERE table_name LIKE 'a\\_%' ESCAPE '\\' AND x = 'from system.jdbc.types'",
    ],
    [
      'SELECT * FROM information_schema.tables WHERE table_schema = current_schema',
      `SELECT * FROM "information_schema of demo".tables WHERE table_schema = 'vega'`,
    ],
  ])('names them as DuckDB does: %s', (sql, expected) => {
    expect(read(sql)?.sql).toBe(expected);
  });

  it('finds them in the schema of the session', () => {
    expect(read('SELECT * FROM tables', { catalog: 'system', schema: 'jdbc' })?.sql).toBe('SELECT * FROM jdbc.tables');
    expect(read('SELECT * FROM jdbc.tables', { catalog: 'system', schema: 'runtime' })?.sql).toBe(
      'SELECT * FROM jdbc.tables',
    );
    expect(read('SELECT * FROM tables', { schema: 'information_schema' })?.sql).toBe(
      'SELECT * FROM "information_schema of demo".tables',
    );
  });

  it('requires the catalogs of information_schema', () => {
    expect(read('SELECT * FROM a.information_schema.tables, b.information_schema.tables')?.requires).toEqual([
      { catalog: 'a', location: { lineNumber: 1, columnNumber: 15 } },
      { catalog: 'b', location: { lineNumber: 1, columnNumber: 44 } },
    ]);
  });

  it('keeps the spelling of its columns', () => {
    const spellings = (sql: string) => read(sql)?.spellings;
    expect(spellings('SELECT TABLE_CAT, t.Table_Schem, UPPER(x) AS "isNull", y + 1 FROM system.jdbc.tables t')).toEqual(
      ['TABLE_CAT', 'Table_Schem', 'isNull', undefined],
    );
    expect(spellings('SELECT a, * FROM system.jdbc.tables')).toEqual([]);
    expect(spellings('SELECT count(*) FROM system.jdbc.tables')).toEqual([undefined]);
  });

  it.each([
    'SELECT 1',
    'SELECT * FROM flights',
    'SELECT system.runtime.f(1), system.runtime, a.runtime.queries',
    'WITH queries AS (SELECT 1) SELECT * FROM queries',
    'SELECT * FROM hive.jdbc.tables',
    "SELECT 'FROM system.jdbc.tables'",
    'SELECT 1 -- FROM system.jdbc.tables',
    'SELECT * FROM "system.jdbc.tables"',
    'EXPLAIN SELECT * FROM system.jdbc.tables',
    'SELECT * FROM system.jdbc.tables; SELECT 1',
    'INSERT INTO system.jdbc.tables SELECT 1',
    '',
  ])('is not %s', (sql) => {
    expect(read(sql)).toBeUndefined();
  });

  it('fails without a catalog for information_schema', () => {
    expect(failureOf('SELECT *\n FROM information_schema.tables', { catalog: undefined })).toMatchObject({
      errorName: 'MISSING_CATALOG_NAME',
      location: { lineNumber: 2, columnNumber: 7 },
    });
  });

  it('fails beside a table that is not mirrored', () => {
    const { errorName, message } = failureOf(
      'SELECT * FROM system.jdbc.tables, a JOIN information_schema.roles ON true',
    );
    expect([errorName, message]).toEqual(['NOT_SUPPORTED', expect.stringContaining('information_schema.roles')]);
  });

  it.each([
    ['SELECT * FROM system.runtime.queries', {}, 'NOT_SUPPORTED', 'GET /query/history'],
    ['SELECT * FROM flights, System."Runtime".TASKS', {}, 'NOT_SUPPORTED', 'system.runtime.tasks is not served'],
    ['SELECT * FROM runtime.queries', { catalog: 'system' }, 'NOT_SUPPORTED', 'GET /query/history'],
    ['TABLE system.metadata.table_properties', {}, 'NOT_SUPPORTED', 'SHOW TABLES FROM system.jdbc'],
    ['SELECT * FROM system.jdbc.nothing', {}, 'TABLE_NOT_FOUND', "Table 'system.jdbc.nothing' does not exist"],
  ])('fails for a table of system that is not served: %s', (sql, session, errorName, sentence) => {
    expect(failureOf(sql, session)).toMatchObject({ errorName, message: expect.stringContaining(sentence) });
  });

  it('fails for partitions', () => {
    expect(failureOf('SELECT * FROM demo.vega."Flights$partitions"')).toMatchObject({
      errorName: 'TABLE_NOT_FOUND',
      message: `Table 'demo.vega."flights$partitions"' does not exist`,
      location: { lineNumber: 1, columnNumber: 15 },
    });
  });
});

describe('a SELECT of what the session is', () => {
  const constantOf = (sql: string, session: Partial<ClientSession> = {}, engine: 'duckdb' | 'trino' = 'duckdb') => {
    const { columns = [], row = [] } = read(sql, session, engine)?.constant ?? {};
    return columns.map(({ name, type }, index) => [name, type, row[index]]);
  };

  it.each([
    ['SELECT version()', [['_col0', 'varchar', '476-sluice-duckdb']]],
    ['select current_user', [['_col0', 'varchar', "o'ann@example.com"]]],
    [
      "SELECT current_catalog AS Cat, current_schema s, 'it''s' \"y\", 12, 3000000000, NULL, true",
      [
        ['Cat', 'varchar', 'demo'],
        ['s', 'varchar', 'vega'],
        ['y', 'varchar(4)', "it's"],
        ['_col3', 'integer', 12],
        ['_col4', 'bigint', 3_000_000_000],
        ['_col5', 'unknown', null],
        ['_col6', 'boolean', true],
      ],
    ],
    ['SELECT current_timezone();', [['_col0', 'varchar', 'Europe/Paris']]],
  ])('has a constant answer: %s', (sql, expected) => {
    expect(constantOf(sql)).toEqual(expected);
  });

  it('names the engine and what is not set', () => {
    expect(constantOf('SELECT version()', {}, 'trino')).toEqual([['_col0', 'varchar', '476-sluice-trino']]);
    expect(
      constantOf('SELECT current_catalog, current_timezone()', { catalog: undefined, timeZone: undefined }),
    ).toEqual([
      ['_col0', 'varchar', null],
      ['_col1', 'varchar', 'UTC'],
    ]);
  });

  it.each([
    'SELECT 1',
    'SELECT current_user FROM flights',
    'SELECT version() + 1',
    'SELECT a.version()',
    'SELECT version(), 99999999999999999999',
    'SELECT version(), 1.5',
    'SELECT version(),',
  ])('is not %s', (sql) => {
    expect(read(sql)).toBeUndefined();
  });
});

describe('SHOW and DESCRIBE', () => {
  it.each([
    ["SHOW CATALOGS LIKE 'a\\_%' ESCAPE '\\'", "table_cat LIKE 'a\\_%' ESCAPE '\\'", []],
    ['SHOW SCHEMAS', "lower('demo')", [{ catalog: 'demo' }]],
    ['SHOW SCHEMAS IN "Shop"', "lower('shop')", [{ catalog: 'shop' }]],
    ["show tables from main like 'it''s'", "table_name LIKE 'it''s'", [{ catalog: 'demo', schema: 'main' }]],
    ['SHOW TABLES IN shop.main', "lower('shop')", [{ catalog: 'shop', schema: 'main' }]],
    ['SHOW COLUMNS FROM flights', 'ORDER BY ordinal_position', [{ catalog: 'demo', schema: 'vega', table: 'flights' }]],
    ['DESCRIBE a.b."C"', "lower('c')", [{ catalog: 'a', schema: 'b', table: 'c' }]],
    ['DESC output', "lower('output')", [{ catalog: 'demo', schema: 'vega', table: 'output' }]],
    [
      'SHOW CREATE TABLE flights',
      'AS "Create Table"',
      [{ catalog: 'demo', schema: 'vega', table: 'flights', kind: 'TABLE' }],
    ],
    [
      'SHOW CREATE VIEW flights;',
      'AS "Create View"',
      [{ catalog: 'demo', schema: 'vega', table: 'flights', kind: 'VIEW' }],
    ],
    ['SHOW CREATE SCHEMA main', 'AS "Create Schema"', []],
    ['SHOW STATS FOR flights', 'WHERE false', [{ catalog: 'demo', schema: 'vega', table: 'flights' }]],
    ["SHOW FUNCTIONS LIKE 'a%'", "function_name LIKE 'a%'", []],
  ])('%s', (sql, part, requires) => {
    const located = requires.map((object) => ({ ...object, ...AT_START }));
    expect(read(sql)).toMatchObject({ sql: expect.stringContaining(part), requires: located });
  });

  it.each([
    'SHOW SESSION',
    'SHOW ROLES',
    'SHOW TABLES FROM a b',
    'SHOW CREATE FUNCTION f',
    'DESCRIBE INPUT statement1',
    'DESCRIBE SELECT 1',
    'SHOW',
  ])('leave others: %s', (sql) => {
    expect(read(sql)).toBeUndefined();
  });

  it.each([
    ['SELECT CAST(NULL AS varchar) TABLE_CAT, CAST(NULL AS smallint) KEY_SEQ WHERE false', true],
    ['select cast(null as varchar) a where false;', true],
    ['SELECT CAST(NULL AS varchar) a', false],
    ['SELECT CAST(NULL AS varchar) WHERE false', false],
    ['SELECT CAST(NULL AS varchar) a WHERE true', false],
    ['SELECT CAST(NULL AS varchar) a WHERE false OR true', false],
    ['SELECT CAST(NULL AS varchar) a, b WHERE false', false],
    ['SELECT CAST(NULL AS varchar) a FROM t WHERE false', false],
    ['SELECT CAST(1 AS varchar) a WHERE false', false],
  ])('take a list of NULLs without rows for their own: %s', (sql, isOwn) => {
    for (const engine of ['duckdb', 'trino'] as const) expect(read(sql, {}, engine) !== undefined).toBe(isOwn);
  });

  it('leave functions, statistics and definitions of views of Trino to Trino', () => {
    const statements = ['SHOW FUNCTIONS', 'SHOW STATS FOR a', 'SHOW STATS FOR (SELECT 1)', 'SHOW CREATE VIEW a'];
    for (const sql of statements) expect(read(sql, { catalog: undefined }, 'trino')).toBeUndefined();
  });

  it('say what is not known of an object that exists', () => {
    const sentenceOf = (sql: string) => read(sql)?.otherwise?.message;
    expect(sentenceOf('SHOW STATS FOR flights')).toMatch(/^The statistics of demo\.vega\.flights are not known/);
    expect(sentenceOf('SHOW CREATE VIEW flights')).toMatch(
      /^The definition of the view demo\.vega\.flights is not known/,
    );
    expect(failureOf('SHOW STATS FOR (SELECT 1)').errorName).toBe('NOT_SUPPORTED');
  });

  it.each([
    ['SHOW SCHEMAS', { catalog: undefined }, 'MISSING_CATALOG_NAME'],
    ['SHOW TABLES', { catalog: undefined }, 'MISSING_CATALOG_NAME'],
    ['SHOW TABLES', { schema: undefined }, 'MISSING_SCHEMA_NAME'],
    ['DESCRIBE t', { schema: undefined }, 'MISSING_SCHEMA_NAME'],
    ['SHOW TABLES FROM a.b.c', {}, 'SYNTAX_ERROR'],
    ['DESCRIBE a.b.c.d', {}, 'SYNTAX_ERROR'],
    ['SHOW TABLES LIKE x', {}, 'SYNTAX_ERROR'],
    ["SHOW TABLES LIKE 'x' ESCAPE 'ab'", {}, 'INVALID_FUNCTION_ARGUMENT'],
  ])('%s fails without its names', (sql, session, errorName) => {
    expect(failureOf(sql, session).errorName).toBe(errorName);
  });
});
