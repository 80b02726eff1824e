import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FilesCatalog } from './files-catalog.ts';
import { startFileReader } from './reader-process.ts';
import { type FilesRefresh, summaryLines } from './report-files.ts';

let work: string;
let data: string;
let catalog: FilesCatalog;
let merge: 'off' | 'folder';

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-files-'));
  data = join(work, 'data');
  merge = 'off';
  await mkdir(data);
});
afterEach(() => rm(work, { recursive: true }));

const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(join(data, path, '..'), { recursive: true });
  await writeFile(join(data, path), content);
};

const open = (signal = new AbortController().signal): FilesCatalog =>
  new FilesCatalog({
    dataFolder: data,
    merge,
    path: join(work, 'files.duckdb'),
    reportPath: join(work, 'files.json'),
    signal,
  });

/** Reads the folder as a start does. */
const create = (): Promise<FilesRefresh> => {
  catalog = open();
  return catalog.refresh({ waits: false });
};

/** Problems by path. */
const problemsOf = ({ files }: FilesRefresh): Record<string, string> =>
  Object.fromEntries(files.flatMap(({ path, problem }) => (problem === null ? [] : [[path, problem]])));

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

/** Writes a Parquet file. */
const copy = async (sql: string, path: string): Promise<void> => {
  await mkdir(dirname(join(data, path)), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${sql}) TO '${join(data, path)}'`);
  connection.closeSync();
  instance.closeSync();
};

const views = async (): Promise<[string, string][]> =>
  (await select(
    'SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY schema_name, view_name',
  )) as [string, string][];

describe('FilesCatalog', () => {
  it('creates a view for every supported file, named after its folder and name', async () => {
    await write('a.csv', 'x,y\n1,p\n2,q\n');
    await write('b.tsv', 'x\ty\n1\tp, q\n');
    await write('sales/c.json', '[{"x": 1}, {"x": 2}]');
    await write('sales/north/d.ndjson', '{"x": 1}\n{"x": 2}\n{"x": 3}\n');
    await write('e.jsonl', '{"x": 1}\n{"x": 2}\n');
    await write('readme.txt', 'no data');
    const { files, viewCount } = await create();
    expect(await views()).toEqual([
      ['main', 'a'],
      ['main', 'b'],
      ['main', 'e'],
      ['sales', 'c'],
      ['sales_north', 'd'],
    ]);
    expect(await select('SELECT count(*) FROM sales_north.d')).toEqual([['3']]);
    expect(await select('SELECT y FROM b')).toEqual([['p, q']]);
    expect(viewCount).toBe(5);
    const known = { state: 'served', bytes: expect.any(Number), modified_ts: expect.any(Number), problem: null };
    const csv = { ...known, format: 'csv', compression: null, header: true, encoding: 'UTF-8' };
    expect(files).toEqual([
      { ...csv, path: 'a.csv', view: 'files.main.a', rows: 2, columns: 2, separator: ',' },
      { ...csv, path: 'b.tsv', view: 'files.main.b', rows: 1, columns: 2, separator: '\t' },
      expect.objectContaining({ path: 'e.jsonl', format: 'ndjson', rows: 2, columns: 1, header: null }),
      expect.objectContaining({ path: 'sales/c.json', view: 'files.sales.c', format: 'json', rows: 2 }),
      expect.objectContaining({ path: 'sales/north/d.ndjson', view: 'files.sales_north.d', rows: 3 }),
    ]);
    expect(JSON.parse(await readFile(join(work, 'files.json'), 'utf8'))).toEqual(files);
  });

  it('reads text formats that are compressed with gzip and Zstandard', async () => {
    const csv = 'x,y\n1,"p, q"\n2,r\n';
    await write('a.csv.gz', gzipSync(csv));
    await write('b.tsv.gz', gzipSync('x\ty\n1\tp\n'));
    await write('c.json.gz', gzipSync('[{"x": 1}, {"x": 2}]'));
    await write('d.jsonl.gz', gzipSync('{"x": 1}\n'));
    // The same text, compressed by the command zstd.
    await write('e.csv.zst', Buffer.from('KLUv/QRYiQAAeCx5CjEsInAsIHEiCjIscgrPRYPE', 'base64'));
    await write('a.csv', 'x\n1\n');
    const { files } = await create();
    expect(files.map(({ path, view, rows, compression }) => [path, view, rows, compression])).toEqual([
      ['a.csv', 'files.main.a_csv', 1, null],
      ['a.csv.gz', 'files.main.a_csv_gz', 2, 'gzip'],
      ['b.tsv.gz', 'files.main.b', 1, 'gzip'],
      ['c.json.gz', 'files.main.c', 2, 'gzip'],
      ['d.jsonl.gz', 'files.main.d', 1, 'gzip'],
      ['e.csv.zst', 'files.main.e', 2, 'zstd'],
    ]);
    expect(await select('SELECT y FROM e ORDER BY x')).toEqual([['p, q'], ['r']]);
  });

  it('serves no file as another table than its author wrote, and says what to do', async () => {
    await write('ragged.csv', 'a,b,c\n1,2\n3,4,5,6\n7,8,9\n');
    await write('long.csv', 'a,b,c\n1,2,3\n3,4,5,6\n');
    await write('names.csv', 'name\nSmith, John\nDoe, Jane\n');
    await write('title.csv', 'Report of May\n\na;b\n1;2\n3;4\n');
    await write('quote.csv', 'a,b\n1,"open\n2,3\n');
    await write('inner.csv', 'a,b\n1,"x" y\n');
    await write('latin1.csv', Buffer.from('a,b\n1,x\n2,\xe9t\xe9\n', 'latin1'));
    await write('latin1.ndjson', Buffer.from('{"a":"x"}\n{"a":"\xe9t\xe9"}\n', 'latin1'));
    await write('utf16.csv', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'));
    await write('utf16.json', Buffer.from('[{"a":1}]', 'utf16le'));
    await write('packed.csv.gz', gzipSync('a,b\n1,2\n3\n'));
    await write('book.xlsx', 'PK');
    await write('half.json', '{"x": ');
    await write('bad.parquet', 'this is not a parquet file');
    await write('good.csv', 'x\n1\n');
    const found = await create();
    expect(await views()).toEqual([['main', 'good']]);
    expect(problemsOf(found)).toEqual({
      'ragged.csv': 'line 2 has 2 values, the header has 3.',
      'long.csv': 'line 3 has 4 values, the header has 3.',
      'names.csv': 'line 2 has 2 values, the header has 1.',
      'title.csv': 'line 3 has 2 values, the header has 1.',
      'quote.csv': 'line 2 has a quote that is not closed.',
      'inner.csv': 'line 2 has text after a closing quote: double the quotes inside a quoted value.',
      'latin1.csv': 'is not UTF-8 in line 3: convert it with iconv -f latin1 -t utf-8.',
      'latin1.ndjson': 'is not UTF-8 in line 2: convert it with iconv -f latin1 -t utf-8.',
      'utf16.csv': 'is not UTF-8 but UTF-16: convert it with iconv -f utf-16 -t utf-8.',
      'utf16.json': expect.stringMatching(/^is not UTF-8: it has NUL bytes\. .*iconv -f utf-16le/),
      'packed.csv.gz': 'line 3 has 1 value, the header has 2.',
      'book.xlsx': 'is a workbook, which is not read: save its sheets as CSV.',
      'half.json': expect.stringMatching(/^cannot be read: .*Malformed JSON in file "half\.json"/),
      'bad.parquet': expect.stringMatching(/^cannot be read: .*'bad\.parquet'/),
    });
  });

  it('finds the separator and the header of files that other programs write', async () => {
    await write('semicolons.csv', 'name;value\nx;1,5\ny;2,5\n');
    await write('quoted.csv', '"a, b","c"\n"1, 2","say ""hi"""\n');
    await write('bare.csv', '1,2\n3,4\n');
    await write('windows.csv', '\ufeffa,b\r\n1,x\r\n\r\n2,y\r\n');
    await write('trailing.csv', 'a,b\n1,x,\n');
    await write('one.csv', 'x\n1\n2\n');
    const { files } = await create();
    expect(files.map(({ path, separator, header, rows, columns }) => [path, separator, header, rows, columns])).toEqual(
      [
        ['bare.csv', ',', false, 2, 2],
        ['one.csv', ',', true, 2, 1],
        ['quoted.csv', ',', true, 1, 2],
        ['semicolons.csv', ';', true, 2, 2],
        ['trailing.csv', ',', true, 1, 2],
        ['windows.csv', ',', true, 2, 2],
      ],
    );
    expect(await select('SELECT c FROM quoted')).toEqual([['say "hi"']]);
  });

  it('reads Parquet', async () => {
    await copy('SELECT range AS x FROM range(7)', 'p.parquet');
    const { files } = await create();
    expect(files).toMatchObject([{ rows: 7, columns: 1, format: 'parquet', encoding: null }]);
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

  it('reports JSON that is nested too deeply or crashes the engine, and serves the others', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    await write('brackets.json', `["${'['.repeat(2_000)}\\""]`);
    // The levels are beyond the part of the file that is checked.
    await write('crash.json', `[{"x":"${' '.repeat(16 * 1024 * 1024)}"},${nested(100_000)}]`);
    await write('deep.json', nested(100_000));
    await write('deeper.ndjson', `{"x":1}\n${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}\n`);
    await write('good.json', nested(1_000));
    expect(problemsOf(await create())).toEqual({
      'crash.json': 'cannot be read: the process that read it crashed (SIGSEGV).',
      'deep.json': 'is nested more than 1,000 levels deep.',
      'deeper.ndjson': 'is nested more than 1,000 levels deep.',
    });
    expect(await views()).toEqual([
      ['main', 'brackets'],
      ['main', 'good'],
    ]);
  });

  it('reports files with more than 10,000 columns', async () => {
    const names = Array.from({ length: 150_000 }, (_, index) => `c${index}`);
    await write('wide.csv', `${names.join(';')}\n${names.join(';')}\n`);
    await copy(`SELECT ${names.slice(0, 10_001).map((name) => `1 AS ${name}`)}`, 'wide.parquet');
    const problem = 'has more than 10,000 columns.';
    expect(problemsOf(await create())).toEqual({ 'wide.csv': problem, 'wide.parquet': problem });
    expect(await views()).toEqual([]);
  });

  it('ends the wait for a pipe that has taken the place of a file', async () => {
    const path = join(data, 'a.csv');
    execFileSync('mkfifo', [path]);
    const { signal } = new AbortController();
    await using reader = await startFileReader({ database: ':memory:', signal, secondsMax: 0.1 });
    const names = { path, relativePath: 'a.csv', stem: 'a', extension: 'csv' };
    const file = { ...names, format: 'csv', compression: null, bytes: 6, modifiedMs: 0, stamp: '' } as const;
    expect(await reader.read(file)).toEqual({ problem: 'cannot be read: that took more than 0.1 s.' });
    expect(problemsOf(await create())).toEqual({ 'a.csv': 'is not a regular file, so it is not read.' });
  });

  it('ends with the reason of an abort, and leaves no database', async () => {
    await write('a.csv', 'x\n1\n');
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(open(signal).refresh({ waits: false })).rejects.toThrow('Ctrl-C');
    expect(await readdir(work)).toEqual(['data']);
  });

  it('ignores hidden files, and reports links that lead out of the folder', async () => {
    await write('.hidden/a.csv', 'x\n1\n');
    await writeFile(join(work, 'secret.csv'), 'x\n1\n');
    await symlink(join(work, 'secret.csv'), join(data, 'link.csv'));
    expect(problemsOf(await create())).toEqual({
      'link.csv': 'is a link that leads out of the folder, so it is not read.',
    });
    expect(await views()).toEqual([]);
  });

  it('throws with the name of a folder that does not exist', async () => {
    await rm(data, { recursive: true });
    await expect(create()).rejects.toThrow(`SLUICE_DATA_DIR names a folder that does not exist: ${data}.`);
  });
});

