import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTextParser } from './parse-events.ts';
import { createRowSplitter } from './split-row.ts';

const valueText = fc.oneof(
  fc.constantFrom(
    '9223372036854775807',
    '250.00',
    '-0.0',
    '1.0E300',
    'null',
    'true',
    '"\\\\"',
    '"\\"}"',
    '"},{\\u0022"',
  ),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);
const member = fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', 'a"b', 'a\n')), valueText);
const members = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 8 });
const objectOf = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

it('splits a row into the JSON of its values, digit by digit', () => {
  fc.assert(
    fc.property(members, fc.string(), (entries, before) => {
      const split = createRowSplitter(entries.map(([name]) => ({ name, type: 'varchar' })));
      const text = objectOf(entries);
      const { row, end } = split(`${before}${text}}\n\n`, before.length);
      expect(row).toEqual(entries.map(([, value]) => value));
      expect(end).toBe(before.length + text.length);
    }),
  );
});

it('rejects a row that is cut, or has other names than the columns', () => {
  const split = createRowSplitter([{ name: 'a', type: 'varchar' }]);
  const text = '{"a":["x",{"b":"\\""}]}';
  for (let end = 0; end < text.length; end += 1) expect(() => split(text.slice(0, end), 0)).toThrow(SyntaxError);
  for (const other of ['{"b":1}', '{"a":1,"b":2}', '{}', '[1]', '{"a":}'])
    expect(() => split(other, 0)).toThrow(SyntaxError);
});

it('parses a block that mixes rows with other events', () => {
  const parse = createTextParser();
  const block = [
    'data: {"type":"metadata","columns":[{"name":"a","type":"bigint"}]}\n\n',
    ': keep-alive\n\n',
    'data: {"type":"row","data":{"a":1}}\n\n',
    'data: {"type":"row","data":{"a":null}}\n\n',
    'data: {"type":"complete","rows":2}\n\n',
  ].join('');
  expect(parse(block)).toEqual([
    { event: { type: 'metadata', columns: [{ name: 'a', type: 'bigint' }] } },
    { rows: [['1'], ['null']] },
    { event: { type: 'complete', rows: 2 } },
  ]);
  expect(parse('data: {"type":"row","data":{"a":3}}\n\n')).toEqual([{ rows: [['3']] }]);
});
