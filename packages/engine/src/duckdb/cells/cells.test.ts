import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { parseString } from 'fast-csv';
import { generatedColumns, selectGenerated } from '../../../testing/generated/generated-values.ts';
import { readResult, type TextResult } from '../../../testing/read-result.ts';
import { ValueReader } from '../../../testing/value-reader.ts';
import { sqlString } from '../sql-text.ts';

let reader: ValueReader;
beforeAll(async () => {
  reader = await ValueReader.open();
});
afterAll(() => reader[Symbol.asyncDispose]());

const json = (sql: string): Promise<TextResult> => readResult(reader.engine, sql, { format: { name: 'json' } });
const csv = (sql: string): Promise<TextResult> => readResult(reader.engine, sql, { format: { name: 'csv' } });

/**
 * Reads rows as fast-csv does, the header first. It does not distinguish NULL from the empty string, and returns no field for an
 * empty line.
 */
const parseCsv = (text: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(text, { headers: false })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row.length === 0 ? [''] : row))
      .on('end', () => resolve(rows));
  });

describe('cells of generated tables', () => {
  const ROWS = 4;
  const TABLES = shortOrLong(40, 80, 2_000);

  it('have exactly the expected bytes in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(ROWS), async (columns) => {
        const result = await json(selectGenerated(columns, ROWS));
        const expected = Array.from({ length: ROWS }, (_, row) => {
          return `{${columns.map((column, index) => `"c${index}":${column.values[row]?.json}`).join(',')}}`;
        });
        expect(result.rowsText).toBe(expected.join(',\n'));
        for (const row of expected) JSON.parse(row);
      }),
      { numRuns: TABLES },
    );
  });

  it('are the same strings for another CSV parser', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(ROWS), async (columns) => {
        const rows = await parseCsv((await csv(selectGenerated(columns, ROWS))).body);
        const expected = Array.from({ length: ROWS }, (_, row) =>
          columns.map((column) => csvTextOf(column.type, column.values[row]?.json ?? '')),
        );
        const seen = (table: readonly string[][]): string[][] => table.map((row) => row.map(withoutBlanks));
        expect(seen(rows)).toEqual(seen([columns.map((_, index) => `c${index}`), ...expected]));
      }),
      { numRuns: TABLES },
    );
  });

  /** fast-csv drops some fields of only white space, which RFC 4180 (section 2, rule 4) makes part of the field. */
  const withoutBlanks = (text: string): string => (text.trim() === '' ? '' : text);

  /** A scalar is its text without JSON's quotes, NULL is empty, and a value with parts is its JSON. */
  function csvTextOf(type: string, value: string): string {
    if (value === 'null') return '';
    const isScalar = !/[[(]/.test(type.replace(/DECIMAL\(\d+,\d+\)/, ''));
    return isScalar && value.startsWith('"') ? String(JSON.parse(value)) : value;
  }
});

