import { describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { rowSignature, signature, VARCHAR } from '../../../testing/fake-result.ts';
import { formatSpec, type ReadOptions } from '../../../testing/read-result.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { RowWriter } from './row-writer.ts';
import { readColumns } from './types.ts';

interface Written {
  readonly text: string;
  readonly type: string;
  readonly sizes: readonly number[];
  readonly rows: readonly number[];
}

/** Writes a list of rows as Trino sends it, with one column unless more types are given. */
function write(
  data: string | Buffer,
  types: readonly object[],
  format: ReadOptions['format'] = { name: 'json' },
): Written {
  const named = types.map((typeSignature, index) => ({ name: `c${index}`, typeSignature }));
  const { columns, types: read } = readColumns(named);
  const template = createFormat(formatSpec(format)).row(columns);
  const writer = new RowWriter({ template, columns, types: read, allocate: Buffer.alloc });
  const events = [...writer.events(Buffer.from(data), 0)];
  return {
    text: Buffer.concat(events.map((event) => event.bytes)).toString('utf8'),
    type: columns[0]?.type ?? '',
    sizes: events.map((event) => event.bytes.byteLength),
    rows: events.map((event) => event.rows),
  };
}

const json = (value: string, type: object, format = {}): string =>
  write(`[[${value}]]`, [type], { name: 'json', ...format }).text.slice('{"c0":'.length, -1);
const csv = (value: string, type: object, format = {}): string =>
  write(`[[${value}]]`, [type], { name: 'csv', ...format }).text.slice(0, -1);

const DAYS = signature('interval day to second');
const MONTHS = signature('interval year to month');

/** Trino's JSON, the type, and what clients get as JSON and as CSV. */
const VALUES: readonly (readonly [string, object, string, string, string])[] = [
  ['true', signature('boolean'), 'boolean', 'true', 'true'],
  ['-128', signature('tinyint'), 'tinyint', '-128', '-128'],
  ['9223372036854775807', signature('bigint'), 'bigint', '9223372036854775807', '9223372036854775807'],
  ['1.0E20', signature('double'), 'double', '1.0E20', '1.0E20'],
  ['"NaN"', signature('double'), 'double', '"NaN"', 'NaN'],
  ['"-Infinity"', signature('real'), 'real', '"-Infinity"', '-Infinity'],
  ['"250.00"', signature('decimal', 5, 2), 'decimal(5,2)', '250.00', '250.00'],
  ['"-0.50"', signature('decimal', 2, 2), 'decimal(2,2)', '-0.50', '-0.50'],
  [
    '"123456789012345678901234567890.5"',
    signature('number'),
    'number',
    '123456789012345678901234567890.5',
    '123456789012345678901234567890.5',
  ],
  ['"NaN"', signature('number'), 'number', '"NaN"', 'NaN'],
  ['"-Infinity"', signature('number'), 'number', '"-Infinity"', '-Infinity'],
  ['"a, \\"b\\""', VARCHAR, 'varchar', '"a, \\"b\\""', '"a, ""b"""'],
  ['""', VARCHAR, 'varchar', '""', '""'],
  ['"\\u0001\\n\\\\ü😀"', VARCHAR, 'varchar', '"\\u0001\\n\\\\ü😀"', '"\u0001\n\\ü😀"'],
  ['"a  "', signature('char', 3), 'char(3)', '"a  "', 'a  '],
  ['"abc"', signature('varchar', 3), 'varchar(3)', '"abc"', 'abc'],
  ['"AP8="', signature('varbinary'), 'varbinary', '"AP8="', 'AP8='],
  ['"-0043-03-15"', signature('date'), 'date', '"-0043-03-15"', '-0043-03-15'],
  ['"12:30:00.500000000001"', signature('time', 12), 'time(12)', '"12:30:00.500000000001"', '12:30:00.500000000001'],
  [
    '"12:30:00+05:30"',
    signature('time with time zone', 0),
    'time(0) with time zone',
    '"12:30:00+05:30"',
    '12:30:00+05:30',
  ],
  [
    '"2026-03-29 12:30:00.123456789012"',
    signature('timestamp', 12),
    'timestamp(12)',
    '"2026-03-29 12:30:00.123456789012"',
    '2026-03-29 12:30:00.123456789012',
  ],
  [
    '"2026-10-25 02:30:00 Europe/Berlin"',
    signature('timestamp with time zone', 0),
    'timestamp(0) with time zone',
    '"2026-10-25 02:30:00 Europe/Berlin"',
    '2026-10-25 02:30:00 Europe/Berlin',
  ],
  ['"2 03:04:05.670"', DAYS, 'interval day to second', '"P2DT3H4M5.67S"', 'P2DT3H4M5.67S'],
  ['"-1 00:00:00.004"', DAYS, 'interval day to second', '"P-1DT-0.004S"', 'P-1DT-0.004S'],
  ['"0 00:00:00.000"', DAYS, 'interval day to second', '"PT0S"', 'PT0S'],
  ['"-3-4"', MONTHS, 'interval year to month', '"P-3Y-4M"', 'P-3Y-4M'],
  ['"0-0"', MONTHS, 'interval year to month', '"PT0S"', 'PT0S'],
  ['"{\\"a\\":1.5}"', signature('json'), 'json', '"{\\"a\\":1.5}"', '"{""a"":1.5}"'],
  ['"10.0.0.1"', signature('ipaddress'), 'ipaddress', '"10.0.0.1"', '10.0.0.1'],
  ['"POINT (1 2)"', signature('Geometry'), 'geometry', '"POINT (1 2)"', 'POINT (1 2)'],
  ['{"x":[1,"a"]}', signature('Novelty'), 'novelty', '{"x":[1,"a"]}', '"{""x"":[1,""a""]}"'],
  [' [ 1 , null ] ', signature('array', signature('integer')), 'array(integer)', '[1,null]', '"[1,null]"'],
  ['[]', signature('array', signature('integer')), 'array(integer)', '[]', '[]'],
  [
    '{"a":"1.5","b":null}',
    signature('map', VARCHAR, signature('decimal', 2, 1)),
    'map(varchar,decimal(2,1))',
    '{"a":1.5,"b":null}',
    '"{""a"":1.5,""b"":null}"',
  ],
  [
    '{"2 00:00:00.000":1}',
    signature('map', DAYS, signature('integer')),
    'map(interval day to second,integer)',
    '{"P2D":1}',
    '"{""P2D"":1}"',
  ],
  [
    '["1.50",["x"]]',
    rowSignature({ b: signature('decimal', 3, 2), 'A c': signature('array', VARCHAR) }),
    'row(b decimal(3,2),"A c" array(varchar))',
    '{"b":1.50,"A c":["x"]}',
    '"{""b"":1.50,""A c"":[""x""]}"',
  ],
  [
    '[1]',
    rowSignature({ __proto__x: signature('integer') }),
    'row(__proto__x integer)',
    '{"__proto__x":1}',
    '"{""__proto__x"":1}"',
  ],
  ['null', rowSignature({ a: signature('integer') }), 'row(a integer)', 'null', ''],
];

describe('a value is written as docs/values.md says', () => {
  it.each(VALUES)('%s of %j', (value, type, name, asJson, asCsv) => {
    expect([write(`[[${value}]]`, [type]).type, json(value, type), csv(value, type)]).toEqual([name, asJson, asCsv]);
    expect(() => JSON.parse(json(value, type))).not.toThrow();
  });

  it('with duplicate or missing field names of a row', () => {
    const field = (name?: string): object => ({
      kind: 'NAMED_TYPE',
      value: { ...(name === undefined ? {} : { fieldName: { name } }), typeSignature: signature('integer') },
    });
    const type = { rawType: 'row', arguments: [field('a'), field('a'), field()] };
    expect(json('[1,2,3]', type)).toBe('{"a":1,"a_2":2,"field2":3}');
  });

  it('with big numbers as strings, at any depth, on request', () => {
    const format = { bigNumbers: 'string' };
    expect(json('1', signature('bigint'), format)).toBe('"1"');
    expect(json('"1.5"', signature('decimal', 16, 1), format)).toBe('"1.5"');
    expect(json('"1.5"', signature('decimal', 15, 1), format)).toBe('1.5');
    expect(json('"7"', signature('number'), format)).toBe('"7"');
    expect(json('[1,null]', signature('array', signature('bigint')), format)).toBe('["1",null]');
    expect(json('null', signature('bigint'), format)).toBe('null');
  });

  it('with an apostrophe before strings that a spreadsheet would run, on request', () => {
    const format = { formulas: 'prefix' };
    expect(csv('"=1+1"', VARCHAR, format)).toBe("'=1+1");
    expect(csv('"\\t=\\"x\\""', VARCHAR, format)).toBe('"\'\t=""x"""');
    expect(csv('"-0043-03-15"', signature('date'), format)).toBe('-0043-03-15');
    expect(csv('-1', signature('integer'), format)).toBe('-1');
    expect(csv('"=1+1"', VARCHAR)).toBe('=1+1');
    expect(csv('"+A=="', signature('varbinary'), format)).toBe("'+A==");
  });

  it('and no raw control character of a page is passed on', () => {
    expect(() => json('"a\nb"', VARCHAR)).toThrow('cannot be read');
    expect(() => json('1\n2', signature('integer'))).toThrow('cannot be read');
  });

  const NO_VALUES: readonly (readonly [object, readonly string[]])[] = [
    [
      signature('integer'),
      ['"1"', '[1]', '{}', 'nul', '', 'abc', 'true', '1.2.3', '1.', '.5', '01', '-', '+1', '1e', '1e+', '0x1'],
    ],
    [signature('boolean'), ['1', '"true"', 'tru', 'truer', 'False', 'null1', '[]']],
    [
      signature('double'),
      ['"a,b"', '"abc"', '""', '" 1"', '"1', 'NaN', 'Infinity', '"infinity"', '1.5.2', '--1', '"1e"'],
    ],
    [
      signature('decimal', 5, 2),
      ['"1,2"', '"1}"', '"12abc"', '"1.5', '"0x1"', '"1.5"6', '"=1"', '1.5"', '"-"', '"NaNx"'],
    ],
    [VARCHAR, ['1', 'true', '["a"]', '"\\x"', '"\\\n"', '"\\u12"', '"\\u12g4"', '"\\', 'a']],
    [signature('array', signature('integer')), ['[1,]', '[,1]', '[1 2]', '[1', '1', '"1"', '{}', '[true]']],
    [signature('Novelty'), ['nul', 'abc', '1.2.3', '{"a":}', '{"a"}', '{1:1}', '[1,]', '"\\x"', '-']],
  ];

  it.each(NO_VALUES)('and an invalid value of %j is rejected', (type, values) => {
    for (const value of values)
      for (const name of ['json', 'csv', 'xlsx'] as const)
        expect(() => write(`[[${value}]]`, [type], { name })).toThrow('cannot be read');
  });

  it('and bytes that are not UTF-8 are rejected', () => {
    for (const bytes of ['c3', 'ff', 'eda080', 'c080'])
      expect(() => write(Buffer.from(`5b5b22${bytes}225d5d`, 'hex'), [VARCHAR])).toThrow('it is not UTF-8');
  });

  it.each(['json', 'csv', 'xlsx'] as const)('and a map with two keys of one text is rejected, in %s', (name) => {
    const types = [signature('map', VARCHAR, signature('integer')), { rawType: 'unheard_of', arguments: [] }];
    const failure = (first: string, second = 'null'): unknown => {
      try {
        return write(`[[${first},${second}]]`, types, { name }).rows;
      } catch (thrown) {
        return thrown;
      }
    };
    expect(failure('{"a":1,"b":1}', '{"a":{"a":1}}')).toEqual([1]);
    for (const [first, second, column, key] of [
      ['{"a":1,"b":2,"a":3}', 'null', 'c0', 'a'],
      ['{"\\u0061":1,"a":2}', 'null', 'c0', 'a'],
      ['null', '[{"x":{"é":1,"é":2}}]', 'c1', 'é'],
    ] as const)
      expect(failure(first, second)).toMatchObject({
        code: 'data_error',
        message: `The column ${column} contains a map with two keys that are written as "${key}", and a reader would keep only one of them. Select map_entries(...) of it instead.`,
      });
  });

  it('and a value that is nested unreasonably deeply is rejected', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(json(nested(1_000), signature('Novelty'))).toBe(nested(1_000));
    expect(() => json(nested(100_000), signature('Novelty'))).toThrow('nested too deeply');
  });
});

