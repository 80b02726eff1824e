import type { HostileType } from '../hostile-type.ts';

/** A row that JavaScript objects would change: names of built-in members, and numeric names, which they put first. */
const ROW = 'row("__proto__" integer, "toJSON" array(decimal(3,2)), "10" varchar, "2" row("constructor" bigint))';

export const NESTED: readonly HostileType[] = [
  {
    type: 'array(bigint)',
    column: 'array(bigint)',
    back: 'CAST(json_parse($1) AS array(bigint))',
    values: [
      ['CAST(ARRAY[] AS array(bigint))', '[]'],
      [
        "ARRAY[9223372036854775807, NULL, BIGINT '-9223372036854775808']",
        '[9223372036854775807,null,-9223372036854775808]',
      ],
      ['CAST(NULL AS array(bigint))', 'null'],
    ],
  },
  {
    type: 'array(array(decimal(38,18)))',
    column: 'array(array(decimal(38,18)))',
    // Not read back: Trino's JSON parser reads a fraction as a double.
    values: [
      [
        "ARRAY[ARRAY[DECIMAL '99999999999999999999.999999999999999999'], ARRAY[], NULL]",
        '[[99999999999999999999.999999999999999999],[],null]',
      ],
    ],
  },
  {
    type: 'array(double)',
    column: 'array(double)',
    values: [
      ["ARRAY[nan(), -infinity(), NULL, DOUBLE '-0', 1e-5]", '["NaN","-Infinity",null,-0.0,1.0E-5]'],
      ['CAST(NULL AS array(double))', 'null'],
    ],
  },
  {
    type: 'array(varchar)',
    column: 'array(varchar)',
    back: 'CAST(json_parse($1) AS array(varchar))',
    values: [
      [
        `CAST(ARRAY['a,b', '"', '', NULL, '\u2028', chr(0), chr(10), '\\', '😀'] AS array(varchar))`,
        '["a,b","\\"","",null,"\u2028","\\u0000","\\n","\\\\","😀"]',
      ],
    ],
  },
  {
    type: ROW,
    column: 'row(__proto__ integer,"toJSON" array(decimal(3,2)),"10" varchar,"2" row(constructor bigint))',
    // Not read back: Trino searches JSON for lower-case names.
    values: [
      [
        `CAST(ROW(1, ARRAY[1.50, NULL], 'x', ROW(9223372036854775807)) AS ${ROW})`,
        '{"__proto__":1,"toJSON":[1.50,null],"10":"x","2":{"constructor":9223372036854775807}}',
      ],
      [`CAST(ROW(NULL, NULL, NULL, NULL) AS ${ROW})`, '{"__proto__":null,"toJSON":null,"10":null,"2":null}'],
      [`CAST(NULL AS ${ROW})`, 'null'],
    ],
  },
  {
    type: 'array(row(b bigint, a varchar))',
    column: 'array(row(b bigint,a varchar))',
    back: 'CAST(json_parse($1) AS array(row(b bigint, a varchar)))',
    values: [
      [
        "CAST(ARRAY[ROW(9223372036854775807, 'x'), NULL, ROW(NULL, '')] AS array(row(b bigint, a varchar)))",
        '[{"b":9223372036854775807,"a":"x"},null,{"b":null,"a":""}]',
      ],
    ],
  },
  {
    type: 'map(varchar, decimal(38,0))',
    column: 'map(varchar,decimal(38,0))',
    back: 'CAST(json_parse($1) AS map(varchar, decimal(38,0)))',
    values: [
      [
        `CAST(MAP(ARRAY['__proto__'], ARRAY[DECIMAL '99999999999999999999999999999999999999']) AS map(varchar, decimal(38,0)))`,
        '{"__proto__":99999999999999999999999999999999999999}',
      ],
      [`CAST(MAP(ARRAY['a"b'], ARRAY[NULL]) AS map(varchar, decimal(38,0)))`, '{"a\\"b":null}'],
      [`CAST(MAP(ARRAY[''], ARRAY[0]) AS map(varchar, decimal(38,0)))`, '{"":0}'],
      ['CAST(MAP() AS map(varchar, decimal(38,0)))', '{}'],
      ['CAST(NULL AS map(varchar, decimal(38,0)))', 'null'],
    ],
  },
  {
    type: 'map(bigint, array(timestamp(12)))',
    column: 'map(bigint,array(timestamp(12)))',
    values: [
      [
        `MAP(ARRAY[9223372036854775807], ARRAY[ARRAY[TIMESTAMP '1969-12-31 23:59:59.999999999999', NULL]])`,
        '{"9223372036854775807":["1969-12-31 23:59:59.999999999999",null]}',
      ],
    ],
  },
  // A key has the same text as the value outside of maps.
  ...(
    [
      ['boolean', 'true', 'true'],
      [
        'decimal(38,18)',
        "DECIMAL '-99999999999999999999.999999999999999999'",
        '-99999999999999999999.999999999999999999',
      ],
      ['real', "REAL '1.4E-45'", '1.4E-45'],
      ['varchar', "CAST('a\"b' || chr(10) AS varchar)", 'a\\"b\\n'],
      ['char(3)', "CAST('a' AS char(3))", 'a  '],
      ['varbinary', "X'00ff'", 'AP8='],
      ['date', "DATE '-0043-03-15'", '-0043-03-15'],
      ['date', "DATE '10000-01-01'", '+10000-01-01'],
      ['time(12)', "TIME '23:59:59.999999999999'", '23:59:59.999999999999'],
      ['timestamp(12)', "TIMESTAMP '1969-12-31 23:59:59.999999999999'", '1969-12-31 23:59:59.999999999999'],
      ['timestamp(0)', "TIMESTAMP '12026-01-01 00:00:00'", '+12026-01-01 00:00:00'],
      [
        'timestamp(3) with time zone',
        "TIMESTAMP '2026-03-29 03:30:00.500 Europe/Berlin'",
        '2026-03-29 03:30:00.500 Europe/Berlin',
      ],
      ['uuid', "UUID '6fa459ea-ee8a-3ca4-894e-db77e160355e'", '6fa459ea-ee8a-3ca4-894e-db77e160355e'],
      ['ipaddress', "IPADDRESS '2001:db8::1:0:0:1'", '2001:db8::1:0:0:1'],
      ['interval day to second', "-INTERVAL '36' HOUR", 'P-1DT-12H'],
      ['interval year to month', "INTERVAL '14' MONTH", 'P1Y2M'],
    ] as const
  ).map(
    ([key, sql, text]): HostileType => ({
      type: `map(${key}, integer)`,
      column: `map(${key},integer)`,
      values: [[`MAP(ARRAY[${sql}], ARRAY[1])`, `{"${text}":1}`]],
    }),
  ),
  {
    type: 'map(double, char(2))',
    column: 'map(double,char(2))',
    values: [["MAP(ARRAY[nan()], ARRAY[CAST('a' AS char(2))])", '{"NaN":"a "}']],
  },
  {
    type: 'row of values that are text in JSON',
    column: 'row(b varbinary,u uuid,j json,d interval day to second,z time(0) with time zone)',
    values: [
      [
        `CAST(ROW(X'00ff', UUID '6fa459ea-ee8a-3ca4-894e-db77e160355e', JSON '{"a":"\\""}', -INTERVAL '0.5' SECOND,
           TIME '12:30:00-08:00')
           AS row(b varbinary, u uuid, j json, d interval day to second, z time(0) with time zone))`,
        '{"b":"AP8=","u":"6fa459ea-ee8a-3ca4-894e-db77e160355e","j":"{\\"a\\":\\"\\\\\\"\\"}","d":"PT-0.5S","z":"12:30:00-08:00"}',
      ],
    ],
  },
];
