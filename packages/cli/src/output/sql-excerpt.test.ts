import { expect, it } from '@jest/globals';
import { excerptOf } from './sql-excerpt.ts';

it.each([
  ['SELECT x', 1, 8, ['LINE 1: SELECT x', '               ^']],
  ['SELECT 1\r\n\tFROM x', 2, 7, ['LINE 2:     FROM x', '                 ^']],
  ["SELECT '日本🎉', x", 1, 15, ["LINE 1: SELECT '日本🎉', x", `${' '.repeat(25)}^`]],
  ['SELECT', 1, 7, ['LINE 1: SELECT', '              ^']],
  ['SELECT', 3, 1, []],
  ['SELECT', 1, 60, []],
])('shows the place in %j', (sql, line, column, lines) => {
  expect(excerptOf(sql, { line, column })).toEqual(lines);
});

it('shows a part of a long line', () => {
  const [line = '', caret = ''] = excerptOf(`SELECT ${'1, '.repeat(500)}x, ${'2, '.repeat(500)}3`, {
    line: 1,
    column: 1508,
  });
  expect(line.length).toBeLessThan(120);
  expect(line[caret.length - 1]).toBe('x');
});
