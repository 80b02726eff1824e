import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FormatSpec } from '@sluice/encoders';
import { allCases, shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import {
  type GeneratedColumn,
  generatedColumns,
  selectGenerated,
} from '../../../testing/generated/generated-values.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { PlainDuckDb } from '../../../testing/plain-duckdb.ts';
import { readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

/** The typed path, and the plain writer that it must agree with. */
let engine: DuckDbEngine;
let plain: PlainDuckDb;
beforeAll(async () => {
  engine = await DuckDbEngine.open(EMPTY_DUCKDB);
  plain = await PlainDuckDb.open(EMPTY_DUCKDB);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  plain[Symbol.dispose]();
});

type Format = Partial<FormatSpec> & Pick<FormatSpec, 'name'>;
const FORMATS: readonly Format[] = [
  { name: 'sse' },
  { name: 'json' },
  { name: 'json', bigNumbers: 'string' },
  { name: 'csv' },
  { name: 'csv', formulas: 'prefix' },
  { name: 'csv', separator: ';' },
  { name: 'csv', separator: '\t', formulas: 'prefix' },
  { name: 'xlsx' },
];

/** Asserts that a result has the same bytes from both writers, streamed and small. Returns its rows. */
async function expectEqual(sql: string, format: Format, timeZone = 'UTC'): Promise<number> {
  const expected = await readResult(plain, sql, { format, timeZone });
  const streamed = await readResult(engine, sql, { format, timeZone });
  expect(streamed.body === expected.body ? '' : firstDifference(streamed.body, expected.body)).toBe('');
  expect([streamed.rows, streamed.limited]).toEqual([expected.rows, expected.limited]);
  if (expected.rows > 1_000) return expected.rows;
  const small = await readResult(engine, sql, { format, timeZone, rowsMax: 1_000 });
  expect(small.body === expected.body ? '' : firstDifference(small.body, expected.body)).toBe('');
  return expected.rows;
}

/** Returns every third format, beginning with another one in each turn; in the long form, all of them. */
const inTurn = (formats: readonly Format[], turn: number): readonly Format[] =>
  formats.filter((_, position) => (position + turn) % shortOrLong(3, 1) === 0);

/** Bodies may have megabytes, and Jest compares strings by lines. */
function firstDifference(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return `at ${at} of ${expected.length}: ${around(actual)} instead of ${around(expected)}`;
}

const rows = 4;
const column = (type: string, value: fc.Arbitrary<string>): fc.Arbitrary<GeneratedColumn> =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant('NULL') }), {
      minLength: rows,
      maxLength: rows,
    })
    .map((values) => ({ type, values: values.map((sql) => ({ sql: `(${sql})::${type}`, json: '' })) }));

const integer = (bits: number, sign: 'signed' | 'unsigned'): fc.Arbitrary<bigint> => {
  const values = 2n ** BigInt(bits);
  const [min, max] = sign === 'signed' ? [-values / 2n, values / 2n - 1n] : [0n, values - 1n];
  return fc.oneof(
    fc.bigInt({ min, max }),
    fc.bigInt({ min: min > -1000n ? min : -1000n, max: max < 1000n ? max : 1000n }),
    fc.constantFrom(min, max),
  );
};
const quotedNumber = (value: bigint | number): string => `'${value}'`;

/** Microseconds from a time that needs no more than a double's 53 bits to the ends of what DuckDB holds. */
const microseconds = fc.oneof(
  fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }),
  fc.bigInt({ min: -(10n ** 18n) * 9n, max: 10n ** 18n * 9n }),
  fc.bigInt({ min: -2_000_000n, max: 2_000_000n }),
);
const moment = (type: string): fc.Arbitrary<GeneratedColumn> =>
  column(
    type,
    fc.oneof(
      { weight: 8, arbitrary: microseconds.map((ticks) => `make_timestamp(${ticks})`) },
      { weight: 1, arbitrary: fc.constantFrom("'infinity'", "'-infinity'") },
    ),
  );

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '=1',
    '\0',
    '\\u001f',
    '\\',
    '"',
    'a,b',
    "it's",
    '\r',
    '\n',
    '\u2028',
    '😀'.repeat(20),
    '\u001f\u007f',
  ),
);
const textSql = (value: string): string =>
  value
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

