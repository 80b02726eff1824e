import { type HostileType, same, type Values } from '../hostile-type.ts';
import { written } from './written-values.ts';

export const STRINGS: readonly HostileType[] = [
  {
    type: 'VARCHAR',
    column: 'varchar',
    isOwnText: true,
    back: '$1::VARCHAR',
    values: [
      ...([
        ...[
          '',
          ' ',
          'NULL',
          'null',
          'a,b',
          'say "hi"',
          '"',
          "it''s",
          '\t',
          '=1+1',
          '\\',
          '\\n',
          '__proto__',
          '{"a":1}',
        ],
        ...[
          'data: {"type":"complete"}',
          '\u2028',
          '\u2029',
          '\u0085',
          '\ufeff',
          '😀é',
          'e\u0301',
          '\ud83d\udc68\u200d\ud83d\udc69',
        ],
      ].map((text) => [`'${text}'`, JSON.stringify(text.replaceAll("''", "'"))] as const) satisfies Values),
      ["'two' || chr(10) || 'lines'", '"two\\nlines"'],
      ["'a' || chr(13) || chr(10) || chr(13) || 'b'", '"a\\r\\n\\rb"'],
      ["chr(10) || chr(10) || 'data: {}' || chr(10) || chr(10)", '"\\n\\ndata: {}\\n\\n"'],
      ["'nu' || chr(0) || 'l'", '"nu\\u0000l"'],
      ['chr(1) || chr(8) || chr(12) || chr(31) || chr(127)', '"\\u0001\\b\\f\\u001f\\u007f"'],
      ['NULL::VARCHAR', 'null'],
    ],
  },
  {
    type: "ENUM('a\"b', 'c,d', '')",
    column: 'varchar',
    isOwnText: true,
    values: [
      [`'a"b'::ENUM('a"b', 'c,d', '')`, '"a\\"b"'],
      [`'c,d'::ENUM('a"b', 'c,d', '')`, '"c,d"'],
      [`''::ENUM('a"b', 'c,d', '')`, '""'],
    ],
  },
  written('UUID', 'uuid', same('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')),
  {
    type: 'BLOB',
    column: 'varbinary',
    back: 'from_base64($1)',
    values: [
      [`''::BLOB`, '""'],
      [`'\\x00\\xFF\\x0A'::BLOB`, '"AP8K"'],
      [`'\\x00'::BLOB`, '"AA=="'],
      ['NULL::BLOB', 'null'],
    ],
  },
  written('BIT', 'varchar', same('0', '1', '01'.repeat(100))),
  {
    type: 'JSON',
    column: 'json',
    isOwnText: true,
    back: '$1::JSON',
    values: [
      [`'{"a": [1.50, null]}'::JSON`, '"{\\"a\\": [1.50, null]}"'],
      [`'null'::JSON`, '"null"'],
      [`'9007199254740993'::JSON`, '"9007199254740993"'],
      ['NULL::JSON', 'null'],
    ],
  },
  {
    type: 'VARIANT',
    column: 'json',
    values: [
      [`{'a': 1.50, 'b': '1'}::VARIANT`, '"{\\"a\\":1.50,\\"b\\":\\"1\\"}"'],
      ['NULL::VARIANT', 'null'],
    ],
  },
  {
    type: 'UNION',
    column: 'varchar',
    values: [
      ['1::UNION(n INTEGER, s VARCHAR)', '"1"'],
      [`'"'::UNION(n INTEGER, s VARCHAR)`, '"\\""'],
    ],
  },
  { type: 'GEOMETRY', column: 'varchar', values: [[`'POINT(1 2)'::GEOMETRY`, '"POINT (1 2)"']] },
];
