import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBlank, splitStatement } from './split-statement.ts';

describe('splitStatement', () => {
  it.each([
    ['SELECT 1; SELECT 2', 'SELECT 1', ' SELECT 2'],
    ["SELECT ';', 'it''s;';", "SELECT ';', 'it''s;'", ''],
    ['SELECT ";""", a FROM t;', 'SELECT ";""", a FROM t', ''],
    ['SELECT 1 -- not; here\n;x', 'SELECT 1 -- not; here\n', 'x'],
    ['SELECT /* ; /* ; */ ; */ 1;', 'SELECT /* ; /* ; */ ; */ 1', ''],
    ['SELECT $$;$$, $tag$;$$;$tag$;', 'SELECT $$;$$, $tag$;$$;$tag$', ''],
    ['SELECT $a, $b;', 'SELECT $a, $b', ''],
    ['SELECT a$b$;', 'SELECT a$b$', ''],
    ["SELECT e'\\';';", "SELECT e'\\';'", ''],
    ["SELECT name'\\';x", "SELECT name'\\'", 'x'],
    ["SELECT '--';", "SELECT '--'", ''],
    ['SELECT a - -1;', 'SELECT a - -1', ''],
    [';', '', ''],
  ])('splits %j', (text, statement, rest) => {
    expect(splitStatement(text)).toEqual({ statement, rest, open: 'text' });
  });

  it.each([
    ['SELECT 1', 'text'],
    ["SELECT ';", 'string'],
    ['SELECT ";', 'name'],
    ['SELECT /* ;', 'comment'],
    ['SELECT $x$ ; $$', 'dollar quote'],
    ['SELECT 1 -- ;', 'text'],
  ])('waits for the end of %j', (text, open) => {
    expect(splitStatement(text)).toEqual({ statement: undefined, rest: text, open });
  });

  it('loses no character, wherever lines end', () => {
    const piece = fc.constantFrom("'", '"', ';', '--', '/*', '*/', '$$', '$a$', '\n', ' ', 'x', 'e', '\\');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let rest = pieces.join('');
        let rebuilt = '';
        for (;;) {
          const split = splitStatement(rest);
          if (split.statement === undefined) break;
          rebuilt += `${split.statement};`;
          rest = split.rest;
        }
        expect(`${rebuilt}${rest}`).toBe(pieces.join(''));
      }),
    );
  });
});

it.each([
  ['', true],
  [' \n-- only this', true],
  ['/* a */ -- b\n', true],
  ['/* a', false],
  ['x -- a', false],
])('isBlank(%j) is %j', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});