/** Every type that the module writes, and some that SQL writes. */
const COLUMNS = fc.array(
  fc.oneof(
    column('BOOLEAN', fc.constantFrom('true', 'false')),
    ...[8, 16, 32, 64, 128].flatMap((bits) => {
      const name = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT', 128: 'HUGEINT' }[bits] ?? '';
      return [
        column(name, integer(bits, 'signed').map(quotedNumber)),
        column(`U${name}`, integer(bits, 'unsigned').map(quotedNumber)),
      ];
    }),
    column('DOUBLE', fc.double().map(quotedNumberOf)),
    column('FLOAT', fc.float().map(quotedNumberOf)),
    ...[
      [4, 0],
      [4, 4],
      [9, 3],
      [18, 2],
      [18, 18],
      [38, 0],
      [38, 37],
      [38, 38],
    ].map(([width = 0, scale = 0]) =>
      column(
        `DECIMAL(${width},${scale})`,
        fc
          .bigInt({ min: -(10n ** BigInt(width)) + 1n, max: 10n ** BigInt(width) - 1n })
          .map((units) => decimalLiteral(units, scale)),
      ),
    ),
    column(
      'DATE',
      fc.oneof(
        fc.integer({ min: -100_000_000, max: 100_000_000 }).map((days) => `DATE '1970-01-01' + ${days}`),
        fc.integer({ min: -800_000, max: 3_000_000 }).map((days) => `DATE '1970-01-01' + (${days})`),
        fc.constantFrom("'infinity'", "'-infinity'"),
      ),
    ),
    ...['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMPTZ'].map(moment),
    column(
      'TIMESTAMP_NS',
      fc
        .bigInt({ min: -9_000_000_000_000_000_000n, max: 9_000_000_000_000_000_000n })
        .map((ns) => `make_timestamp_ns(${ns})`),
    ),
    column(
      'TIME',
      fc.oneof(
        fc.integer({ min: 0, max: 86_399_999_999 }).map((us) => `TIME '00:00:00' + to_microseconds(${us})`),
        fc.constant("'24:00:00'"),
      ),
    ),
    column(
      'UUID',
      fc.uuid().map((uuid) => `'${uuid}'`),
    ),
    column('VARCHAR', text.map(textSql)),
    column('JSON', fc.constantFrom(`'{"a": [1, null]}'`, `'"\\u001f"'`)),
    column("ENUM('a', 'b,c', '=')", fc.constantFrom("'a'", "'b,c'", "'='")),
    column(
      'INTERVAL',
      fc.integer({ min: -1e6, max: 1e6 }).map((days) => `to_days(${days})`),
    ),
    column('BLOB', fc.constantFrom("''", "'\\x00\\xFF'")),
    column('INTEGER[]', fc.constantFrom('[]', '[1, NULL]')),
    column('STRUCT(a VARCHAR, b DOUBLE)', fc.constantFrom(`{'a': '"', 'b': 'nan'}`, `{'a': NULL, 'b': 1}`)),
  ),
  { minLength: 1, maxLength: 8 },
);

function decimalLiteral(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `'${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}'`;
}

function quotedNumberOf(value: number): string {
  return `'${Object.is(value, -0) ? '-0.0' : value}'`;
}