describe('a refresh', () => {
  it('serves files that came, and no longer those that went or became unreadable', async () => {
    await write('a.csv', 'x\n1\n');
    await write('b.csv', 'x\n1\n');
    await write('c.csv', 'x\n1\n');
    await create();
    const before = await DuckDBInstance.create(join(work, 'files.duckdb'), { access_mode: 'READ_ONLY' });
    await rm(join(data, 'a.csv'));
    await write('b.csv', 'x,y\n1\n');
    await write('c.csv', 'x,y\n1,2\n');
    await write('sub/d.csv', 'x\n1\n');
    const changed = await catalog.refresh({ waits: false });
    expect(changed.files.map(({ path, view }) => [path, view])).toEqual([
      ['b.csv', null],
      ['c.csv', 'files.main.c'],
      ['sub/d.csv', 'files.sub.d'],
    ]);
    expect(await views()).toEqual([
      ['main', 'c'],
      ['sub', 'd'],
    ]);
    expect(await select('SELECT x, y FROM c')).toEqual([['1', '2']]);
    // A process that had opened the database before still has its views.
    const connection = await before.connect();
    const names = await connection.runAndReadAll('SELECT view_name FROM duckdb_views() WHERE NOT internal');
    expect(names.getRows()).toEqual([['a'], ['b'], ['c']]);
    connection.closeSync();
    before.closeSync();
    expect((await readdir(work)).sort()).toEqual(['data', 'files.duckdb', 'files.json']);
  });

  it('replaces nothing when nothing changed, and only the list when rows were added', async () => {
    await write('a.csv', 'x\n1\n');
    await create();
    const stampOf = async (name: string): Promise<unknown> => (await stat(join(work, name))).ino;
    const stamps = [await stampOf('files.duckdb'), await stampOf('files.json')];
    expect((await catalog.refresh({ waits: true })).isChanged).toBe(false);
    expect([await stampOf('files.duckdb'), await stampOf('files.json')]).toEqual(stamps);
    await write('a.csv', 'x\n1\n2\n');
    expect(await catalog.refresh({ waits: false })).toMatchObject({ isChanged: true, files: [{ rows: 2 }] });
    expect(await stampOf('files.duckdb')).toBe(stamps[0]);
  });

  it('leaves a file that may still be written for the next one', async () => {
    await write('a.csv', 'x\n1\n');
    await create();
    await write('a.csv', 'x\n1\n2\n');
    await write('b.csv', 'x\n1\n');
    expect((await catalog.refresh({ waits: true })).files).toMatchObject([{ path: 'a.csv', rows: 1 }]);
    const old = new Date(Date.now() - 60_000);
    for (const name of ['a.csv', 'b.csv']) await utimes(join(data, name), old, old);
    expect((await catalog.refresh({ waits: true })).files).toMatchObject([
      { path: 'a.csv', rows: 2 },
      { path: 'b.csv', rows: 1 },
    ]);
  });

  it('reads a file that is modified all the time, unless half of it would make a view of several unavailable', async () => {
    await write('days/k=1/a.csv', 'x\n1\n');
    await create();
    const counts: (number | null | undefined)[] = [];
    for (let look = 0; look < 4; look += 1) {
      await write('log.csv', 'x\n1\n2\n');
      await write('days/k=2/a.csv', 'x\n1\n');
      // A little ahead, for a machine that is busy.
      const now = new Date(Date.now() + 1_000);
      for (const name of ['log.csv', 'days/k=2/a.csv']) await utimes(join(data, name), now, now);
      const { files } = await catalog.refresh({ waits: true });
      counts.push(files.find(({ path }) => path === 'log.csv')?.rows);
      expect(files.filter(({ view }) => view === 'files.main.days')).toHaveLength(1);
    }
    expect(counts).toEqual([undefined, undefined, 2, 2]);
  });

  it('keeps the views when the folder cannot be read', async () => {
    await write('a.csv', 'x\n1\n');
    await create();
    await rename(data, join(work, 'away'));
    await expect(catalog.refresh({ waits: true })).rejects.toThrow('names a folder that does not exist');
    expect(await views()).toEqual([['main', 'a']]);
    await rename(join(work, 'away'), data);
    expect(await catalog.refresh({ waits: true })).toMatchObject({ viewCount: 1 });
  });

  it('takes over what reading a large file completely found', async () => {
    const rows = `${'1,some text\n'.repeat(1_500_000)}`;
    await write('good.csv', `a,b\n${rows}2.5,x\n`);
    await write('ragged.csv', `a,b\n${rows}1\n`);
    const first = await create();
    expect(first.files).toMatchObject([
      { state: 'served', rows: null },
      { state: 'served', rows: null },
    ]);
    expect([await catalog.readNextLargeFile(), await catalog.readNextLargeFile()]).toEqual([true, true]);
    expect(await catalog.readNextLargeFile()).toBe(false);
    const { files } = await catalog.refresh({ waits: true });
    expect(files).toMatchObject([
      { state: 'served', rows: 1_500_001 },
      { state: 'problem', problem: 'line 1500002 has 1 value, the header has 2.' },
    ]);
    expect(await select('SELECT max(a) FROM good')).toEqual([[2.5]]);
    expect(await views()).toEqual([['main', 'good']]);
  });
});

