import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '../../../testing/make-duckdb-file.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { PlainDuckDb } from '../../../testing/plain-duckdb.ts';
import { type ReadOptions, readResult } from '../../../testing/read-result.ts';
import { checkStatement } from '../checked-statement.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';
import { DuckDb } from '../instance.ts';
import type { DuckDbProfile } from '../profile.ts';

const DATA = `
  CREATE TABLE numbers AS SELECT range AS n, 'text ' || range AS t FROM range(5000);
  CREATE TABLE moments AS SELECT TIMESTAMPTZ '2026-10-25 00:30:00+00' AS instant;
  CREATE TABLE mixed AS SELECT CASE WHEN range = 4000 THEN 'melted' ELSE range::VARCHAR END AS t FROM range(5000);
  CREATE TABLE one AS SELECT 1 AS n;
  CREATE TABLE computed (n INTEGER, computed_at TIMESTAMP GENERATED ALWAYS AS (current_localtimestamp()));
  INSERT INTO computed VALUES (1);
  CREATE VIEW viewed AS SELECT n, localtimestamp AS viewed_at FROM one`;

let folder: string;
let profile: DuckDbProfile;
let engine: DuckDbEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kept-'));
  profile = await profileOf('first', DATA);
  engine = await DuckDbEngine.open(profile);
});
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a database and returns a profile with it as the default catalog `data`. */
async function profileOf(name: string, sql: string): Promise<DuckDbProfile> {
  const path = join(folder, `${name}.duckdb`);
  await makeDuckDbFile(path, sql);
  return { ...EMPTY_DUCKDB, catalogs: [{ name: 'data', path }], defaultCatalog: 'data' };
}

const read = (sql: string, options: Partial<ReadOptions> = {}) =>
  readResult(engine, sql, { format: { name: 'json' }, ...options });
const rowsOf = async (sql: string, options: Partial<ReadOptions> = {}): Promise<string> =>
  (await read(sql, options)).rowsText;

describe('a statement that runs again', () => {
  const FIRST = 'SELECT n FROM numbers LIMIT 3';

  it('returns the same rows with every time zone, size and format, in any order', async () => {
    const instant = 'SELECT instant FROM moments LIMIT 1';
    const expected = new Map([
      ['UTC', '{"instant":"2026-10-25 00:30:00.000000 UTC"}'],
      ['Europe/Berlin', '{"instant":"2026-10-25 02:30:00.000000 +02:00"}'],
    ]);
    for (const timeZone of ['UTC', 'Europe/Berlin', 'UTC', 'UTC', 'Europe/Berlin'])
      expect(await rowsOf(instant, { timeZone })).toBe(expected.get(timeZone));
    for (const rowsMax of [1, 4, 2, 4, 5_000, 1]) {
      const { rows, limited } = await read('SELECT n FROM numbers', { rowsMax });
      expect({ rows, limited }).toEqual({ rows: rowsMax, limited: rowsMax < 5_000 });
    }
    for (const name of ['json', 'csv', 'sse', 'ndjson', 'json'] as const) {
      using plain = await PlainDuckDb.open(profile);
      const [again, first] = [
        await readResult(engine, FIRST, { format: { name } }),
        await readResult(plain, FIRST, { format: { name } }),
      ];
      expect(again.body).toBe(first.body);
    }
  });

  it('is right after a cancellation and after a failure of the same SQL', async () => {
    const all = 'SELECT n, t FROM numbers';
    const expected = await rowsOf(all);
    const leaving = new AbortController();
    const run = engine.run(
      { sql: all, queryId: 'q', user: 'u', timeZone: 'UTC' },
      () => {
        leaving.abort(new Error('left'));
        throw new Error('left');
      },
      leaving.signal,
    );
    await expect(
      run[Symbol.asyncIterator]()
        .next()
        .then(() => rowsUntilEnd(run)),
    ).rejects.toThrow('left');
    expect(await rowsOf(all)).toBe(expected);
    const failing = 'SELECT CAST(t AS INTEGER) AS n FROM mixed';
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(read(failing)).rejects.toMatchObject({ code: 'data_error' });
      await expect(read(`${failing} LIMIT 1000 OFFSET 3500`)).rejects.toMatchObject({ code: 'data_error' });
      expect(await rowsOf(`${failing} LIMIT 2`)).toBe('{"n":0},\n{"n":1}');
    }
  });

  it('is right among more statements than are kept', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      for (let n = 0; n < 80; n += 1)
        expect(await rowsOf(`SELECT n FROM numbers WHERE n = ${n} LIMIT 5`)).toBe(`{"n":${n}}`);
  });

  it('reads the data of its own engine, after another one with the same catalog name', async () => {
    expect(await rowsOf(FIRST)).toBe('{"n":0},\n{"n":1},\n{"n":2}');
    const second = await DuckDbEngine.open(await profileOf('second', "CREATE TABLE numbers AS SELECT 'other' AS n"));
    expect((await readResult(second, FIRST, { format: { name: 'json' } })).rowsText).toBe('{"n":"other"}');
    await second[Symbol.asyncDispose]();
    const third = await DuckDbEngine.open(await profileOf('third', 'CREATE TABLE others AS SELECT 1 AS n'));
    await expect(readResult(third, FIRST, { format: { name: 'json' } })).rejects.toMatchObject({
      code: 'table_not_found',
    });
    await third[Symbol.asyncDispose]();
  });

  it('is rejected again if the guard rejects it', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(read('SELECT * FROM duckdb_settings()')).rejects.toMatchObject({ code: 'read_only' });
      await expect(read('SELECT current_setting(t) FROM numbers LIMIT 1')).rejects.toMatchObject({ code: 'read_only' });
      await expect(read('SELECT missing FROM numbers LIMIT 1')).rejects.toMatchObject({ code: 'column_not_found' });
    }
  });
});

async function rowsUntilEnd(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

describe('a kept prepared statement', () => {
  it('exists for repeated scans of tables only, at most 64 of a session', async () => {
    using duckDb = await DuckDb.open(profile);
    using session = await duckDb.connect('UTC');
    const keptAfter = async (sql: string): Promise<number> => {
      for (let turn = 0; turn < 2; turn += 1) {
        const { prepared } = await checkStatement(duckDb, session, { sql });
        prepared[Symbol.dispose]();
      }
      return session.keptCount;
    };
    expect(await keptAfter('SELECT t, n + 1 FROM numbers WHERE upper(t) <> t LIMIT 5')).toBe(1);
    const others = [
      'SELECT count(*) FROM numbers',
      'SELECT DISTINCT t FROM numbers',
      'SELECT n FROM numbers ORDER BY n LIMIT 1',
      'SELECT a.n FROM numbers a JOIN numbers b USING (n) LIMIT 1',
      'SELECT (SELECT max(n) FROM numbers) AS m FROM one',
      'WITH a AS (SELECT n FROM numbers) SELECT n FROM a',
      'SELECT n FROM viewed',
      'SELECT n FROM computed',
      'SELECT n FROM numbers USING SAMPLE 3 ROWS',
      'EXPLAIN SELECT n FROM numbers',
      `SELECT n FROM numbers WHERE n IN (${'1,'.repeat(3_000)}2)`,
      `SELECT ${'*, '.repeat(150)} n FROM numbers`,
    ];
    for (const sql of others) expect([sql, await keptAfter(sql)]).toEqual([sql, 1]);
    for (let n = 0; n < 100; n += 1) await keptAfter(`SELECT n FROM numbers WHERE n = ${n}`);
    expect(session.keptCount).toBe(64);
    expect(duckDb.defaultScope.accepted.size).toBe(64);
  });
});
