import { describe, expect, it } from '@jest/globals';
import { doorContext, HANDLES } from '../../testing/door-context.ts';
import type { DoorStatement, SessionStatement } from '../door-statement.ts';
import { TrinoError } from '../trino-error.ts';
import { readStatement } from './read-statement.ts';

type ContextInput = Parameters<typeof doorContext>[0];

const read = (sql: string, input?: ContextInput): DoorStatement => readStatement(sql, doorContext(input));
const session = (sql: string, input?: ContextInput): SessionStatement => read(sql, input) as SessionStatement;
const errorOf = (sql: string, input?: ContextInput): TrinoError => {
  try {
    read(sql, input);
  } catch (thrown) {
    if (thrown instanceof TrinoError) return thrown;
    throw thrown;
  }
  throw new Error(`${sql} was not refused.`);
};

const UUID = /^[0-9a-f-]{36}$/;
const IN_TRANSACTION = { headers: { 'x-trino-transaction-id': '0b6a2f9c-1111-4222-8333-444455556666' } };

describe('roles of SQL, which do not exist', () => {
  it.each([
    ['SHOW ROLES', 'Role'],
    ['show current roles in "System";', 'Role'],
    ['SHOW ROLE GRANTS FROM demo', 'Role Grants'],
  ])('%s has no rows', (sql, name) => {
    expect(session(sql).result).toEqual({ columns: [{ name, type: 'varchar' }], rows: [] });
  });

  it.each(['duckdb', 'trino'] as const)(
    'grant nothing, as SHOW GRANTS says with the columns of Trino: %s',
    (engine) => {
      for (const sql of ['SHOW GRANTS', 'show grants on table demo.vega."flights";', 'SHOW GRANTS ON flights']) {
        const { columns = [], rows } = session(sql, { engine }).result ?? {};
        const names = columns.map(({ name }) => name);
        expect(names.slice(0, 7)).toEqual([
          'Grantor',
          'Grantor Type',
          'Grantee',
          'Grantee Type',
          'Catalog',
          'Schema',
          'Table',
        ]);
        expect([names.slice(7), rows]).toEqual([['Privilege', 'Grantable', 'With Hierarchy'], []]);
      }
    },
  );

  it('have a grammar', () => {
    expect(errorOf('SHOW GRANTS demo')).toMatchObject({ errorName: 'SYNTAX_ERROR', location: { columnNumber: 13 } });
    expect(errorOf('SHOW ROLES demo')).toMatchObject({ errorName: 'SYNTAX_ERROR', location: { columnNumber: 12 } });
  });
});

describe('a ping', () => {
  it.each(['SELECT 1', 'select 1;', '/* pool */ SELECT\n1 -- alive?', ' Select 1 ; ;'])('%s', (sql) => {
    expect(session(sql).result).toEqual({ columns: [{ name: '_col0', type: 'integer' }], rows: [[1]] });
  });

  it.each([
    'SELECT 1 AS one',
    'SELECT 11',
    'SELECT 1.0',
    'SELECT 1e0',
    'SELECT 1, 1',
    'SELECT 1 FROM t',
    'SELECT -1',
    'SELECT "1"',
    '/* /* */ SELECT 1 -- */ SELECT 2',
  ])('%s is a query', (sql) => {
    expect(read(sql)).toMatchObject({ kind: 'query', sql });
  });

  it('may be executed, and is refused with a property that would change results', () => {
    expect(session("EXECUTE IMMEDIATE 'SELECT 1'").result?.rows).toEqual([[1]]);
    expect(errorOf('SELECT 1', { headers: { 'x-trino-session': 'legacy_timestamp=true' } }).errorName).toBe(
      'NOT_SUPPORTED',
    );
  });
});

