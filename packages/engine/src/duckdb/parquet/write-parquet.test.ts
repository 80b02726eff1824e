import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { allCases, shortOrLong } from '@sluice/testkit';
import { formatSpec } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

let folder: string;
let files: string;
let engine: DuckDbEngine;
let instance: DuckDBInstance;
/** A separate DuckDB, which shares only the file with the engine. */
let reader: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'));
  files = await mkdtemp(join(tmpdir(), 'sluice-parquet-'));
  engine = await openEngine(256);
  instance = await DuckDBInstance.create(':memory:');
  reader = await instance.connect();
  await reader.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  reader.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
  await rm(files, { recursive: true });
});

const openEngine = (memoryMib: number): Promise<DuckDbEngine> =>
  DuckDbEngine.open({
    catalogs: [],
    defaultCatalog: 'memory',
    defaultSchema: 'main',
    readableFolders: [],
    memoryBytesMax: memoryMib * 1024 * 1024,
    tempFolder: folder,
    threads: 2,
  });

interface Written {
  readonly bytes: Buffer;
  readonly rows: number;
}

interface Writing {
  readonly on?: DuckDbEngine;
  readonly rowsMax?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: { readonly rows: number; readonly bytes: Uint8Array }) => Promise<void> | void;
}

async function write(sql: string, options: Writing = {}, name: 'parquet' | 'csv' = 'parquet'): Promise<Written> {
  const format = createFormat(formatSpec({ name }));
  const statement = { sql, queryId: 'q', user: 'u', timeZone: 'UTC', rowsMax: options.rowsMax };
  const signal = options.signal ?? new AbortController().signal;
  const chunks: Uint8Array[] = [];
  let rows = 0;
  for await (const event of (options.on ?? engine).run(statement, (columns) => format.row(columns), signal)) {
    if (event.kind !== 'rows') continue;
    await options.onEvent?.(event);
    rows += event.rows;
    chunks.push(event.bytes);
  }
  return { bytes: Buffer.concat(chunks), rows };
}

/** Reads the file in another process. `FILE` is replaced by its path. */
async function ask(bytes: Buffer, sql: string): Promise<unknown[][]> {
  // A new name each time: DuckDB caches the contents of a file.
  const file = join(files, `${randomUUID()}.parquet`);
  await writeFile(file, bytes);
  try {
    return (await reader.runAndReadAll(sql.replaceAll('FILE', `'${file}'`))).getRowsJson();
  } finally {
    await rm(file);
  }
}

