import { trinoLiteral } from '@sluice/engine/testing';
import { type HostileType, same, type Values } from '../hostile-type.ts';
import { inQuotes } from './written-values.ts';

const HOSTILE = [
  ...[
    '',
    ' ',
    '  a  ',
    'NULL',
    'null',
    'a,b',
    'say "hi"',
    '"',
    '""',
    "it's",
    '\t',
    '=1+1',
    '+AA==',
    '\\',
    '\\n',
    '\\u0000',
  ],
  ...['__proto__', '{"a":1}', '[1,2]', 'data: {"type":"complete"}', 'two\nlines', 'a\r\n\rb', '\n\ndata: {}\n\n'],
  ...['nu\u0000l', '\u0001\b\f\u001f\u007f', '\u0085', '\u2028', '\u2029', '\ufeff', '\ufffd', '\u{10ffff}'],
  ...['😀é', 'e\u0301', '\ud83d\udc68\u200d\ud83d\udc69', 'مرحبا', '\u202eabc', '𝒳'.repeat(300)],
];

const valuesOf = (type: string, texts: readonly string[]): Values => [
  ...texts.map((text) => [`CAST(${trinoLiteral(text)} AS ${type})`, JSON.stringify(text)] as const),
  [`CAST(NULL AS ${type})`, 'null'],
];

export const STRINGS: readonly HostileType[] = [
  {
    type: 'varchar',
    column: 'varchar',
    isOwnText: true,
    back: 'CAST($1 AS varchar)',
    values: valuesOf('varchar', HOSTILE),
  },
  {
    type: 'varchar(700)',
    column: 'varchar(700)',
    isOwnText: true,
    back: 'CAST($1 AS varchar(700))',
    values: valuesOf('varchar(700)', HOSTILE),
  },
  {
    type: 'char(4)',
    column: 'char(4)',
    back: 'CAST($1 AS char(4))',
    values: [
      ["CAST('' AS char(4))", '"    "'],
      ["CAST('ab' AS char(4))", '"ab  "'],
      ["CAST(' a' AS char(4))", '" a  "'],
      ["CAST('😀é' AS char(4))", '"😀é  "'],
      ["CAST('\"' || chr(10) AS char(4))", '"\\"\\n  "'],
      ['CAST(chr(0) AS char(4))', '"\\u0000   "'],
      ['CAST(NULL AS char(4))', 'null'],
    ],
  },
  {
    type: 'varbinary',
    column: 'varbinary',
    back: 'from_base64($1)',
    values: [
      ["X''", '""'],
      ["X'00'", '"AA=="'],
      ["X'00ff0a'", '"AP8K"'],
      ["X'f8'", '"+A=="'],
      [`X'${'fb'.repeat(3)}'`, '"+/v7"'],
      ['CAST(NULL AS varbinary)', 'null'],
    ],
  },
  {
    type: 'json',
    column: 'json',
    back: 'json_parse($1)',
    values: [
      [`JSON 'null'`, '"null"'],
      [`JSON '"null"'`, '"\\"null\\""'],
      [`JSON '9007199254740993'`, '"9007199254740993"'],
      [
        `JSON '{"b": [null, "\\u0000", {"": {}}], "a": ""}'`,
        '"{\\"a\\":\\"\\",\\"b\\":[null,\\"\\\\u0000\\",{\\"\\":{}}]}"',
      ],
      ['CAST(NULL AS json)', 'null'],
    ],
  },
  inQuotes('uuid', same('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')),
  inQuotes('ipaddress', [
    ...same('0.0.0.0', '255.255.255.255', '::', '::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '1:0:0:2::3'),
    ['2001:0DB8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
  ]),
];
