import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { doubleText } from '../../../testing/double-text.ts';
import { openEmptyDuckDb } from '../../../testing/open-duckdb.ts';
import { readDoublesInPython } from '../../../testing/read-doubles-in-python.ts';
import { type ReadOptions, readResult } from '../../../testing/read-result.ts';
import type { DuckDbEngine } from '../duckdb-engine.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

const linesOf = async (sql: string, options: Partial<ReadOptions> = {}): Promise<readonly string[]> =>
  (await readResult(engine, sql, { format: { name: 'csv' }, ...options })).rowsText.split('\n').slice(0, -1);

/** JSON numbers in the form that docs/values.md documents. */
const DOCUMENTED = /^-?(?:(?:0|[1-9]\d*)\.\d+|[1-9](?:\.\d+)?e[+-]\d{2,3})$/;

const RANDOM = shortOrLong(100_000, 1_000_000);
/** SQL of random unsigned numbers of this many bits, slightly more than the finite values need. */
const randomBits = (width: number): string =>
  `SELECT hash(i) >> ${64 - width} AS bits FROM range(${Math.round(RANDOM * 1.01)}) AS r(i)`;

const LAYOUTS = {
  double: { exponentBits: 11, fractionBits: 52 },
  float: { exponentBits: 8, fractionBits: 23 },
};

/** The finite numbers of these bit patterns, assembled by exact arithmetic. */
const numbersOf = (kind: keyof typeof LAYOUTS, bits: string): string => {
  const { exponentBits, fractionBits } = LAYOUTS[kind];
  const exponentMax = 2 ** exponentBits - 1;
  const bias = (exponentMax - 1) / 2;
  const fractions = 2 ** fractionBits;
  return `
    SELECT '${kind}' AS kind, bits,
      ((CASE WHEN bits >> ${exponentBits + fractionBits} = 1 THEN -1.0::DOUBLE ELSE 1.0::DOUBLE END)
        * (fraction::DOUBLE / ${fractions} + CASE WHEN exponent = 0 THEN 0 ELSE 1 END)
        * pow(2, greatest(exponent, 1)::INTEGER - ${bias}))::${kind} AS v
    FROM (SELECT bits, (bits >> ${fractionBits}) & ${exponentMax} AS exponent, bits & ${fractions - 1} AS fraction FROM (${bits}))
    WHERE exponent < ${exponentMax} LIMIT ${RANDOM}`;
};

/** Bit patterns of every power of two of a FLOAT, with both neighbours. */
const FLOAT_POWERS = `
  SELECT unnest([bits - 1, bits, bits + 1])::UBIGINT AS bits
  FROM (SELECT CASE WHEN i < -126 THEN 1 << (i + 149)::INTEGER ELSE (i + 127) << 23 END AS bits FROM range(-149, 128) AS r(i))`;

/** Every power of two and of ten, with both neighbours, in both signs. */
const POWERS = `
  SELECT CASE WHEN sign = 1 THEN 'power' ELSE 'negative' END AS kind, base, exponent, side,
    sign * CASE side WHEN 0 THEN p WHEN 1 THEN nextafter(p, 'inf'::DOUBLE) ELSE nextafter(p, '-inf'::DOUBLE) END AS v
  FROM (
    SELECT 2 AS base, i AS exponent, pow(2, i) AS p FROM range(-1074, 1024) AS r(i)
    UNION ALL SELECT 10, i, ('1e' || i)::DOUBLE FROM range(-323, 309) AS r(i)
  ), (VALUES (-1), (0), (1)) AS sides(side), (VALUES (1), (-1)) AS signs(sign)`;
const POWER_COUNT = (1_074 + 1_024 + 323 + 309) * 3 * 2;

const powersOfTwo = (first: number): readonly number[] =>
  Array.from({ length: 1_024 - first }, (_, index) => 2 ** (first + index));
const POWERS_OF_TEN = Array.from({ length: 323 + 309 }, (_, index) => Number(`1e${index - 323}`));
const textsInOrder = (powers: readonly number[]): readonly string[] =>
  [...powers, ...powers.map((power) => -power)].sort((a, b) => a - b).map(doubleText);

