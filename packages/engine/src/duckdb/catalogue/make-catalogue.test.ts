import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DuckDBInstance } from '../node-api.ts';
import { makeCatalogue } from './make-catalogue.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-catalogue-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const lines = (...objects: readonly object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');

interface Mirror {
  readonly catalogs?: readonly object[];
  readonly schemas?: readonly object[];
  readonly tables?: readonly object[];
  readonly columns?: readonly object[];
}

/** Makes a database of these rows. Returns its path. */
async function make(mirror: Mirror, signal = new AbortController().signal): Promise<string> {
  for (const name of ['catalogs', 'schemas', 'tables', 'columns'] as const)
    await writeFile(join(folder, name), lines(...(mirror[name] ?? [])));
  const database = join(folder, 'catalogue.duckdb');
  await makeCatalogue({ folder, database }, { tempFolder: folder, memoryBytesMax: 512 * 1024 * 1024, signal });
  return database;
}

/** Returns the rows of a statement in a database. Numbers are numbers. */
async function rowsOf(database: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  try {
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const typed = (type: string, index: number): object => ({
  ...{ catalog: 'c', schema: 's', table: 't', name: `c${index}`, position: index + 1 },
  ...{ type, nullable: true, remarks: null },
});

/** Type, then data_type, column_size, decimal_digits, num_prec_radix and char_octet_length of ColumnJdbcTable. */
const FACTS: readonly (readonly [string, number, number | null, number | null, number | null, number | null])[] = [
  ['boolean', 16, null, null, null, null],
  ['tinyint', -6, 3, null, 10, null],
  ['smallint', 5, 5, null, 10, null],
  ['integer', 4, 10, null, 10, null],
  ['bigint', -5, 19, null, 10, null],
  ['real', 7, 24, null, 2, null],
  ['double', 8, 53, null, 2, null],
  ['decimal(38,0)', 3, 38, 0, 10, null],
  ['decimal(12,2)', 3, 12, 2, 10, null],
  ['varchar', 12, 2_147_483_647, null, null, 2_147_483_647],
  ['varchar(25)', 12, 25, null, null, 25],
  ['char(3)', 1, 3, null, null, 3],
  ['varbinary', -3, 2_147_483_647, null, null, 2_147_483_647],
  ['date', 91, 14, null, null, null],
  ['time(0)', 92, 8, 0, null, null],
  ['time(6)', 92, 15, 6, null, null],
  ['time(6) with time zone', 2013, 21, 6, null, null],
  ['timestamp(0)', 93, 21, 0, null, null],
  ['timestamp(6)', 93, 28, 6, null, null],
  ['timestamp(3) with time zone', 2014, 59, 3, null, null],
  ['array(timestamp(3) with time zone)', 2003, null, null, null, null],
  ['json', 2000, null, null, null, null],
  ['uuid', 2000, null, null, null, null],
  ['interval day to second', 2000, null, null, null, null],
];

describe('the database of a mirrored catalog', () => {
  it('has the facts that Trino derives from types', async () => {
    const database = await make({
      catalogs: [{ name: 'c', connector: 'Trino' }],
      columns: FACTS.map(([type], index) => typed(type, index)),
    });
    const sql = `SELECT type_name, data_type, column_size, decimal_digits, num_prec_radix, char_octet_length
      FROM jdbc.columns WHERE table_cat = 'c' AND table_schem = 's' ORDER BY ordinal_position`;
    expect(await rowsOf(database, sql)).toEqual(FACTS);
  });

  it.each([
    ['interval', 'varchar'],
    ['map(varchar,decimal(4,1))', 'map(varchar, decimal(4,1))'],
    ['row(a bigint,b row(c varchar))', 'row(a bigint, b row(c varchar))'],
    ['row("a,b" bigint,"C" row("d" map(varchar,bigint)))', 'row(a,b bigint, C row(d map(varchar, bigint)))'],
  ])('names the type %s as Trino does', async (type, name) => {
    const database = await make({ columns: [typed(type, 0)] });
    const sql = `SELECT type_name FROM jdbc.columns WHERE table_schem = 's'`;
    expect(await rowsOf(database, sql)).toEqual([[name]]);
  });

  it.each([
    ['decimal(12,2)', 'decimal(12, 2)'],
    ['array(row(x bigint,"Odd y" varchar))', 'array(ROW(x bigint, "Odd y" varchar))'],
    ['interval day to second', 'INTERVAL DAY TO SECOND'],
  ])('names the type %s as SHOW CREATE TABLE of Trino does', async (type, name) => {
    const database = await make({ columns: [typed(type, 0)] });
    const sql = `SELECT t.sql_name FROM jdbc.columns c JOIN sluice.types t USING (type_name) WHERE c.table_schem = 's'`;
    expect(await rowsOf(database, sql)).toEqual([[name]]);
  });

  it('has the tables of Trino without any rows of an empty catalog', async () => {
    const database = await make({});
    expect(await rowsOf(database, 'SELECT table_cat FROM jdbc.catalogs')).toEqual([['system']]);
    expect(await rowsOf(database, 'SELECT count(*) FROM "information_schema of system".tables')).toEqual([[21]]);
  });

  it('leaves a mirrored catalog that is called system as it is', async () => {
    const database = await make({
      catalogs: [{ name: 'system', connector: 'Trino' }],
      schemas: [{ catalog: 'system', name: 's' }],
    });
    const sql = 'SELECT table_schem FROM jdbc.schemas ORDER BY 1';
    expect(await rowsOf(database, sql)).toEqual([['information_schema'], ['s']]);
  });

  it('keeps names with any characters', async () => {
    const name = `it's "a" $1; \\ \u{1F600}\n`;
    const database = await make({
      catalogs: [{ name, connector: 'DuckDB' }],
      tables: [{ catalog: name, schema: name, name, type: 'TABLE', remarks: name }],
    });
    const schema = `"information_schema of ${name.replaceAll('"', '""')}"`;
    const sql = `SELECT table_catalog, table_schema, table_name FROM ${schema}.tables WHERE table_schema <> 'information_schema'`;
    expect(await rowsOf(database, sql)).toEqual([[name, name, name]]);
    expect(
      await rowsOf(
        database,
        `SELECT comment FROM metadata.table_comments WHERE catalog_name <> 'system' AND comment IS NOT NULL`,
      ),
    ).toEqual([[name]]);
  });

  it('stops with the reason of its signal', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(make({}, stop.signal)).rejects.toThrow('stopped');
  });
});
