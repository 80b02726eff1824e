import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFilesCatalog } from './files-catalog.ts';
import { startViewCreator } from './view-creator.ts';

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

const announce = (line: string): void => void lines.push(line);

const create = () =>
  createFilesCatalog({
    dataFolder: data,
    path: join(work, 'files.duckdb'),
    announce,
    signal: new AbortController().signal,
  });

const select = async (sql: string): Promise<unknown[]> => {
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
  select('SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY schema_name, view_name');

describe('createFilesCatalog', () => {
  it('creates a view for every supported file, named after its folder and name', async () => {
    await write('a.csv', 'x,y\n1,p\n2,q\n');
    await write('b.tsv', 'x\ty\n1\tp, q\n');
    await write('sales/c.json', '[{"x": 1}, {"x": 2}]');
    await write('sales/north/d.ndjson', '{"x": 1}\n{"x": 2}\n{"x": 3}\n');
    await write('readme.txt', 'no data');
    await create();
    expect(await views()).toEqual([
      ['main', 'a'],
      ['main', 'b'],
      ['sales', 'c'],
      ['sales_north', 'd'],
    ]);
    expect(await select('SELECT count(*) FROM sales_north.d')).toEqual([['3']]);
    expect(await select('SELECT y FROM b')).toEqual([['p, q']]);
    expect(lines).toEqual([`Serving 4 files of ${data} as views in the catalog files.`]);
  });

  it('reads Parquet', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT range AS x FROM range(7)) TO '${join(data, 'p.parquet')}'`);
    connection.closeSync();
    await create();
    expect(await select('SELECT count(*), max(x) FROM p')).toEqual([['7', '6']]);
  });

  it('serves files whose names contain patterns, quotes, keywords or non-ASCII letters', async () => {
    for (const name of ['a*b', 'a[1]?', `o'clock"x`, 'select', 'größe 2024']) await write(`${name}.csv`, 'x\n1\n');
    await write('azb.csv', 'x\n1\n2\n');
    await create();
    expect((await views()).map((row) => (row as string[])[1]).sort()).toEqual(
      ['a*b', 'a[1]?', 'azb', 'größe 2024', `o'clock"x`, 'select'].sort(),
    );
    expect(await select('SELECT count(*) FROM "a*b"')).toEqual([['1']]);
    expect(await select('SELECT count(*) FROM "o\'clock""x"')).toEqual([['1']]);
  });

  it('adds the extension to views of files with the same name, in any order', async () => {
    await write('sales.csv', 'x\n1\n');
    await write('Sales.json', '[{"x": 1}]');
    await write('SALES.csv', 'x\n1\n');
    await create();
    expect(await views()).toEqual([
      ['main', 'SALES_csv'],
      ['main', 'Sales_json'],
      ['main', 'sales_csv_2'],
    ]);
  });

  it('skips and announces unreadable files and serves the others', async () => {
    await write('good.csv', 'x\n1\n');
    await write('bad.parquet', 'this is not a parquet file');
    await write('bad.json', '{"x": ');
    await create();
    expect(await views()).toEqual([['main', 'good']]);
    expect(lines.filter((line) => line.startsWith('Skipped bad.'))).toHaveLength(2);
  });

  it('skips and announces JSON that is nested too deeply or crashes the engine, and serves the others', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    await write('brackets.json', `["${'['.repeat(2_000)}\\""]`);
    // The levels are beyond the part of the file that is checked.
    await write('crash.json', `[{"x":"${' '.repeat(16 * 1024 * 1024)}"},${nested(100_000)}]`);
    await write('deep.json', nested(100_000));
    await write('deeper.ndjson', `{"x":1}\n${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}\n`);
    await write('good.json', nested(1_000));
    await create();
    expect(lines.slice(0, 3)).toEqual([
      'Skipped crash.json: the process that read it crashed (SIGSEGV).',
      'Skipped deep.json: it is nested more than 1,000 levels deep.',
      'Skipped deeper.ndjson: it is nested more than 1,000 levels deep.',
    ]);
    expect(await views()).toEqual([
      ['main', 'brackets'],
      ['main', 'good'],
    ]);
  });

  it('skips and announces files with more than 10,000 columns', async () => {
    const names = Array.from({ length: 150_000 }, (_, index) => `c${index}`);
    await write('wide.csv', `${names.join(';')}\n${names.join(';')}\n`);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const columns = names.slice(0, 10_001).map((name) => `1 AS ${name}`);
    await connection.run(`COPY (SELECT ${columns.join(', ')}) TO '${join(data, 'wide.parquet')}'`);
    connection.closeSync();
    await create();
    expect(await views()).toEqual([]);
    const reason = 'it has more than 10,000 columns.';
    expect(lines.slice(0, 2)).toEqual([`Skipped wide.csv: ${reason}`, `Skipped wide.parquet: ${reason}`]);
  });

  it('ends the wait for a pipe that has taken the place of a file', async () => {
    const path = join(data, 'a.csv');
    execFileSync('mkfifo', [path]);
    await using creator = await startViewCreator(join(work, 'files.duckdb'), new AbortController().signal);
    const file = { path, relativePath: 'a.csv', extension: '.csv', bytes: 6 };
    expect(await creator.create({ schema: 'main', view: 'a', file }, 0.1)).toBe('reading it took more than 0.1 s.');
    expect(creator.hasEnded).toBe(true);
  });

  it('ends with the reason of an abort, and leaves no database', async () => {
    await write('a.csv', 'x\n1\n');
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(
      createFilesCatalog({ dataFolder: data, path: join(work, 'files.duckdb'), announce, signal }),
    ).rejects.toThrow('Ctrl-C');
    expect(await readdir(work)).toEqual(['data']);
  });

  it('ignores hidden files and links that lead out of the folder', async () => {
    await write('.hidden/a.csv', 'x\n1\n');
    await writeFile(join(work, 'secret.csv'), 'x\n1\n');
    await symlink(join(work, 'secret.csv'), join(data, 'link.csv'));
    await create();
    expect(await views()).toEqual([]);
  });

  it('includes files that were added since the last start', async () => {
    await write('a.csv', 'x\n1\n');
    await create();
    await write('b.csv', 'x\n1\n');
    await create();
    expect(await views()).toEqual([
      ['main', 'a'],
      ['main', 'b'],
    ]);
  });

  it('throws with the name of a folder that does not exist', async () => {
    await rm(data, { recursive: true });
    await expect(create()).rejects.toThrow(`SLUICE_DATA_DIR names a folder that does not exist: ${data}.`);
  });
});