describe('cells', () => {
  it('can be of every type of DuckDB at once, in both notations', async () => {
    const sql = 'SELECT * FROM test_all_types()';
    const rows = JSON.parse(`[${(await json(sql)).rowsText}]`) as Record<string, unknown>[];
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      bool: false,
      date: '-5877641-06-25',
      double_array: [],
      fixed_int_array: [null, 2, 3],
    });
    expect(rows[1]).toMatchObject({
      varchar: 'goo\0se',
      double_array: [42, 'NaN', 'Infinity', '-Infinity', null, -42],
      map: { key1: '🦆🦆🦆🦆🦆🦆', key2: 'goose' },
      fixed_struct_array: [
        { a: 42, b: '🦆🦆🦆🦆🦆🦆' },
        { a: null, b: null },
        { a: 42, b: '🦆🦆🦆🦆🦆🦆' },
      ],
      interval: 'P83Y3M999DT16M39.999999S',
    });
    expect(Object.values(rows[2] ?? {}).every((value) => value === null)).toBe(true);
    const parsed = await parseCsv((await csv(sql)).body);
    expect(parsed.map((row) => row.length)).toEqual(Array(4).fill(Object.keys(rows[0] ?? {}).length));
    expect(parsed[3]?.every((field) => field === '')).toBe(true);
  });

  it('can be maps with keys of any type', async () => {
    const cases = [
      ['MAP {[1, NULL]: 1}', { '[1,null]': 1 }],
      ["MAP {{'a': 1.50}: 1}", { '{"a":1.50}': 1 }],
      ["MAP {1.5::DOUBLE: 1, 'nan'::DOUBLE: 2}", { '1.5': 1, NaN: 2 }],
      ['MAP {0.5::DECIMAL(2,2): 1}', { '0.50': 1 }],
      ['MAP {INTERVAL 1 DAY: 1}', { P1D: 1 }],
      ["MAP {'\\x00'::BLOB: 1}", { 'AA==': 1 }],
      ['MAP {true: 1}', { true: 1 }],
      ["MAP {TIMESTAMPTZ '2020-01-01 00:00:00+00': 1}", { '2020-01-01 00:00:00.000000 UTC': 1 }],
      ["MAP {'__proto__': 1}", JSON.parse('{"__proto__":1}')],
      ['MAP {}', {}],
      ['NULL::MAP(INTEGER, INTEGER)', null],
      ['MAP {MAP {1: 2}: MAP {3: NULL}}', { '{"1":2}': { 3: null } }],
    ] as const;
    for (const [sql, expected] of cases) {
      expect([sql, JSON.parse((await reader.json([sql]))[0] ?? '')]).toEqual([sql, expected]);
      expect([sql, (await parseCsv((await csv(`SELECT ${sql} AS v`)).body))[1]]).toEqual([
        sql,
        [expected === null ? '' : (await reader.json([sql]))[0]],
      ]);
    }
  });

  it.each(['sse', 'json', 'ndjson', 'csv', 'xlsx'] as const)(
    'cannot be maps with a NULL key, or with two keys of the same text, as %s',
    async (name) => {
      const cases = [
        ["TRY_CAST(MAP {'a': 1, '3': 3} AS MAP(INTEGER, INTEGER))", 'a NULL key, which no format can store'],
        [`json_transform('{"a": 1, "2": 3}', '"MAP(INTEGER, INTEGER)"')`, 'a NULL key'],
        ["[TRY_CAST(MAP {'a': 1} AS MAP(DATE, INTEGER))]", 'a NULL key'],
        ["{'m': TRY_CAST(MAP {'a': 1} AS MAP(BOOLEAN, INTEGER))}", 'a NULL key'],
        ["MAP {1: TRY_CAST(MAP {'a': 1} AS MAP(INTEGER, INTEGER))}", 'a NULL key'],
        ["CAST(MAP {'1': 1, '01': 2} AS MAP(INTEGER, INTEGER))", 'two keys that are written as "1", and'],
        ["CAST(MAP {'t': 1, 'f': 2, 'true': 3} AS MAP(BOOLEAN, INTEGER))", 'two keys that are written as "true", and'],
        [
          "MAP {1::UNION(n INTEGER, s VARCHAR): 1, '1'::UNION(n INTEGER, s VARCHAR): 2}",
          'two keys that are written as "1"',
        ],
        ["CAST(MAP {'[1]': 1, '[01]': 2} AS MAP(INTEGER[], INTEGER))", 'two keys that are written as "[1]"'],
      ] as const;
      for (const [value, reason] of cases) {
        const failing = readResult(reader.engine, `SELECT 1 AS a, ${value} AS m`, { format: { name } });
        const message = expect.stringContaining(`The column m contains a map with ${reason}`);
        await expect(failing).rejects.toMatchObject({ code: 'data_error', message });
      }
      const distinct =
        "MAP {0.0::DOUBLE: 1}, MAP {INTERVAL 1 MONTH: 1}, CAST(MAP {'1': 1, '2': NULL} AS MAP(INTEGER, INTEGER))";
      expect((await readResult(reader.engine, `SELECT ${distinct}`, { format: { name } })).rows).toBe(1);
    },
  );

  it('write every scalar within lists, structs and maps as outside of them', async () => {
    const scalars = [
      ...["'infinity'::DATE", "TIMESTAMPTZ '2020-10-25 00:30:00+00'", "'12:00:00+01'::TIMETZ", "'12:00:00.5'::TIME_NS"],
      ...[
        "INTERVAL '-1.5 seconds'",
        "'nan'::FLOAT",
        "'-0.5'::DECIMAL(1,1)",
        "'\\xFF'::BLOB",
        "'01'::BIT",
        "'{}'::JSON",
      ],
      ...["'x'::VARIANT", '1::UNION(n INTEGER)', "'POINT(1 2)'::GEOMETRY"],
    ];
    const options = { timeZone: 'Europe/Berlin' };
    for (const sql of scalars) {
      const [alone] = await reader.json([sql], options);
      expect(await reader.json([`[${sql}, NULL]`], options)).toEqual([`[${alone},null]`]);
      expect(await reader.json([`{'a': [{'b': ${sql}}]}`], options)).toEqual([`{"a":[{"b":${alone}}]}`]);
      expect(await reader.json([`MAP {1: ${sql}}`], options)).toEqual([`{"1":${alone}}`]);
    }
  });

  it('keep NULL, the empty string and similar strings apart in CSV', async () => {
    expect(await reader.csv(['NULL', "''", "'NULL'", "'null'", "' '"])).toEqual(['', '""', 'NULL', 'null', ' ']);
    expect((await csv("SELECT NULL::INTEGER AS a, '' AS b, NULL::VARCHAR AS c")).rowsText).toBe(',"",\n');
  });

  it('can be strings of a megabyte, whatever they contain', async () => {
    const sql = `SELECT repeat('😀"\\,' || chr(10) || chr(0) || 'x', 200000) AS v`;
    const expected = '😀"\\,\n\0x'.repeat(200_000);
    expect(JSON.parse((await json(sql)).rowsText)).toEqual({ v: expected });
    expect((await parseCsv((await csv(sql)).body))[1]).toEqual([expected]);
  });

  it('have the same JSON for strings that are long enough to be written outside of the engine', async () => {
    const piece = 'aé"\\\u0001\u0002\u001f\n\r\t\b\f\u007f/😀:';
    const lengths = [...[1, 4_095, 4_096, 4_097, 32_768, 65_536, 262_144].flatMap((n) => [n - 1, n, n + 1]), 700_000];
    const sql = (rows: string): string =>
      `SELECT t, [t, NULL] AS l, {'a': t, 'b': t} AS s, MAP {left(t, 3): t} AS m, NULL::VARCHAR AS n, t::UNION(x VARCHAR) AS u
       FROM (SELECT left(repeat(${sqlString(piece)}, 40000), n::BIGINT) AS t FROM (VALUES ${rows}) AS r(n))`;
    const { rowsText } = await json(sql(lengths.map((length) => `(${length})`).join(', ')));
    const characters = [...piece.repeat(40_000)];
    const expected = lengths.map((length) => {
      const text = toJson(characters.slice(0, length).join(''));
      const start = toJson(characters.slice(0, Math.min(3, length)).join(''));
      return `{"t":${text},"l":[${text},null],"s":{"a":${text},"b":${text}},"m":{${start}:${text}},"n":null,"u":${text}}`;
    });
    expect(rowsText === expected.join(',\n')).toBe(true);
  });

  /** Writes a string as DuckDB does: with capital digits in the escapes of control characters. */
  const toJson = (text: string): string =>
    JSON.stringify(text).replaceAll(/\\u00[0-9a-f]{2}/g, (found) => `\\u${found.slice(2).toUpperCase()}`);

  it.each([
    ['lists', '[', ']'],
    ['structs', "{'a': ", '}'],
    ['maps', "MAP {'a': ", '}'],
  ])('can be nested twelve deep, as %s, and are planned in time', async (_, begin, end) => {
    const value = `${begin.repeat(12)}1${end.repeat(12)}`;
    const written = `${begin === '[' ? '['.repeat(12) : '{"a":'.repeat(12)}1${end.repeat(12)}`;
    expect((await json(`SELECT ${value} AS v`)).rowsText).toBe(`{"v":${written}}`);
    expect((await parseCsv((await csv(`SELECT ${value} AS v`)).body))[1]).toEqual([written]);
  });

  it('can come in 2000 columns', async () => {
    const sql = `SELECT ${Array.from({ length: 2_000 }, (_, index) => `${index} AS "column ${index}"`).join(', ')} FROM range(3)`;
    const rows = JSON.parse(`[${(await json(sql)).rowsText}]`) as Record<string, unknown>[];
    expect(rows.map((row) => Object.values(row).join())).toEqual(
      Array(3).fill(Array.from({ length: 2_000 }, (_, i) => i).join()),
    );
    expect((await parseCsv((await csv(sql)).body)).map((row) => row.length)).toEqual(Array(4).fill(2_000));
  });
});

