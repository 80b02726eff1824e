import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '../../../testing/make-duckdb-file.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { type ReadOptions, readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

type Namespace = Pick<ReadOptions, 'catalog' | 'schema'>;

/** Tables that say where they are. */
const tableIn = (place: string, name: string): string => `CREATE TABLE ${name} AS SELECT '${place}' AS place;`;

let folder: string;
let engine: DuckDbEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-scope-'));
  const one = join(folder, 'one.duckdb');
  const two = join(folder, 'two.duckdb');
  await makeDuckDbFile(
    one,
    `CREATE SCHEMA s; CREATE SCHEMA two; CREATE SCHEMA "Odd "" name";
     ${tableIn('one.main', 'main.t')} ${tableIn('one.s', 's.t')} ${tableIn('one.two', 'two.t')}
     ${tableIn('one.odd', '"Odd "" name".t')} ${tableIn('one.main', 'main.only_main')}
     ${tableIn('one.main', 'main.duckdb_settings')}
     CREATE VIEW main.v AS SELECT place FROM t; CREATE VIEW s.v AS SELECT place FROM t;`,
  );
  await makeDuckDbFile(
    two,
    `CREATE SCHEMA s; ${tableIn('two.main', 'main.t')} ${tableIn('two.s', 's.t')} ${tableIn('two.s', 's.u')}`,
  );
  engine = await DuckDbEngine.open({
    ...EMPTY_DUCKDB,
    catalogs: [
      { name: 'one', path: one },
      { name: 'two', path: two },
    ],
    defaultCatalog: 'one',
  });
});
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const placeOf = async (sql: string, namespace: Namespace = {}): Promise<string> =>
  (await readResult(engine, sql, { format: { name: 'csv' }, ...namespace })).rowsText.trim();
const tablesOf = async (sql: string, namespace: Namespace = {}): Promise<readonly string[] | undefined> =>
  (
    await engine.namedTables(
      { sql, queryId: 'q', user: 'u', timeZone: 'UTC', ...namespace },
      new AbortController().signal,
    )
  )?.map(({ catalog, schema, name }) => `${catalog}.${schema}.${name}`);
const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code;
  }
  return 'none';
};

describe('the schema of a statement', () => {
  it.each<[Namespace, string]>([
    [{}, 'one.main'],
    [{ schema: 'S' }, 'one.s'],
    [{ catalog: 'TWO' }, 'two.main'],
    [{ catalog: 'two', schema: 's' }, 'two.s'],
    [{ catalog: 'one' }, 'one.main'],
    [{ schema: 'odd " NAME' }, 'one.odd'],
    [{}, 'one.main'],
  ])('%j is where its unqualified names are, and where the guard looks for them', async (namespace, place) => {
    const spelled = place === 'one.odd' ? 'one.Odd " name' : place;
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await placeOf('SELECT place FROM t', namespace)).toBe(place);
      expect(await tablesOf('SELECT place FROM t', namespace)).toEqual([`${spelled}.t`]);
    }
  });

  it.each([
    ['SELECT place FROM s.t', { catalog: 'two' }, 'two.s'],
    ['SELECT place FROM one.t', { catalog: 'two' }, 'one.main'],
    ['SELECT place FROM two.t', { schema: 's' }, 'refused'],
    ['SELECT place FROM one.t', { catalog: 'two', schema: 's' }, 'one.main'],
    ['SELECT place FROM one.s.t', { catalog: 'two', schema: 's' }, 'one.s'],
    ['SELECT place FROM v', { schema: 's' }, 'one.s'],
    ['SELECT place FROM one.v', { catalog: 'two', schema: 's' }, 'one.main'],
    ['SELECT place FROM only_main', { schema: 's' }, 'one.main'],
    ['SELECT place FROM main.t', { schema: 's' }, 'one.main'],
  ])('%s in %j reads what its record names', async (sql, namespace, place) => {
    const code = await codeOf(placeOf(sql, namespace));
    if (place === 'refused') {
      expect(['table_not_found', 'semantic_error', 'read_only']).toContain(code);
      return;
    }
    expect(await placeOf(sql, namespace)).toBe(place);
    expect((await tablesOf(sql, namespace))?.some((table) => table.startsWith(`${place}.`))).toBe(true);
  });

  it('never opens a view of the engine, whatever the names of tables are', async () => {
    for (const sql of ['SELECT * FROM duckdb_settings', 'SELECT * FROM main.duckdb_settings', 'FROM duckdb_settings()'])
      for (const namespace of [{ schema: 's' }, { catalog: 'two', schema: 's' }, { catalog: 'two' }]) {
        const text = await placeOf(sql, namespace).catch(() => '');
        expect(text.replace('one.main', '')).toBe('');
      }
  });

  it.each<Namespace>([
    { schema: 'nope' },
    { catalog: 'nope' },
    { catalog: 'two', schema: 'nope' },
    { catalog: 'system', schema: 'main' },
    { catalog: 'temp' },
    { schema: 'information_schema' },
    { schema: 'pg_catalog' },
    { schema: "s\"; ATTACH 'x'; --" },
  ])('%j is refused if it is not the tenant’s', async (namespace) => {
    expect(await codeOf(placeOf('SELECT 1', namespace))).toBe('table_not_found');
    expect(await codeOf(tablesOf('SELECT 1', namespace))).toBe('table_not_found');
    expect(await placeOf('SELECT place FROM t')).toBe('one.main');
  });
});