describe('typedResult', () => {
  it('writes the same bytes as the plain writer, for any columns, values and format', async () => {
    await fc.assert(
      fc.asyncProperty(COLUMNS, fc.constantFrom(...FORMATS), async (columns, format) => {
        await expectEqual(selectGenerated(columns, rows), format);
      }),
      { numRuns: shortOrLong(12, 40, 2_000) },
    );
  });

  it('writes the same bytes for nested columns, and in zones other than UTC', async () => {
    const columns = fc.oneof(generatedColumns(rows), COLUMNS);
    await fc.assert(
      fc.asyncProperty(columns, fc.constantFrom(...FORMATS), async (generated, format) => {
        await expectEqual(selectGenerated(generated, rows), format, 'Europe/Berlin');
      }),
      { numRuns: shortOrLong(6, 20, 1_000) },
    );
  });

  it.each(FORMATS)('writes the same bytes for every type that DuckDB has, with its extremes, as %j', async (format) => {
    await expectEqual('SELECT * FROM test_all_types()', format);
  });

  it.each(FORMATS)('writes the same bytes at every edge of a chunk, as %j', async (format) => {
    for (const count of [0, 1, 7, 8, 9, 2_047, 2_048, 2_049, 4_097]) {
      const sql = `SELECT i, CASE WHEN i % 3 <> 0 THEN repeat('x', (i % 40)::INTEGER) END AS t, i::DOUBLE / 7 AS d,
        DATE '2001-01-01' + (i % 400)::INTEGER AS day, [i] AS l FROM range(${count}) AS r(i)`;
      expect(await expectEqual(sql, format)).toBe(count);
    }
  });

  const NULLS = ['false', 'true', 'i % 2 = 0', 'i % 8 = 7', 'i < 2048', 'i >= 2048', 'hash(i) % 2 = 0'];
  it.each(NULLS)('never reads the value under a NULL, where %s', async (isNull) => {
    const value = (sql: string): string => `CASE WHEN ${isNull} THEN NULL ELSE ${sql} END`;
    const sql = `SELECT ${value("repeat('ab', (i % 30)::INTEGER)")} AS t, ${value('i::DECIMAL(18,2)')} AS n,
      ${value("'2001-02-03 04:05:06'::TIMESTAMP")} AS s, ${value('[i, NULL]')} AS l, ${value('i::HUGEINT')} AS h
      FROM range(5000) AS r(i)`;
    for (const format of inTurn(FORMATS, NULLS.indexOf(isNull))) expect(await expectEqual(sql, format)).toBe(5_000);
  });

  /** Around the inline strings of DuckDB, the steps of the copies, the long strings of JSON, and a frame with and without escapes. */
  const LENGTHS = [0, 1, 11, 12, 13, 15, 16, 17, 31, 32, 33, 4_095, 4_096, 4_097, 43_600, 43_700];
  const CHARACTERS = ["'x'", "'\"'", "','", 'chr(10)', 'chr(1)', "'é'", "'='"];
  it.each(CHARACTERS)('writes the same bytes for strings of %s of any length', async (character) => {
    for (const format of inTurn(FORMATS, CHARACTERS.indexOf(character))) {
      const lengths = [
        ...LENGTHS,
        ...(allCases ? [131_072, 262_144] : []),
        shortOrLong(262_144, 270_000, 600_000),
      ].join(', ');
      const sql = `SELECT n AS n, repeat(${character}, n) AS t, 'a' || repeat(${character}, n) AS u, [repeat(${character}, n)] AS l
        FROM (SELECT unnest([${lengths}]) AS n)`;
      await expectEqual(sql, format);
    }
  });

  /** Formats in turn are tried with one number of columns; the long form tries each with both. */
  const WIDTHS = [shortOrLong(100, 300), shortOrLong(300, 600, 1_000)];
  it.each(FORMATS)('writes the same bytes for wide rows, as %j', async (format) => {
    const turn = FORMATS.indexOf(format) % WIDTHS.length;
    for (const columns of WIDTHS.slice(shortOrLong(turn, 0), shortOrLong(turn + 1, WIDTHS.length))) {
      const list = Array.from({ length: columns }, (_, index) =>
        WIDE[index % WIDE.length]?.replaceAll('#', `${index}`),
      );
      expect(await expectEqual(`SELECT ${list.join(', ')} FROM range(20) AS r(i)`, format)).toBe(20);
    }
  });

  const WIDE = [
    'i + # AS c#',
    "repeat('#', (i % 9)::INTEGER) AS c#",
    'CASE WHEN i % 2 = 0 THEN #::DOUBLE END AS c#',
    '[i] AS c#',
  ];

  it.each(inTurn(FORMATS, 0))(
    'writes the same bytes for rows with a long text in a list, among others without, as %j',
    async (format) => {
      const sql = `SELECT i, repeat('ab', 20) || i AS t, [CASE WHEN i % ${shortOrLong(1_000, 30, 3)} = 0 THEN repeat('x', 5000) ELSE 'yz' END] AS l,
      'after the list ' || i AS u FROM range(2100) AS r(i)`;
      expect(await expectEqual(sql, format)).toBe(2_100);
    },
  );

  it('writes the same bytes for a chunk whose long strings do not fit the memory at once', async () => {
    const sql = `SELECT i, repeat(chr(97 + (i % 26)::INTEGER), 100000) AS t FROM range(150) AS r(i)`;
    for (const name of (['json', 'csv'] as const).slice(0, shortOrLong(1, 2)))
      expect(await expectEqual(sql, { name })).toBe(150);
  });

  it.each([
    [
      'the statement has a LIMIT of its own',
      'SELECT i, i::VARCHAR AS t FROM range(9) AS r(i) LIMIT 5',
      undefined,
      5,
      false,
    ],
    ['the caller wants fewer', 'SELECT i, [i] AS l FROM range(9) AS r(i) LIMIT 5', 3, 3, true],
    ['the caller wants more', 'SELECT i, i AS i FROM range(9) AS r(i) LIMIT 5', 7, 5, false],
    ['the caller wants just as many', 'SELECT i FROM range(5) AS r(i)', 5, 5, false],
    ['the caller wants none', 'SELECT i FROM range(5) AS r(i)', 0, 0, true],
    [
      'LIMIT is less than OFFSET',
      'SELECT i FROM range(9) AS r(i) ORDER BY i DESC LIMIT 2 OFFSET 8;',
      undefined,
      1,
      false,
    ],
  ])('counts rows and reports whether rows were left out, where %s', async (_, sql, rowsMax, count, limited) => {
    const result = await readResult(engine, sql, {
      format: { name: 'json' },
      ...(rowsMax === undefined ? {} : { rowsMax }),
    });
    expect([result.rows, result.limited]).toEqual([count, limited]);
  });

  it.each([',', ';', '\t', '|'] as const)(
    'quotes a string that is larger than a frame for the separator %j only',
    async (separator) => {
      for (const character of [',', ';', '\t', '|']) {
        const sql = `SELECT repeat('x', 300000) || '${character}' AS t, 1 AS n`;
        const { rowsText } = await readResult(engine, sql, { format: { name: 'csv', separator } });
        const text = `${'x'.repeat(300_000)}${character}`;
        const field = character === separator ? `"${text}"` : text;
        expect(rowsText === `${field}${separator}1\n` || rowsText.slice(-20)).toBe(true);
      }
    },
  );

  it('writes rows that are larger than a frame', async () => {
    const sql = `SELECT i, repeat('x"', 1000000) AS t FROM range(7) AS r(i) LIMIT 7`;
    const { rowsText, rows: count } = await readResult(engine, sql, { format: { name: 'json' } });
    const row = (index: number): string => `{"i":${index},"t":"${'x\\"'.repeat(1_000_000)}"}`;
    expect(count).toBe(7);
    expect(rowsText === Array.from({ length: 7 }, (_, index) => row(index)).join(',\n')).toBe(true);
  });

  it.each([
    ["SELECT\n  error('boom ' || i) FROM range(3) AS r(i) LIMIT 3", 'boom 0', undefined],
    ["SELECT\n  ('x' || i)::INTEGER FROM range(3) AS r(i) LIMIT 3", "'x0'", { line: 2, column: 13 }],
    ["SELECT [i],\n  ('x' || i)::INTEGER FROM range(3) AS r(i) LIMIT 3", "'x0'", { line: 2, column: 13 }],
  ])('fails with the message of the engine and the place in the statement: %s', async (sql, words, location) => {
    const failure = await readResult(engine, sql, { format: { name: 'json' } }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'data_error', message: expect.stringContaining(words) });
    expect((failure as { location?: unknown }).location).toEqual(location);
  });
});