describe('a statement of the session', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['use Demo.Main', 'USE', { 'x-trino-set-catalog': 'demo', 'x-trino-set-schema': 'main' }],
    ['USE "a b"."c.d" ;', 'USE', { 'x-trino-set-catalog': 'a b', 'x-trino-set-schema': 'c.d' }],
    ["SET SESSION query_max_run_time = '5s'", 'SET SESSION', { 'x-trino-set-session': 'query_max_run_time=5s' }],
    ["SET SESSION Hive.Note='a, b=c'", 'SET SESSION', { 'x-trino-set-session': 'hive.note=a%2C+b%3Dc' }],
    ['SET SESSION task_concurrency = -8', 'SET SESSION', { 'x-trino-set-session': 'task_concurrency=-8' }],
    ['SET SESSION spill_enabled = TRUE', 'SET SESSION', { 'x-trino-set-session': 'spill_enabled=true' }],
    ['SET SESSION authorization = 1', 'SET SESSION', { 'x-trino-set-session': 'authorization=1' }],
    ['RESET SESSION hive.note', 'RESET SESSION', { 'x-trino-clear-session': 'hive.note' }],
    ['SET TIME ZONE LOCAL', 'SET TIME ZONE', { 'x-trino-clear-session': 'time_zone_id' }],
    ["SET TIME ZONE 'Asia/Kolkata'", 'SET TIME ZONE', { 'x-trino-set-session': 'time_zone_id=Asia%2FKolkata' }],
    ["SET TIME ZONE INTERVAL '10' HOUR", 'SET TIME ZONE', { 'x-trino-set-session': 'time_zone_id=%2B10%3A00' }],
    [
      "SET TIME ZONE INTERVAL -'08:30' HOUR TO MINUTE",
      'SET TIME ZONE',
      { 'x-trino-set-session': 'time_zone_id=-08%3A30' },
    ],
    ['SET PATH a.b, "c d"', 'SET PATH', { 'x-trino-set-path': 'a.b, "c d"' }],
    ['SET ROLE ALL', 'SET ROLE', { 'x-trino-set-role': 'system=ALL' }],
    ['SET ROLE NONE IN hive', 'SET ROLE', { 'x-trino-set-role': 'hive=NONE' }],
    ["SET SESSION AUTHORIZATION 'ann'", 'SET SESSION AUTHORIZATION', { 'x-trino-set-authorization-user': 'ann' }],
    ['SET SESSION AUTHORIZATION "Ann"', 'SET SESSION AUTHORIZATION', { 'x-trino-set-authorization-user': 'Ann' }],
    ['RESET SESSION AUTHORIZATION', 'RESET SESSION AUTHORIZATION', { 'x-trino-reset-authorization-user': 'true' }],
  ])('%s', (sql, updateType, headers) => {
    expect(session(sql)).toMatchObject({ kind: 'session', updateType, headers });
  });

  it('USE names the schema that the host looks for, in the catalog of the session if it has none of its own', () => {
    const input = { headers: { 'x-trino-catalog': 'demo' } };
    expect(session('USE main', input)).toMatchObject({
      headers: { 'x-trino-set-schema': 'main' },
      namespace: { catalog: 'demo', schema: 'main' },
    });
    expect(session('USE main', input).headers).not.toHaveProperty('x-trino-set-catalog');
    expect(session('USE "Demo"."Main"', { engine: 'duckdb' }).namespace).toEqual({ catalog: 'Demo', schema: 'Main' });
  });

  it.each([
    ['USE main', 'MISSING_CATALOG_NAME'],
    ['USE a.b.c', 'SYNTAX_ERROR'],
    ['USE', 'SYNTAX_ERROR'],
    ['USE "m\u00fcll".a', 'NOT_SUPPORTED'],
    ["SET SESSION query_max_run_time = '5 fortnights'", 'INVALID_SESSION_PROPERTY'],
    ['SET SESSION query_max_run_time = 5', 'INVALID_SESSION_PROPERTY'],
    ['SET SESSION a = now()', 'INVALID_SESSION_PROPERTY'],
    ['SET SESSION "a,b" = 1', 'INVALID_SESSION_PROPERTY'],
    ['RESET SESSION "a=b"', 'INVALID_SESSION_PROPERTY'],
    ["SET SESSION time_zone_id = 'Mars/Olympus'", 'INVALID_SESSION_PROPERTY'],
    ['SET SESSION omit_datetime_type_precision = true', 'NOT_SUPPORTED'],
    ["SET SESSION hive.timestamp_precision = 'NANOSECONDS'", 'NOT_SUPPORTED'],
    ["SET TIME ZONE 'Mars/Olympus'", 'INVALID_SESSION_PROPERTY'],
    ["SET TIME ZONE INTERVAL '1' SECOND", 'INVALID_LITERAL'],
    ["SET TIME ZONE INTERVAL '15' HOUR", 'INVALID_SESSION_PROPERTY'],
    ['SET ROLE admin', 'ROLE_NOT_FOUND'],
    ['SET SESSION AUTHORIZATION ben', 'PERMISSION_DENIED'],
    ['SET SESSION AUTHORIZATION "ann "', 'PERMISSION_DENIED'],
    ['COMMIT', 'NOT_IN_TRANSACTION'],
    ['ROLLBACK WORK', 'NOT_IN_TRANSACTION'],
    ['START TRANSACTION READ ONLY, READ WRITE', 'INVALID_TRANSACTION_MODE'],
    ['START TRANSACTION READ', 'SYNTAX_ERROR'],
    ['START TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'UNSUPPORTED_ISOLATION_LEVEL'],
    ['USE a.b extra', 'SYNTAX_ERROR'],
    ['USE "a', 'SYNTAX_ERROR'],
  ])('%s is %s', (sql, name) => {
    expect(errorOf(sql).errorName).toBe(name);
  });

  it('has the position of what is wrong', () => {
    expect(errorOf('USE a.b\n  extra')).toMatchObject({ location: { lineNumber: 2, columnNumber: 3 } });
  });

  it('starts and ends a transaction', () => {
    const modes = ['', ' READ ONLY', ' ISOLATION LEVEL READ UNCOMMITTED, READ WRITE', ' READ WRITE'];
    for (const mode of modes) {
      const { updateType, headers } = session(`START TRANSACTION${mode}`);
      expect([updateType, headers['x-trino-started-transaction-id']]).toEqual([
        'START TRANSACTION',
        expect.stringMatching(UUID),
      ]);
    }
    for (const verb of ['COMMIT', 'ROLLBACK'])
      expect(session(`${verb} WORK`, IN_TRANSACTION)).toMatchObject({
        updateType: verb,
        headers: { 'x-trino-clear-transaction-id': 'true' },
      });
    expect(errorOf('START TRANSACTION', IN_TRANSACTION).errorName).toBe('NOT_SUPPORTED');
    expect(errorOf('RESET SESSION AUTHORIZATION', IN_TRANSACTION).errorName).toBe('GENERIC_USER_ERROR');
  });

  it('SHOW SESSION lists what acts and what does not, and the dialect', () => {
    const headers = { 'x-trino-session': 'query_max_run_time=5s,join_distribution_type=BROADCAST' };
    const { result, updateType } = session('SHOW SESSION', { engine: 'duckdb', headers });
    expect(updateType).toBeUndefined();
    expect(result?.columns.map(({ name }) => name)).toEqual(['Name', 'Value', 'Default', 'Type', 'Description']);
    expect(result?.rows.map(([name, value]) => [name, value])).toEqual([
      ['join_distribution_type', 'BROADCAST'],
      ['query_max_execution_time', ''],
      ['query_max_run_time', '5s'],
      ['sluice_dialect', 'duckdb'],
      ['time_zone_id', ''],
    ]);
    expect(session("SHOW SESSION LIKE 'query\\_max\\_r%' ESCAPE '\\'").result?.rows).toHaveLength(1);
    expect(errorOf("SHOW SESSION LIKE 'a' ESCAPE ''").errorName).toBe('INVALID_FUNCTION_ARGUMENT');
  });
});

