import type { HostileType } from '../hostile-type.ts';

export const NESTED: readonly HostileType[] = [
  {
    type: 'BIGINT[]',
    column: 'array(bigint)',
    back: '$1::JSON::BIGINT[]',
    values: [
      ['[]::BIGINT[]', '[]'],
      ['[9223372036854775807, NULL, -9223372036854775808]', '[9223372036854775807,null,-9223372036854775808]'],
      ['NULL::BIGINT[]', 'null'],
    ],
  },
  {
    type: 'DECIMAL(38,18)[][]',
    column: 'array(array(decimal(38,18)))',
    values: [
      [
        `[['99999999999999999999.999999999999999999'::DECIMAL(38,18)], [], NULL]`,
        '[[99999999999999999999.999999999999999999],[],null]',
      ],
    ],
  },
  {
    type: 'DOUBLE[4]',
    column: 'array(double)',
    values: [
      [`['nan', '-inf', NULL, '-0']::DOUBLE[4]`, '["NaN","-Infinity",null,-0.0]'],
      ['NULL::DOUBLE[4]', 'null'],
    ],
  },
  {
    type: 'VARCHAR[]',
    column: 'array(varchar)',
    back: '$1::JSON::VARCHAR[]',
    values: [
      [
        `['a,b', '"', '', NULL, '\u2028', chr(0), chr(10), '\\']`,
        '["a,b","\\"","",null,"\u2028","\\u0000","\\n","\\\\"]',
      ],
    ],
  },
  {
    type: 'STRUCT("__proto__" INTEGER, "toJSON" DECIMAL(3,2)[], "10" VARCHAR, "2" STRUCT("constructor" BIGINT))',
    column: 'row(__proto__ integer,"toJSON" array(decimal(3,2)),"10" varchar,"2" row(constructor bigint))',
    values: [
      [
        `{'__proto__': 1, 'toJSON': [1.50, NULL], '10': 'x', '2': {'constructor': 9223372036854775807}}`,
        '{"__proto__":1,"toJSON":[1.50,null],"10":"x","2":{"constructor":9223372036854775807}}',
      ],
    ],
  },
  {
    type: 'MAP(VARCHAR, HUGEINT)',
    column: 'map(varchar,number)',
    values: [
      [
        `MAP {'__proto__': 170141183460469231731687303715884105727::HUGEINT, '': NULL, 'a"b': 0}`,
        '{"__proto__":170141183460469231731687303715884105727,"":null,"a\\"b":0}',
      ],
      ['MAP {}::MAP(VARCHAR, HUGEINT)', '{}'],
      ['NULL::MAP(VARCHAR, HUGEINT)', 'null'],
    ],
  },
  {
    type: 'MAP(DOUBLE, TIMESTAMP_NS[])',
    column: 'map(double,array(timestamp(9)))',
    values: [
      [
        `MAP {'nan'::DOUBLE: ['2262-04-11 23:47:16.854775806'::TIMESTAMP_NS], 1.5: NULL}`,
        '{"NaN":["2262-04-11 23:47:16.854775806"],"1.5":null}',
      ],
    ],
  },
  {
    type: 'BLOB[]',
    column: 'array(varbinary)',
    values: [[`['\\x00\\xFF'::BLOB, NULL]`, '["AP8=",null]']],
  },
];