/** SQL of values that the file must store unchanged, in this type. */
const KEPT: readonly (readonly [string, string])[] = [
  ['true', 'BOOLEAN'],
  ['(-128)::TINYINT', 'TINYINT'],
  ['(-32768)::SMALLINT', 'SMALLINT'],
  ['2147483647', 'INTEGER'],
  ['(-9223372036854775808)::BIGINT', 'BIGINT'],
  ['255::UTINYINT', 'UTINYINT'],
  ['65535::USMALLINT', 'USMALLINT'],
  ['4294967295::UINTEGER', 'UINTEGER'],
  ['18446744073709551615::UBIGINT', 'UBIGINT'],
  ['0.1::FLOAT', 'FLOAT'],
  [`'NaN'::DOUBLE`, 'DOUBLE'],
  [`'-Infinity'::DOUBLE`, 'DOUBLE'],
  ['5e-324::DOUBLE', 'DOUBLE'],
  ['(-99999999.9)::DECIMAL(9,1)', 'DECIMAL(9,1)'],
  ['12.5000::DECIMAL(18,4)', 'DECIMAL(18,4)'],
  ['99999999999999999999999999999999999999::DECIMAL(38,0)', 'DECIMAL(38,0)'],
  ['0.00000000000000000000000000000000000001::DECIMAL(38,38)', 'DECIMAL(38,38)'],
  [`'a' || chr(0) || 'ü😀'`, 'VARCHAR'],
  [`''`, 'VARCHAR'],
  [`'\\x00\\xFF'::BLOB`, 'BLOB'],
  [`'00112233-4455-6677-8899-aabbccddeeff'::UUID`, 'UUID'],
  [`DATE '0001-01-01'`, 'DATE'],
  [`DATE '-0044-03-15'`, 'DATE'],
  [`TIME '23:59:59.999999'`, 'TIME'],
  [`TIMESTAMP '0001-01-01 00:00:00.000001'`, 'TIMESTAMP'],
  [`TIMESTAMP_MS '2020-01-01 00:00:00.123'`, 'TIMESTAMP'],
  [`TIMESTAMP_NS '2020-01-01 00:00:00.123456789'`, 'TIMESTAMP_NS'],
  [`TIMESTAMP_S '2020-01-01 00:00:01'`, 'TIMESTAMP'],
  [`TIMESTAMPTZ '2020-01-01 00:00:00.123456+02'`, 'TIMESTAMP WITH TIME ZONE'],
  ['[1, NULL, 3]', 'INTEGER[]'],
  ['[]::VARCHAR[]', 'VARCHAR[]'],
  ['NULL', 'INTEGER'],
  ['[NULL]', 'INTEGER[]'],
  ['NULL::INTEGER[]', 'INTEGER[]'],
  ['[[1], NULL, []]', 'INTEGER[][]'],
  [`{'a': 1, 'b': NULL::VARCHAR}`, 'STRUCT(a INTEGER, b VARCHAR)'],
  [`NULL::STRUCT(a INTEGER, b DATE)`, 'STRUCT(a INTEGER, b DATE)'],
  [`[{'a': DATE '2020-01-01'}, NULL]`, 'STRUCT(a DATE)[]'],
  [`MAP {'k': 1, 'j': NULL}`, 'MAP(VARCHAR, INTEGER)'],
  [`MAP {1: [TIMESTAMP '2020-01-01']}`, 'MAP(INTEGER, TIMESTAMP[])'],
  ['MAP {}::MAP(VARCHAR, DATE)', 'MAP(VARCHAR, DATE)'],
  ['NULL::MAP(VARCHAR, DATE)', 'MAP(VARCHAR, DATE)'],
];

/** Values that the writer or other readers would change: SQL of a value, and SQL of what the file must contain. */
const CHANGED: readonly (readonly [string, string, string])[] = [
  ['170141183460469231731687303715884105727::HUGEINT', 'VARCHAR', `'170141183460469231731687303715884105727'`],
  ['340282366920938463463374607431768211455::UHUGEINT', 'VARCHAR', `'340282366920938463463374607431768211455'`],
  ['1::HUGEINT', 'VARCHAR', `'1'`],
  [`'-123456789012345678901234567890123456789012'::BIGNUM`, 'VARCHAR', `'-123456789012345678901234567890123456789012'`],
  [`INTERVAL '1 month 2 days 3.000001 seconds'`, 'VARCHAR', `'P1M2DT3.000001S'`],
  [`TIMETZ '10:00:00+02'`, 'VARCHAR', `'10:00:00.000000+02:00'`],
  [`TIME_NS '10:00:00.123456789'`, 'VARCHAR', `'10:00:00.123456789'`],
  [`'101'::BIT`, 'VARCHAR', `'101'`],
  [`'x'::ENUM('x', 'y')`, 'VARCHAR', `'x'`],
  [`'{"a": 1}'::JSON`, 'VARCHAR', `'{"a": 1}'`],
  [`union_value(k := 1)`, 'VARCHAR', `'1'`],
  [`{'a': [1]}::VARIANT`, 'VARCHAR', `'{"a":[1]}'`],
  ['row(1, 2)', 'STRUCT(field0 INTEGER, field1 INTEGER)', `{'field0': 1, 'field1': 2}`],
  ['[1, 2, NULL]::INTEGER[3]', 'INTEGER[]', '[1, 2, NULL]'],
  ['NULL::INTEGER[3]', 'INTEGER[]', 'NULL'],
  ['[1::HUGEINT, NULL]', 'VARCHAR[]', `['1', NULL]`],
  [`{'h': 1::HUGEINT, 'n': NULL::HUGEINT}`, 'STRUCT(h VARCHAR, n VARCHAR)', `{'h': '1', 'n': NULL}`],
  ['NULL::STRUCT(h HUGEINT)', 'STRUCT(h VARCHAR)', 'NULL'],
  ['MAP {1::HUGEINT: INTERVAL 1 DAY}', 'MAP(VARCHAR, VARCHAR)', `MAP {'1': 'P1D'}`],
  ['NULL::MAP(HUGEINT, INTEGER)', 'MAP(VARCHAR, INTEGER)', 'NULL'],
];