describe('a statement that stops another', () => {
  it.each([
    "CALL system.runtime.kill_query(query_id => 'q1', message => 'enough')",
    "call SYSTEM.runtime.kill_query(message => 'enough', query_id => 'q1')",
    "CALL system.runtime.kill_query('q1', 'enough')",
  ])('%s', (sql) => {
    expect(read(sql)).toEqual({ kind: 'kill', queryId: 'q1', message: 'enough' });
  });

  it('needs the id of a query, and takes each argument once', () => {
    expect(read("CALL system.runtime.kill_query(query_id => 'q1')")).toEqual({
      kind: 'kill',
      queryId: 'q1',
      message: undefined,
    });
    const wrong = ['()', "(message => 'a')", "(query_id => 'a', query_id => 'b')", "('a', 'b', 'c')", "(x => 'a')"];
    for (const given of wrong)
      expect(errorOf(`CALL system.runtime.kill_query${given}`).errorName).toBe('INVALID_PROCEDURE_ARGUMENT');
    expect(read('CALL hive.system.sync()')).toMatchObject({ kind: 'query' });
  });
});

describe('a statement of the engine', () => {
  it.each([
    'SELECT 2',
    '  -- USE a.b\nSELECT 2;',
    '(SELECT 1)',
    'SHOW TABLES',
    'DESCRIBE input',
    'DESCRIBE output.t',
    'INSERT INTO t VALUES (1)',
    'SET x = 1',
    '',
    "'",
  ])('%j is not changed', (sql) => {
    for (const engine of ['duckdb', 'trino'] as const)
      expect(read(sql, { engine })).toEqual({ kind: 'query', sql, timeLimitMs: undefined });
  });

  it('has the smallest time limit of its session', () => {
    const limited = (text: string) => read('SELECT 2', { headers: { 'x-trino-session': text } });
    expect(limited('query_max_run_time=2.00m,query_max_execution_time=5s')).toMatchObject({ timeLimitMs: 5_000 });
    expect(limited('query_max_run_time=1.5ms')).toMatchObject({ timeLimitMs: 2 });
    expect(limited('query_max_run_time=0s')).toMatchObject({ timeLimitMs: 1 });
    expect(limited('query_priority=7')).toMatchObject({ timeLimitMs: undefined });
  });

  it('does not run under a property that would change its result, and the property can be reset', () => {
    const input = { headers: { 'x-trino-session': 'hive.timestamp_precision=NANOSECONDS' } };
    expect(errorOf('SELECT 1', input)).toMatchObject({
      errorName: 'NOT_SUPPORTED',
      message: expect.stringContaining('hive.timestamp_precision'),
    });
    expect(session('RESET SESSION hive.timestamp_precision', input).updateType).toBe('RESET SESSION');
  });

  it('is the catalog’s where the catalog answers it, also with values, which are then DuckDB’s', () => {
    const readCatalogue = (sql: string) =>
      sql.includes('system.jdbc') ? ({ kind: 'catalogue', sql, requires: [], spellings: [] } as const) : undefined;
    const sql = 'SELECT * FROM system.jdbc.types WHERE a = ? AND b = ?';
    const input = { readCatalogue, prepared: { s: sql } };
    expect(read(sql.replaceAll('?', '1'), input).kind).toBe('catalogue');
    const executed = "SELECT * FROM system.jdbc.types WHERE a = 'x' AND b = CAST('1.50' AS DECIMAL(3,2))";
    expect(read("EXECUTE s USING 'x', DECIMAL '1.50'", input)).toEqual({
      kind: 'catalogue',
      sql: executed,
      executed,
      requires: [],
      spellings: [],
    });
  });

  it('is described as its client wrote it, because what describes it reads it again', () => {
    const readCatalogue = (sql: string) => ({ kind: 'catalogue', sql: `rewritten ${sql}` }) as never;
    const input = { readCatalogue, prepared: { s: 'SELECT * FROM system.jdbc.types WHERE a = ?' } };
    const sql = 'SELECT * FROM system.jdbc.types WHERE a = NULL';
    expect(read('DESCRIBE OUTPUT s', input)).toEqual({ kind: 'describe output', sql });
  });
});