describe('events', () => {
  const rows = (count: number, length: number): string =>
    JSON.stringify(Array.from({ length: count }, (_, id) => [id, 'x'.repeat(length)]));

  it.each([
    [10, 10],
    [50_000, 20],
    [3, EVENT_BYTES_MAX - 20],
    [3, EVENT_BYTES_MAX],
    [3, 3 * EVENT_BYTES_MAX + 7],
    [1, EVENT_BYTES_MAX - 18],
  ])('of %i rows of %i characters end where rows end, and hold at most 256 KiB', (count, length) => {
    const written = write(rows(count, length), [signature('bigint'), VARCHAR]);
    expect(Math.max(...written.sizes)).toBeLessThanOrEqual(EVENT_BYTES_MAX);
    expect(written.rows.reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(JSON.parse(`[${written.text}]`)).toHaveLength(count);
    let at = 0;
    for (const [index, size] of written.sizes.entries()) {
      at += size;
      if ((written.rows[index] ?? 0) > 0) expect(written.text[at - 1]).toBe('}');
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('keep every digit where a row outgrows its buffer (%i)', (shift) => {
    const numbers = JSON.stringify(Array.from({ length: 150_000 }, (_, index) => 1_000_000 + index));
    const decimals = numbers.replace(/\d+/g, (digits) => `"${digits}"`);
    const types = [VARCHAR, signature('array', signature('bigint')), signature('array', signature('decimal', 9, 0))];
    const { text } = write(`[["${'x'.repeat(shift)}",${numbers},${decimals}]]`, types);
    expect(text.slice(text.indexOf('[')) === `${numbers},"c2":${numbers}}`).toBe(true);
  });

  it('follow a template that omits columns, repeats them or changes their order', () => {
    const columns = readColumns(['a', 'b', 'c'].map((name) => ({ name, typeSignature: signature('integer') })));
    const parts = [{ cell: 2 }, { literal: '/' }, { cell: 0 }, { literal: '/' }, { cell: 2 }];
    const style = { notation: 'json', bigNumbers: 'number', formulas: 'keep' } as const;
    const writer = new RowWriter({ template: { separator: ';', parts, style }, ...columns, allocate: Buffer.alloc });
    const events = [...writer.events(Buffer.from('[[1,2,3],[4,5,6]]'), 0)];
    expect(Buffer.concat(events.map((event) => event.bytes)).toString()).toBe('3/1/3;6/4/6');
  });
});