describe('a result as Parquet', () => {
  it.each(KEPT)('stores %s unchanged', async (value, type) => {
    const { bytes, rows } = await write(`SELECT ${value} AS v UNION ALL SELECT NULL`);
    expect(rows).toBe(2);
    const sql = `SELECT typeof(v), v IS NOT DISTINCT FROM (${value}) FROM FILE LIMIT 1`;
    expect(await ask(bytes, sql)).toEqual([[expect.anything(), true]]);
    const [[found] = []] = await ask(bytes, `SELECT typeof(v) = typeof(NULL::${type}) FROM FILE LIMIT 1`);
    expect(found).toBe(true);
  });

  it.each(CHANGED)('stores %s as %s, without loss', async (value, type, held) => {
    const { bytes } = await write(`SELECT ${value} AS v`);
    const sql = `SELECT typeof(v) = typeof(NULL::${type}), v IS NOT DISTINCT FROM (${held}) FROM FILE`;
    expect(await ask(bytes, sql)).toEqual([[true, true]]);
  });

  it.each([
    [`'infinity'::DATE`, /^The column v contains infinity, .*Cast it to VARCHAR/],
    [`'-infinity'::TIMESTAMP`, /infinity/],
    [`'infinity'::TIMESTAMPTZ`, /infinity/],
    [`['infinity'::DATE]`, /^The column v contains infinity/],
    [`{'a': TIME '24:00:00'}`, /^The column v contains 24:00:00/],
    [`TIME '24:00:00'`, /^The column v contains 24:00:00, .*Cast it to VARCHAR/],
    [`[TRY_CAST(MAP {'a': 1} AS MAP(INTEGER, INTEGER))]`, /^The column v contains a map with a NULL key, /],
    [`CAST(MAP {'1': 1, '01': 2} AS MAP(HUGEINT, INTEGER))`, /^The column v contains a map with two keys .* "1", /],
  ])('rejects %s, which readers would misread', async (value, words) => {
    await expect(write(`SELECT ${value} AS v`)).rejects.toMatchObject({
      code: 'data_error',
      message: expect.stringMatching(words),
    });
  });

  it('has the names of the columns, with distinct duplicates, including names that differ only in case', async () => {
    const { bytes } = await write('SELECT 1 AS a, 2 AS "A", 3 AS a, 4 AS "a.b", 5 AS "x""y", 6 AS "a_2"');
    const names = (await ask(bytes, 'SELECT column_name FROM (DESCRIBE FROM FILE)')).flat();
    expect(names).toEqual(['a', 'A_4', 'a_3', 'a.b', 'x"y', 'a_2']);
  });

  it('has the order of every other format, with or without ORDER BY', async () => {
    const count = shortOrLong(150_000, 300_000); // more than a group of rows
    for (const sql of [
      `SELECT i FROM range(${count}) AS r(i)`,
      `SELECT i FROM range(${count}) AS r(i) ORDER BY hash(i)`,
      `SELECT i % 1000 AS i, count(*) AS n FROM range(${count}) AS r(i) GROUP BY 1 ORDER BY n, 1 DESC`,
    ]) {
      const csv = (await write(sql, {}, 'csv')).bytes.toString().trim().split('\n');
      const { bytes, rows } = await write(sql);
      expect(rows).toBe(csv.length);
      const read = (await ask(bytes, 'SELECT i FROM FILE')).map(([i]) => i);
      const expected = csv.map((line) => line.split(',')[0]);
      expect(read.findIndex((value, index) => value !== expected[index])).toBe(-1);
      expect(read).toHaveLength(expected.length);
    }
  }, 120_000);

  it('can contain EXPLAIN, or no rows at all', async () => {
    expect((await write('EXPLAIN SELECT 1')).rows).toBeGreaterThan(0);
    const { bytes, rows } = await write('SELECT 1 AS a WHERE false');
    expect([rows, await ask(bytes, 'SELECT count(*) FROM FILE')]).toEqual([0, [['0']]]);
  });

  it('sends its last bytes only with the count, and never if the last row fails', async () => {
    const counts: number[] = [];
    const sql = (last: string) =>
      `SELECT CASE WHEN i = 999999 THEN ${last} ELSE i END AS v FROM range(1000000) AS r(i)`;
    const whole = await write(sql('i'), { onEvent: ({ rows }) => void counts.push(rows) });
    expect(counts.length).toBeGreaterThan(10);
    expect(counts.slice(0, -1).every((count) => count === 0)).toBe(true);
    expect([counts.at(-1), whole.bytes.subarray(-4).toString()]).toEqual([1_000_000, 'PAR1']);
    const pieces: Buffer[] = [];
    const failing = write(sql(`error('boom')`), { onEvent: ({ bytes }) => void pieces.push(Buffer.from(bytes)) });
    await expect(failing).rejects.toMatchObject({ code: 'data_error', message: 'boom' });
    const part = Buffer.concat(pieces);
    expect(part.subarray(0, 4).toString()).toBe('PAR1');
    expect(part.length).toBeGreaterThan(100_000);
    await expect(ask(part, 'SELECT count(*) FROM FILE')).rejects.toThrow(/magic bytes|footer/);
  });

  it('is stopped one row after the limit', async () => {
    expect((await write('SELECT i FROM range(1000000000) AS r(i)', { rowsMax: 500 })).rows).toBe(501);
  });

  it('ends with the signal’s reason while the engine waits for a reader, and serves the next statement', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const onEvent = async (): Promise<void> => {
      // Long enough that the pipe is full, and the engine waits in a write that nothing interrupts.
      if (!abort.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 100));
      abort.abort(reason);
    };
    const stopped = write('SELECT i, hash(i) AS h FROM range(100000000) AS r(i)', { signal: abort.signal, onEvent });
    await expect(stopped).rejects.toBe(reason);
    expect((await write('SELECT 1 AS a')).rows).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('holds at most a group of rows in memory, however large the rows are', async () => {
    // 100 MB under a limit of 64 MiB; the long forms half a GB and one under 256 MiB. The engine holds several chunks of 2,048 rows.
    const { length, rows, memoryMib } = allCases
      ? { length: 20_000, rows: shortOrLong(25_000, 25_000, 50_000), memoryMib: 256 }
      : { length: 4_000, rows: 25_000, memoryMib: 64 };
    await using small = await openEngine(memoryMib);
    const sql = `SELECT repeat(chr(65 + (i % 26)::INTEGER), ${length}) || hash(i) AS v FROM range(${rows}) AS r(i)`;
    expect((await write(sql, { on: small })).rows).toBe(rows);
  });

  it.each([
    [`SELECT * FROM read_text('/etc/passwd')`],
    [`COPY (SELECT 1) TO '/tmp/x.parquet'`],
    ['SELECT 1; SELECT 2'],
    [`SET threads = 8`],
    [`SELECT * FROM '/etc/passwd'`],
  ])('is rejected for %s, like every other format', async (sql) => {
    await expect(write(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(read_only|table_not_found)$/) });
  });
});