describe('a prepared statement', () => {
  it('is kept by the client, unchanged', () => {
    const { updateType, headers } = session('PREPARE "s 1" FROM\n SELECT ?, \'a;b\' -- c\n;');
    const [name = '', value = ''] = String(headers['x-trino-added-prepare']).split('=');
    expect([updateType, decodeURIComponent(name.replaceAll('+', ' '))]).toEqual(['PREPARE', 's 1']);
    expect(HANDLES.read(decodeURIComponent(value.replaceAll('+', ' ')))).toBe("SELECT ?, 'a;b'");
  });

  it('runs with its values, described and deallocated by its name', () => {
    const input = { prepared: { s: 'SELECT ? + ?', Long: `SELECT ${'1 + '.repeat(200)}?` } };
    expect(read('EXECUTE s USING 1, 2', input)).toMatchObject({ kind: 'query', sql: 'SELECT 1 + 2' });
    expect(read('EXECUTE Long USING 1', input)).toMatchObject({ sql: `SELECT ${'1 + '.repeat(200)}1` });
    expect(session('DESCRIBE INPUT s', input).result).toEqual({
      columns: [
        { name: 'Position', type: 'bigint' },
        { name: 'Type', type: 'varchar' },
      ],
      rows: [
        [0, 'unknown'],
        [1, 'unknown'],
      ],
    });
    expect(read('DESCRIBE OUTPUT s', input)).toEqual({
      kind: 'describe output',
      sql: 'SELECT NULL + NULL',
    });
    expect(session('DEALLOCATE PREPARE s', input)).toMatchObject({
      updateType: 'DEALLOCATE',
      headers: { 'x-trino-deallocated-prepare': 's' },
    });
  });

  it('may be a statement of the session', () => {
    expect(read('EXECUTE s', { prepared: { s: 'USE a.b' } })).toMatchObject({ updateType: 'USE', executed: 'USE a.b' });
    expect(read("EXECUTE IMMEDIATE 'SET SESSION a = ''it''''s'''")).toMatchObject({
      headers: { 'x-trino-set-session': 'a=it%27s' },
    });
    expect(read("EXECUTE IMMEDIATE 'SELECT ?' USING 'a'")).toMatchObject({ sql: "SELECT 'a'" });
  });

  it.each([
    ['PREPARE s FROM PREPARE t FROM SELECT 1', 'NOT_SUPPORTED'],
    ['PREPARE s FROM EXECUTE s', 'NOT_SUPPORTED'],
    ['PREPARE s FROM DEALLOCATE PREPARE s', 'NOT_SUPPORTED'],
    ['PREPARE s FROM -- nothing', 'SYNTAX_ERROR'],
    ['PREPARE s SELECT 1', 'SYNTAX_ERROR'],
    ['EXECUTE absent', 'NOT_FOUND'],
    ['EXECUTE S', 'NOT_FOUND'],
    ['DEALLOCATE PREPARE absent', 'NOT_FOUND'],
    ['DESCRIBE INPUT absent', 'NOT_FOUND'],
    ['DESCRIBE OUTPUT absent', 'NOT_FOUND'],
    ["EXECUTE IMMEDIATE 'EXECUTE s'", 'NOT_SUPPORTED'],
    ['EXECUTE evil USING EXECUTE', 'NOT_SUPPORTED'],
    ['EXECUTE s USING 1', 'INVALID_PARAMETER_USAGE'],
    ['EXECUTE s USING 1, 2, 3', 'INVALID_PARAMETER_USAGE'],
    ['EXECUTE s', 'INVALID_PARAMETER_USAGE'],
    ['EXECUTE s USING ?, 1', 'INVALID_PARAMETER_USAGE'],
    ['EXECUTE s USING 1,', 'SYNTAX_ERROR'],
    ['EXECUTE s USING (1, 2', 'SYNTAX_ERROR'],
    ['EXECUTE s USING 1), (2', 'SYNTAX_ERROR'],
    ["EXECUTE s USING 'a, 2", 'SYNTAX_ERROR'],
    ['EXECUTE s USING 1; SELECT 2', 'SYNTAX_ERROR'],
    ['EXECUTE s 1, 2', 'SYNTAX_ERROR'],
  ])('%s is %s', (sql, name) => {
    const prepared = { s: 'SELECT ? + ?', evil: '? s USING 1, 2' };
    for (const engine of ['duckdb', 'trino'] as const) {
      const isValue = engine === 'duckdb' && sql.includes('USING EXECUTE');
      expect(errorOf(sql, { prepared, engine }).errorName).toBe(isValue ? 'NOT_SUPPORTED' : name);
    }
  });

  it('counts both numbers in its refusal', () => {
    expect(errorOf('EXECUTE s USING 1', { prepared: { s: 'SELECT ?, ?, ?' } }).message).toContain(
      'expected 3 but found 1',
    );
  });

  it.each([
    ["EXECUTE IMMEDIATE 'SELECT ?, ?' USING 1", { lineNumber: 1, columnNumber: 20 }],
    ["EXECUTE\n IMMEDIATE '\n  SELECT ?' USING 1, 2", { lineNumber: 3, columnNumber: 3 }],
    ['EXECUTE s', { lineNumber: 1, columnNumber: 1 }],
    ['EXECUTE placed USING 1', { lineNumber: 2, columnNumber: 2 }],
  ])('has the place of the statement in its refusal: %s', (sql, location) => {
    const prepared = { s: 'SELECT ?', placed: '-- two\n SELECT ?, ?' };
    expect(errorOf(sql, { prepared })).toMatchObject({ errorName: 'INVALID_PARAMETER_USAGE', location });
  });

  it.each([
    ['SELECT ?', 1],
    ['  SELECT a FROM t WHERE a = ? AND b = ?', 3],
  ])('is needed for parameters: %s', (sql, columnNumber) => {
    for (const engine of ['duckdb', 'trino'] as const)
      expect(errorOf(sql, { engine })).toMatchObject({
        ...{ errorName: 'INVALID_PARAMETER_USAGE', location: { lineNumber: 1, columnNumber } },
      });
    expect(errorOf('SELECT $name', { engine: 'duckdb' }).errorName).toBe('INVALID_PARAMETER_USAGE');
    expect(read("SELECT '?' -- ? $a\n", { engine: 'duckdb' }).kind).toBe('query');
  });

  it('is refused if its handle is forged', () => {
    const headers = { 'x-trino-prepared-statement': 's=%24sluice1%3AAAAA' };
    expect(errorOf('EXECUTE s', { headers }).errorName).toBe('INVALID_ARGUMENTS');
    expect(session('DEALLOCATE PREPARE s', { headers }).updateType).toBe('DEALLOCATE');
  });
});

