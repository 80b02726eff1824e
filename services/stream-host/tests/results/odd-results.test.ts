import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countTo } from '@sluice/testkit/statements';
import { readCsv, readJson, readNdjson, readStream } from './read-formats.ts';
import { startReading } from './start-reading.ts';
import type { Lossless } from './third-party-parsers.ts';

let reading: Awaited<ReturnType<typeof startReading>>;
beforeAll(async () => {
  reading = await startReading();
}, 120_000);
afterAll(async () => {
  await reading?.[Symbol.asyncDispose]();
});

describe('column names', () => {
  const NAMES = [
    ...['__proto__', 'constructor', 'toJSON', 'hasOwnProperty', '10', '2', '-1', ' ', 'a"b', "it's", 'a,b', 'x\ny'],
    ...[
      '\r\n',
      '\t',
      '\u2028',
      '\u0001',
      '😀',
      '=1',
      'data:',
      'error',
      'type',
      'a.b',
      '\\',
      '{"a":1}',
      'é',
      'e\u0301',
      '\ufeff',
    ],
  ];
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const select = (names: readonly string[]): string =>
    `SELECT ${names.map((name, index) => `${index} AS ${quoted(name)}`).join(', ')}`;
  const rowOf = (names: readonly string[]): Lossless => ({
    object: names.map((name, index) => [name, { number: String(index) }] as const),
  });

  it.each([
    ['odd', NAMES, NAMES],
    [
      'doubled',
      ['a', 'a', 'a_2', 'a', 'A', '__proto__', '__proto__'],
      ['a', 'a_3', 'a_2', 'a_4', 'A', '__proto__', '__proto___2'],
    ],
    [
      'as many as 2000',
      Array.from({ length: 2000 }, (_, i) => `column ${i}`),
      Array.from({ length: 2000 }, (_, i) => `column ${i}`),
    ],
  ])('that are %s arrive in order in every format', async (_, names, written) => {
    const sql = select(names);
    const expected = { columns: written.map((name) => ({ name, type: 'integer' })), rows: [rowOf(written)] };
    expect(await readStream(reading, sql)).toEqual(expected);
    expect(await readJson(reading, sql)).toEqual(expected);
    expect(await readNdjson(reading, sql)).toEqual(expected.rows);
    expect(await readCsv(reading, sql)).toEqual([written, written.map((_name, index) => String(index))]);
  });
});

describe('results', () => {
  it('without rows have their columns', async () => {
    const sql =
      'SELECT CAST(1 AS bigint) AS "__proto__", ARRAY[CAST(1.5 AS decimal(38,18))] AS b FROM numbers WHERE n < 0';
    const columns = [
      { name: '__proto__', type: 'bigint' },
      { name: 'b', type: 'array(decimal(38,18))' },
    ];
    expect(await readStream(reading, sql)).toEqual({ columns, rows: [] });
    expect(await readJson(reading, sql)).toEqual({ columns, rows: [] });
    expect(await readNdjson(reading, sql)).toEqual([]);
    expect(await readCsv(reading, sql)).toEqual([['__proto__', 'b']]);
  });

  it('of NULL values have all their rows', async () => {
    const sql = `SELECT CAST(NULL AS varchar) AS a FROM (${countTo(5000)}) AS t`;
    const rows = Array<Lossless>(5000).fill({ object: [['a', null]] });
    expect((await readStream(reading, sql)).rows).toEqual(rows);
    expect((await readJson(reading, sql)).rows).toEqual(rows);
    expect(await readCsv(reading, sql)).toEqual([['a'], ...Array<string[]>(5000).fill([''])]);
  });

  it('with cells of a megabyte among small ones are complete', async () => {
    const hostile = '😀"\\,\n\0x\u2028\r';
    const literal = `'😀"\\,' || chr(10) || chr(0) || 'x\u2028' || chr(13)`;
    const characters = `CAST(${Array.from(hostile).length} * CASE WHEN n = 2 THEN 100000 ELSE n END AS integer)`;
    const sql = `SELECT n, rpad('', ${characters}, ${literal}) AS v FROM (${countTo(5)}) AS t`;
    const strings = [0, 1, 100_000, 3, 4].map((times) => hostile.repeat(times));
    const rows = strings.map(
      (text, n): Lossless => ({
        object: [
          ['n', { number: String(n) }],
          ['v', text],
        ],
      }),
    );
    const isSame = (seen: unknown, expected: unknown): boolean => JSON.stringify(seen) === JSON.stringify(expected);
    expect(isSame((await readStream(reading, sql)).rows, rows)).toBe(true);
    expect(isSame((await readJson(reading, sql)).rows, rows)).toBe(true);
    expect(isSame(await readNdjson(reading, sql), rows)).toBe(true);
    expect(isSame(await readCsv(reading, sql), [['n', 'v'], ...strings.map((text, n) => [String(n), text])])).toBe(
      true,
    );
  });
});