describe('a cell of a workbook', () => {
  it('is the same number for a timestamp of any precision, in the whole range of its type', async () => {
    const xlsx = async (value: string): Promise<string> =>
      (await readResult(reader.engine, `SELECT ${value} AS v`, { format: { name: 'xlsx' } })).rowsText;
    const expected = await xlsx("TIMESTAMP '2024-01-02 12:00:00'");
    expect(expected).toContain('<v>45293.5</v>');
    for (const type of ['TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'])
      expect(await xlsx(`'2024-01-02 12:00:00'::${type}`)).toBe(expected);
    for (const text of ['1677-09-22 00:00:00.000000000', '2262-04-11 23:47:16.854775806', 'infinity', '-infinity'])
      expect(await xlsx(`'${text}'::TIMESTAMP_NS`)).toContain(`>${text}<`);
  });
});

describe('names of columns', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'toJSON',
    '10',
    '2',
    ' ',
    'a"b',
    "it's",
    'a,b',
    'x\ny',
    '\t',
    '\u2028',
    '😀',
    '=1',
    'data:',
  ];
  const sql = `SELECT ${NAMES.map((name, index) => `${index} AS "${name.replaceAll('"', '""')}"`).join(', ')}`;

  it('are ordinary names in JSON, in the order of the statement', async () => {
    const { rowsText, columns } = await json(sql);
    expect(columns.map((column) => column.name)).toEqual(NAMES);
    expect(rowsText).toBe(`{${NAMES.map((name, index) => `${JSON.stringify(name)}:${index}`).join(',')}}`);
  });

  it('are read by another CSV parser unchanged', async () => {
    const [header, row] = await parseCsv((await csv(sql)).body);
    expect(header).toEqual(NAMES);
    expect(row).toEqual(NAMES.map((_, index) => String(index)));
  });

  it('are made distinct if they are duplicates, equally in columns and rows', async () => {
    const doubled = 'SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a';
    expect((await json(doubled)).rowsText).toBe('{"a":1,"a_3":2,"a_2":3,"a_4":4}');
    expect((await csv(doubled)).body).toBe('a,a_3,a_2,a_4\n1,2,3,4\n');
  });
});