describe('files of one folder', () => {
  it('are one view below key=value folders, with typed columns of the keys', async () => {
    await copy('SELECT 1 AS x, 9 AS year', 'sales/year=2023/month=01/p.parquet');
    await copy("SELECT 2 AS x, 9 AS year, 'new' AS y", 'sales/year=2024/month=02/p.parquet');
    await write('days/day=2024-01-31/a.csv', 'v\n1\n');
    await write('days/day=2024-02-01/a.csv', 'v\n1.5\n');
    await write('days/day=2024-02-01/b.csv.gz', gzipSync('v\n2\n'));
    await write('codes/k=a%20b/a.ndjson', '{"v": 1}\n');
    await write('codes/k=1/a.ndjson', '{"v": 2, "w": true}\n');
    await write('codes/k=1/_SUCCESS', '');
    const { files, viewCount } = await create();
    expect(viewCount).toBe(3);
    expect(files.filter(({ view }) => view === 'files.main.days')).toHaveLength(3);
    expect(await views()).toEqual([
      ['main', 'codes'],
      ['main', 'days'],
      ['main', 'sales'],
    ]);
    expect(await select('SELECT x, y, year, month, typeof(year) FROM sales ORDER BY year')).toEqual([
      [1, null, '2023', '1', 'BIGINT'],
      [2, 'new', '2024', '2', 'BIGINT'],
    ]);
    expect(await select('SELECT day, sum(v), any_value(typeof(day)) FROM days GROUP BY day ORDER BY day')).toEqual([
      ['2024-01-31', 1, 'DATE'],
      ['2024-02-01', 3.5, 'DATE'],
    ]);
    expect(await select('SELECT k, v, w FROM codes ORDER BY k')).toEqual([
      ['1', '2', true],
      ['a b', '1', null],
    ]);
  });

  it('have no columns of the folders above SLUICE_DATA_DIR', async () => {
    data = join(work, 'env=prod');
    await write('year=2024/a.csv', 'v\n1\n');
    await write('b.csv', 'v\n1\n');
    await create();
    const columns = await select(
      'SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal ORDER BY ALL',
    );
    expect(columns).toEqual([
      ['b', 'v'],
      ['env=prod', 'v'],
      ['env=prod', 'year'],
    ]);
  });

  it('are served together or not at all', async () => {
    await write('a/k=1/a.csv', 'v\n1\n');
    await write('a/k=2/a.csv', 'v,w\n1\n');
    await write('b/k=1/a.csv', 'v\n1\n');
    await write('b/k=2/a.json', '[{"v": 1}]');
    await write('c/k=1/a.csv', 'v\n1\n');
    await write('c/l=1/a.csv', 'v\n1\n');
    await write('d/k=1/a.csv', 'v,w\n1,1\n');
    await write('d/k=2/a.csv', 'v;w\n1;1\n');
    const found = await create();
    expect(await views()).toEqual([]);
    expect(problemsOf(found)).toMatchObject({
      'a/k=1/a.csv': 'is not served, because its view would be incomplete without a/k=2/a.csv, which has a problem.',
      'a/k=2/a.csv': 'line 2 has 1 value, the header has 2.',
      'b/k=1/a.csv': expect.stringContaining('files of several formats'),
      'c/k=1/a.csv': expect.stringContaining('different keys (k; l)'),
      'd/k=1/a.csv': expect.stringContaining('use one separator'),
    });
    expect(Object.keys(problemsOf(found))).toHaveLength(8);
  });

  it('have a problem while DuckDB cannot read them together, without the folders of this machine', async () => {
    // DuckDB calls the column without a name C0 in one file, C1 in the other, and otherwise in both together.
    await write('g/k=1/a.json', '[{"": 1}]');
    await write('g/k=2/a.json', '[{"x": 1, "": 2}]');
    const { files } = await create();
    const problem = expect.stringMatching(/^cannot be read together: /);
    expect(files.map((file) => file.problem)).toEqual([problem, problem]);
    expect(JSON.stringify(files)).not.toContain(work);
    expect(await views()).toEqual([]);
    await write('g/k=2/a.json', '[{"": 2}]');
    expect(await catalog.refresh({ waits: false })).toMatchObject({ viewCount: 1, files: [{ rows: 1 }, { rows: 1 }] });
    expect(await select('SELECT C0, k FROM g ORDER BY k')).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
    // Read together, one of these columns would be a, the other A_1.
    await write('g/k=1/a.json', '[{"a": 1}]');
    await write('g/k=2/a.json', '[{"A": 2}]');
    expect(await catalog.refresh({ waits: false })).toMatchObject({
      viewCount: 0,
      files: Array(2).fill({ problem: expect.stringContaining('Write the names of columns alike in all files.') }),
    });
  });

  it('may write the names of their columns in different case, except in JSON', async () => {
    await write('c/k=1/a.csv', 'Name,n\nx,1\n');
    await write('c/k=2/a.csv', 'name,m\ny,2\n');
    await copy("SELECT 'x' AS Name", 'p/k=1/a.parquet');
    await copy("SELECT 'y' AS name", 'p/k=2/a.parquet');
    await create();
    expect(await select('SELECT name, n, m FROM c ORDER BY k')).toEqual([
      ['x', '1', null],
      ['y', null, '2'],
    ]);
    expect(await select('SELECT name FROM p ORDER BY k')).toEqual([['x'], ['y']]);
  });

  it('are one view if SLUICE_DATA_MERGE says so and their schemas are the same', async () => {
    await copy('SELECT 1 AS x', 'same/a.parquet');
    await copy('SELECT 2 AS x', 'same/b.parquet');
    await copy('SELECT 1 AS x', 'other/a.parquet');
    await copy('SELECT 1 AS y', 'other/b.parquet');
    await write('csv/a.csv', 'x,y\n1,2\n');
    await write('csv/b.csv', 'x,y\n1.5,2\n');
    await create();
    expect((await views()).map(([schema, name]) => `${schema}.${name}`)).toEqual([
      'csv.a',
      'csv.b',
      'other.a',
      'other.b',
      'same.a',
      'same.b',
    ]);
    merge = 'folder';
    await create();
    expect((await views()).map(([schema, name]) => `${schema}.${name}`)).toEqual([
      'main.csv',
      'main.same',
      'other.a',
      'other.b',
    ]);
    expect(await select('SELECT sum(x) FROM same')).toEqual([['3']]);
    expect(await select('SELECT sum(x) FROM csv')).toEqual([[2.5]]);
  });
});

describe('summaryLines', () => {
  it('counts files and views, and lists at most ten problems', async () => {
    await write('a.csv', 'x\n1\n');
    expect(summaryLines(await create(), '/data')).toEqual(['Serving 1 file of /data as 1 view of the catalog files.']);
    for (let index = 10; index < 22; index += 1) await write(`b${index}.xlsx`, '');
    const lines = summaryLines(await create(), '/data');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe('Serving 1 file of /data as 1 view of the catalog files. 12 files have problems:');
    expect(lines[1]).toBe('  b10.xlsx is a workbook, which is not read: save its sheets as CSV.');
    expect(lines[11]).toBe('  and 2 more: GET /catalog/files lists them.');
  });
});
