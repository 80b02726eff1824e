import { expect, it } from '@jest/globals';
import { findJsonFault } from './find-json-fault.ts';

it.each([
  ['{"sql": "SELECT 1"', 'end at 1:19'],
  ['{"sql": "SELECT 1",}', '1:20'],
  ["{'sql': 1}", '1:2'],
  ['{sql: 1}', '1:2'],
  ['{"a": 1 "b": 2}', '1:9'],
  ['{"a" 1}', '1:6'],
  ['{"a": }', '1:7'],
  ['[1,]', '1:4'],
  ['[1 2]', '1:4'],
  ['[01]', '1:3'],
  ['[1.]', '1:3'],
  ['[NaN]', '1:2'],
  ['[tru]', '1:2'],
  ['{} {}', '1:4'],
  ['1,2', '1:2'],
  ['{"a": [1}', '1:9'],
  [']', '1:1'],
  ['// note', '1:1'],
  ['"a\nb"', '1:3'],
  ['"\\x"', '1:2'],
  ['"\\u12"', '1:2'],
  ['"a', 'end at 1:3'],
  [' ', 'end at 1:2'],
  ['{\n  "é😀": 1,\r\n  "a": \u00a01\n}', '3:8'],
  ['"é😀\\"é😀" x', '1:10'],
])('finds the mistake of %j at %s', (text, place) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  const { line, column, isEnd } = findJsonFault(text);
  expect(`${isEnd ? 'end at ' : ''}${line}:${column}`).toBe(place);
});

it('finds a mistake at any depth', () => {
  expect(findJsonFault('['.repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001, isEnd: true });
});

it('finds the one character that was inserted into valid JSON', () => {
  const text = JSON.stringify({ a: [1, -2.5e10, 'x"\\\u0007', { b: null, c: [true, [], {}] }], d: { '': false } });
  for (let index = 0; index <= text.length; index += 1) {
    const broken = `${text.slice(0, index)}\u0001${text.slice(index)}`;
    // A number, or a word of letters, that is cut is a violation at its start.
    const { line, column } = findJsonFault(broken);
    expect({ index, line, isNear: column - 1 <= index && column - 1 >= index - 'false'.length }).toEqual({
      index,
      line: 1,
      isNear: true,
    });
  }
});