describe('big numbers as strings', () => {
  it('are all values of columns that may exceed a double, at any depth, and no others', async () => {
    const sql = `SELECT 1::BIGINT AS a, 1::INTEGER AS b, 1::HUGEINT AS c, 1::DECIMAL(15,2) AS d, 1::DECIMAL(16,2) AS e,
      [1::BIGINT, NULL] AS f, {'x': 1::UBIGINT, 'y': 1.5::DOUBLE} AS g, MAP {1::BIGINT: 2::BIGINT} AS h, NULL::BIGINT AS i, 1::UINTEGER AS j`;
    const result = await readResult(reader.engine, sql, { format: { name: 'json', bigNumbers: 'string' } });
    expect(result.rowsText).toBe(
      '{"a":"1","b":1,"c":"1","d":1.00,"e":"1.00","f":["1",null],"g":{"x":"1","y":1.5},"h":{"1":"2"},"i":null,"j":"1"}',
    );
  });
});

describe('cells that are safe for spreadsheets', () => {
  it('get an apostrophe where a spreadsheet would run them: only strings, and names too', async () => {
    const sql = `SELECT '=1+1' AS a, -5 AS b, '-x' AS c, 1 AS "=cmd", '+1' AS d, '@a' AS e, chr(9) || 'x' AS f, chr(13) || 'x' AS g,
      chr(0) || 'x' AS h, ' =1' AS i, '' AS j, '=a"b' AS k, ['=1'] AS l, '-1'::JSON AS m, NULL::VARCHAR AS n,
      from_base64('+A==') AS o, from_base64('A+==') AS p, ''::BLOB AS q`;
    const result = await readResult(reader.engine, sql, { format: { name: 'csv', formulas: 'prefix' } });
    const [header, row] = await parseCsv(result.body);
    expect(header?.slice(0, 5)).toEqual(['a', 'b', 'c', "'=cmd", 'd']);
    expect(row).toEqual([
      ...["'=1+1", '-5', "'-x", '1', "'+1", "'@a", "'\tx", "'\rx", "'\0x", ' =1', '', `'=a"b`, '["=1"]', "'-1", ''],
      ...["'+A==", 'Aw==', ''],
    ]);
  });
});
