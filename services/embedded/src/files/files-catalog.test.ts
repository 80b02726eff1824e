import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFilesCatalog } from './files-catalog.ts';

let work: string;
let data: string;
let lines: string[];

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-files-'));
  data = join(work, 'data');
  lines = [];
  await mkdir(data);
});
afterEach(() => rm(work, { recursive: true }));

const write = async (path: string, content: string): Promise<void> => {
  await mkdir(join(data, path, '..'), { recursive: true });
  await writeFile(join(data, path), content);
};

const make = () =>
  makeFilesCatalog({ dataFolder: data, path: join(work, 'files.duckdb'), announce: (line) => lines.push(line) });

const ask = async (sql: string): Promise<unknown[]> => {
  const instance = await DuckDBInstance.create(join(work, 'files.duckdb'), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

const views = () =>
  ask('SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY schema_name, view_name');

describe('makeFilesCatalog', () => {
  it('makes a view of every kind of file, under its folder and name', async () => {
    await write('a.csv', 'x,y\n1,p\n2,q\n');
    await write('b.tsv', 'x\ty\n1\tp, q\n');
    await write('sales/c.json', '[{"x": 1}, {"x": 2}]');
    await write('sales/north/d.ndjson', '{"x": 1}\n{"x": 2}\n{"x": 3}\n');
    await write('readme.txt', 'no data');
    await make();
    expect(await views()).toEqual([
      ['main', 'a'],
      ['main', 'b'],
      ['sales', 'c'],
      ['sales_north', 'd'],
    ]);
    expect(await ask('SELECT count(*) FROM sales_north.d')).toEqual([['3']]);
    expect(await ask('SELECT y FROM b')).toEqual([['p, q']]);
    expect(lines).toEqual([`Serving 4 files of ${data} as views of the catalog files.`]);
  });

  it('reads Parquet', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT range AS x FROM range(7)) TO '${join(data, 'p.parquet')}'`);
    connection.closeSync();
    await make();
    expect(await ask('SELECT count(*), max(x) FROM p')).toEqual([['7', '6']]);
  });

  it('serves names that are patterns, quotes, keywords or another alphabet', async () => {
    for (const name of ['a*b', 'a[1]?', `o'clock"x`, 'select', 'größe 2024']) await write(`${name}.csv`, 'x\n1\n');
    await write('azb.csv', 'x\n1\n2\n');
    await make();
    expect((await views()).map((row) => (row as string[])[1]).sort()).toEqual(
      ['a*b', 'a[1]?', 'azb', 'größe 2024', `o'clock"x`, 'select'].sort(),
    );
    expect(await ask('SELECT count(*) FROM "a*b"')).toEqual([['1']]);
    expect(await ask('SELECT count(*) FROM "o\'clock""x"')).toEqual([['1']]);
  });

  it('gives files of one name their extension, whichever came first', async () => {
    await write('sales.csv', 'x\n1\n');
    await write('Sales.json', '[{"x": 1}]');
    await write('SALES.csv', 'x\n1\n');
    await make();
    expect(await views()).toEqual([
      ['main', 'SALES_csv'],
      ['main', 'Sales_json'],
      ['main', 'sales_csv_2'],
    ]);
  });

  it('leaves out what cannot be read, says so, and serves the rest', async () => {
    await write('good.csv', 'x\n1\n');
    await write('bad.parquet', 'this is no parquet file');
    await write('bad.json', '{"x": ');
    await make();
    expect(await views()).toEqual([['main', 'good']]);
    expect(lines.filter((line) => line.startsWith('Left out bad.'))).toHaveLength(2);
  });

  it('passes over hidden files and links that lead out of the folder', async () => {
    await write('.hidden/a.csv', 'x\n1\n');
    await writeFile(join(work, 'secret.csv'), 'x\n1\n');
    await symlink(join(work, 'secret.csv'), join(data, 'link.csv'));
    await make();
    expect(await views()).toEqual([]);
  });

  it('sees files that came since the last start', async () => {
    await write('a.csv', 'x\n1\n');
    await make();
    await write('b.csv', 'x\n1\n');
    await make();
    expect(await views()).toEqual([
      ['main', 'a'],
      ['main', 'b'],
    ]);
  });

  it('says which folder does not exist', async () => {
    await rm(data, { recursive: true });
    await expect(make()).rejects.toThrow(`SLUICE_DATA_DIR names a folder that does not exist: ${data}.`);
  });
});