describe('on DuckDB', () => {
  it.each([
    ["SELECT X'00ff'", "Write unhex('00ff') instead", 8],
    ["SELECT 1, x'00'", "Write unhex('00') instead", 11],
    ["SELECT TIMESTAMP '2020-01-01 00:00:00 UTC'", "Write TIMESTAMPTZ '2020-01-01 00:00:00 UTC' instead", 18],
    ["SELECT timestamp /* c */ '2020-01-01 00:00:00+02'", 'TIMESTAMPTZ', 26],
    ["SELECT TIMESTAMP '2020-01-01T00:00:00Z'", 'TIMESTAMPTZ', 18],
    ["SELECT TIME '10:00:00+02:00'", 'TIMETZ', 13],
    ['EXPLAIN (TYPE IO, FORMAT JSON) SELECT 1', 'EXPLAIN', 10],
  ])('%s is refused with DuckDB’s form', (sql, sentence, columnNumber) => {
    const error = errorOf(sql, { engine: 'duckdb' });
    expect(error).toMatchObject({ errorName: 'NOT_SUPPORTED', location: { lineNumber: 1, columnNumber } });
    expect(error.message).toContain(sentence);
    expect(read(sql, { engine: 'trino' }).kind).toBe('query');
    expect(errorOf(`PREPARE s FROM ${sql}`, { engine: 'duckdb' }).errorName).toBe('NOT_SUPPORTED');
  });

  it.each([
    "SELECT 'X''00ff'''",
    "SELECT x, '00ff'",
    "SELECT E'x\\'00'",
    "SELECT $$ X'00' $$",
    "-- X'00'\nSELECT 2",
    'SELECT "X\'00\'"',
    "SELECT TIMESTAMP '2020-01-01 00:00:00.123456'",
    "SELECT TIMESTAMP '2020-01-01'",
    "SELECT TIMESTAMPTZ '2020-01-01 00:00:00 UTC'",
    "SELECT TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00 UTC'",
    "SELECT TIME '10:00:00.5'",
    "SELECT timestamp 'infinity'",
    'EXPLAIN SELECT type FROM t',
    'EXPLAIN ANALYZE SELECT 1',
  ])('%s is DuckDB’s to run', (sql) => {
    expect(read(sql, { engine: 'duckdb' })).toMatchObject({ kind: 'query', sql });
  });
});