describe('doubleTextSql', () => {
  it(`writes ${RANDOM} random doubles as text that Python reads as the same bits, in the same form as a small result`, async () => {
    const lines = await linesOf(numbersOf('double', randomBits(64)));
    expect(await readDoublesInPython(lines.join('\n'))).toEqual({ read: RANDOM, wrong: [] });
    const texts = lines.map((line) => line.slice(line.lastIndexOf(',') + 1));
    expect(texts.filter((text) => !DOCUMENTED.test(text) || doubleText(Number(text)) !== text)).toEqual([]);
  });

  it(`writes ${RANDOM} random floats, and all powers of two and their neighbours, as text that Python reads as the same bits`, async () => {
    const random = await linesOf(numbersOf('float', randomBits(32)));
    const powers = await linesOf(numbersOf('float', FLOAT_POWERS));
    expect([random.length, powers.length]).toEqual([RANDOM, 277 * 3]);
    const lines = [...random, ...powers];
    expect(await readDoublesInPython(lines.join('\n'))).toEqual({ read: lines.length, wrong: [] });
    expect(lines.filter((line) => !DOCUMENTED.test(line.slice(line.lastIndexOf(',') + 1)))).toEqual([]);
  });

  it('writes all powers of two and ten and their neighbours in the same way', async () => {
    const lines = await linesOf(POWERS);
    expect(await readDoublesInPython(lines.join('\n'))).toEqual({ read: POWER_COUNT, wrong: [] });
    const texts = lines.map((line) => line.slice(line.lastIndexOf(',') + 1));
    expect(texts.filter((text) => !DOCUMENTED.test(text) && Number(text) !== 0)).toEqual([]);
    expect(texts.filter((text) => doubleText(Number(text)) !== text)).toEqual([]);
  });

  it.each([
    ['a list', '[v]', (text: string) => `[${text}]`],
    ['an array', '[v]::DOUBLE[1]', (text: string) => `[${text}]`],
    ['a struct', "{'a': v}", (text: string) => `{"a":${text}}`],
    ['a map', "MAP {'a': v}", (text: string) => `{"a":${text}}`],
    ['a key of a map', 'MAP {v: 1}', (text: string) => `{"${text}":1}`],
    ['a union', 'v::UNION(n DOUBLE)', (text: string) => `"${text}"`],
    ['a struct in a list in a map', "MAP {'a': [{'b': v}]}", (text: string) => `{"a":[{"b":${text}}]}`],
  ])('writes the same text in %s, whatever the format and the size of the result', async (_, nested, expected) => {
    const formats = [
      { name: 'json', separator: ',\n', end: '', row: (text: string) => `{"n":${expected(text)}}` },
      { name: 'csv', separator: '\n', end: '\n', row: (text: string) => csvField(expected(text)) },
    ] as const;
    for (const { where, powers, rowsMax } of [
      { where: 'side = 0', powers: [...powersOfTwo(-1_074), ...POWERS_OF_TEN], rowsMax: undefined },
      { where: 'side = 0 AND base = 2 AND exponent > 700', powers: powersOfTwo(701), rowsMax: 1_000 },
    ]) {
      const texts = textsInOrder(powers);
      for (const { name, separator, end, row } of formats) {
        const sql = `SELECT ${nested} AS n FROM (${POWERS}) WHERE ${where} ORDER BY v`;
        const options = {
          format: { name, bigNumbers: 'string' },
          ...(rowsMax === undefined ? {} : { rowsMax }),
        } as const;
        const { rowsText } = await readResult(engine, sql, options);
        expect(rowsText === texts.map(row).join(separator) + end).toBe(true);
      }
    }
  });

  const csvField = (json: string): string => {
    if (json.startsWith('"')) return json.slice(1, -1);
    return json.includes('"') ? `"${json.replaceAll('"', '""')}"` : json;
  };

  it('writes the same text in events of a stream and in cells of a workbook', async () => {
    const texts = textsInOrder([...powersOfTwo(-1_074), ...POWERS_OF_TEN]);
    const sql = `SELECT v FROM (${POWERS}) WHERE side = 0 ORDER BY v`;
    const stream = await readResult(engine, sql, { format: { name: 'sse' } });
    expect([...stream.rowsText.matchAll(/"v":([^}]+)\}/g)].map(([, text]) => text)).toEqual(texts);
    const workbook = await readResult(engine, sql, { format: { name: 'xlsx' } });
    expect([...workbook.rowsText.matchAll(/<v>([^<]+)<\/v>/g)].map(([, text]) => text)).toEqual(texts);
  });
});

describe('geometryTextSql', () => {
  const points = (where: string): string =>
    `SELECT i, ('POINT (' || to_json(pow(2, i)) || ' 1)')::GEOMETRY AS g FROM range(-1074, 1024) AS r(i) WHERE ${where}`;

  it('writes the exact coordinates', async () => {
    const lines = await linesOf(points('i NOT IN (81, 82, 91, 92, 807)'));
    expect(lines).toHaveLength(2_098 - 5);
    expect(lines.filter((line) => !isExact(line))).toEqual([]);
  });

  const isExact = (line: string): boolean => {
    const [, exponent, coordinate] = /^(-?\d+),POINT \((\S+) 1\)$/.exec(line) ?? [];
    return Number(coordinate) === 2 ** Number(exponent);
  };

  it.each([81, 91, 807])('rejects 2^%i, which DuckDB writes as another number', async (exponent) => {
    await expect(linesOf(points(`i = ${exponent}`))).rejects.toMatchObject({
      code: 'data_error',
      message: expect.stringContaining('ST_AsWKB'),
    });
    expect(await linesOf(`SELECT st_aswkb(g) FROM (${points(`i = ${exponent}`)})`)).toHaveLength(1);
  });
});
