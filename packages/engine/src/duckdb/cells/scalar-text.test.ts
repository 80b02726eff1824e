import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ValueReader } from '../../../testing/value-reader.ts';

let reader: ValueReader;
beforeAll(async () => {
  reader = await ValueReader.open();
});
afterAll(() => reader[Symbol.asyncDispose]());

const power = (base: number, exponent: number): bigint => BigInt(base) ** BigInt(exponent);

/** Values that are written with exactly these digits. */
const EXACT: readonly (readonly [string, readonly string[]])[] = [
  ['TINYINT', ['-128', '-1', '0', '127']],
  ['SMALLINT', ['-32768', '32767']],
  ['INTEGER', ['-2147483648', '2147483647']],
  ['BIGINT', ['-9223372036854775808', '9007199254740993', '9223372036854775807']],
  ['HUGEINT', [String(-power(2, 127)), String(power(2, 127) - 1n)]],
  ['UTINYINT', ['0', '255']],
  ['USMALLINT', ['0', '65535']],
  ['UINTEGER', ['0', '4294967295']],
  ['UBIGINT', ['0', '18446744073709551615']],
  ['UHUGEINT', ['0', String(power(2, 128) - 1n)]],
  ['BIGNUM', [String(-power(10, 300)), '0', String(power(7, 400))]],
  ['DECIMAL(4,1)', ['-999.9', '0.0', '0.1', '999.9']],
  ['DECIMAL(18,0)', ['-999999999999999999', '0']],
  ['DECIMAL(38,0)', ['99999999999999999999999999999999999999']],
  ['DECIMAL(38,18)', ['-99999999999999999999.999999999999999999', '0.000000000000000001', '250.000000000000000000']],
  ['DECIMAL(38,38)', ['0.99999999999999999999999999999999999999', '-0.00000000000000000000000000000000000001']],
  ['DECIMAL(1,1)', ['0.0', '0.9', '-0.9']],
  ['DECIMAL(9,9)', ['0.123456789', '-0.000000001']],
  ['DOUBLE', ['0.0', '-0.0', '5e-324', '1.7976931348623157e+308', '0.1', '1e+16', '1e-05', '123456789.125']],
  ['FLOAT', ['0.0', '-0.0', '1e-45', '3.4028235e+38', '0.1', '16777216.0']],
  ['BOOLEAN', ['true', 'false']],
];

describe('scalarText', () => {
  it.each(EXACT)('writes every digit of %s, as a JSON number or word', async (type, values) => {
    const literals = values.map((value) => `('${value}')::${type}`);
    expect(await reader.json(literals)).toEqual(values);
    expect(await reader.csv(literals)).toEqual(values);
    for (const value of values) {
      expect([value, JSON.stringify(JSON.parse(`[${value}]`)) !== '[]']).toEqual([value, true]);
      expect([value, await reader.readsBack(value, type, `'${value}'`)]).toEqual([value, true]);
    }
  });

  it('keeps the sign of zero and all bits of random doubles', async () => {
    const bytes = new DataView(new ArrayBuffer(8));
    const doubles: number[] = [];
    for (
      let seed = 1n;
      doubles.length < 200;
      seed = (seed * 6364136223846793005n + 1442695040888963407n) % power(2, 64)
    ) {
      bytes.setBigUint64(0, seed);
      const double = bytes.getFloat64(0);
      if (Number.isFinite(double)) doubles.push(double);
    }
    const texts = await reader.json(doubles.map((double) => `('${double}')::DOUBLE`));
    expect(texts.map(Number)).toEqual(doubles);
    expect(Object.is(JSON.parse((await reader.json([`'-0'::DOUBLE`]))[0] ?? ''), -0)).toBe(true);
  });

  it.each(['FLOAT', 'DOUBLE'])(
    'writes values of %s that are not numbers as strings, because JSON cannot express them',
    async (type) => {
      const values = [`'nan'::${type}`, `'inf'::${type}`, `'-inf'::${type}`, `NULL::${type}`];
      expect(await reader.json(values)).toEqual(['"NaN"', '"Infinity"', '"-Infinity"', 'null']);
      expect(await reader.csv(values)).toEqual(['NaN', 'Infinity', '-Infinity', '']);
    },
  );

  it('writes bytes as base64, and bits, UUIDs and enums as their text', async () => {
    expect(await reader.json([`''::BLOB`, `'\\x00\\xFF\\x0A'::BLOB`, 'NULL::BLOB'])).toEqual(['""', '"AP8K"', 'null']);
    expect(await reader.json([`'0'::BIT`, `repeat('01', 100)::BIT`])).toEqual(['"0"', `"${'01'.repeat(100)}"`]);
    expect(await reader.json([`'00000000-0000-0000-0000-000000000000'::UUID`])).toEqual([
      '"00000000-0000-0000-0000-000000000000"',
    ]);
    const kinds = `ENUM('a"b', 'c,d', '')`;
    expect(await reader.json([`'a"b'::${kinds}`, `''::${kinds}`])).toEqual(['"a\\"b"', '""']);
    expect(await reader.csv([`'a"b'::${kinds}`, `'c,d'::${kinds}`, `''::${kinds}`])).toEqual(['"a""b"', '"c,d"', '""']);
  });

  it('writes JSON and VARIANT as a string with the text of the value', async () => {
    const values = [
      `'{"a": [1.50, null]}'::JSON`,
      `'"x"'::JSON`,
      `'null'::JSON`,
      'NULL::JSON',
      `'9007199254740993'::JSON`,
    ];
    const texts = (await reader.json(values)).map((text) => JSON.parse(text) as unknown);
    expect(texts).toEqual(['{"a": [1.50, null]}', '"x"', 'null', null, '9007199254740993']);
    const variants = ['1::VARIANT', `'1'::VARIANT`, `{'a': [1.50, NULL]}::VARIANT`, 'NULL::VARIANT'];
    const parsed = (await reader.json(variants)).map((text) => JSON.parse(text) as unknown);
    expect(parsed).toEqual(['1', '"1"', '{"a":[1.50,null]}', null]);
  });

  it('writes a union as its member, and a geometry as well-known text', async () => {
    const union = 'UNION(n INTEGER, s VARCHAR)';
    expect(await reader.json([`1::${union}`, `'"'::${union}`, `NULL::${union}`])).toEqual(['"1"', '"\\""', 'null']);
    expect(await reader.json([`'POINT EMPTY'::GEOMETRY`, `'LINESTRING(0 0,1.5 -2)'::GEOMETRY`])).toEqual([
      '"POINT EMPTY"',
      '"LINESTRING (0 0, 1.5 -2)"',
    ]);
  });
});
