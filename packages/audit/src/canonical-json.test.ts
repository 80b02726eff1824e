import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, canonicalMembers } from './canonical-json.ts';

/** Writes every second UTF-16 code unit of a string as an escape. */
const escaped = (text: string): string =>
  text
    .split('')
    .map((unit, index) =>
      index % 2 === 0 ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(unit).slice(1, -1),
    )
    .join('');

/** Writes the same value with other member order, white space and string escapes. */
const rewritten = (value: unknown): string => {
  if (Array.isArray(value)) return `[ ${value.map(rewritten).join(' ,\n')} ]`;
  if (typeof value === 'string') return `"${escaped(value)}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).reverse();
  return `{\t${members.map(([name, member]) => `${rewritten(name)} : ${rewritten(member)}`).join(', ')}\r\n}`;
};

describe('canonicalJson', () => {
  it('round-trips any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(canonicalJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('returns one text for every way to write a value, and is idempotent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const canonical = canonicalJson(JSON.stringify(value));
        expect(canonicalJson(rewritten(JSON.parse(JSON.stringify(value))))).toBe(canonical);
        expect(canonicalJson(canonical)).toBe(canonical);
      }),
    );
  });

  it('keeps the digits of numbers that a double cannot hold', () => {
    expect(canonicalJson('{"n": 9007199254740993, "m": 1.10}')).toBe('{"m":1.10,"n":9007199254740993}');
  });

  it('sorts members by UTF-16 code units', () => {
    expect(canonicalJson('{"\u{1f600}": 1, "\ufb33": 2, "a": 3, "B": 4}')).toBe(
      '{"B":4,"a":3,"\u{1f600}":1,"\ufb33":2}',
    );
  });

  it.each(['', '{', '{"a":1}x', '{"a"}', '[1,]', '"', 'nul', '01x', "{'a':1}"])('throws SyntaxError for %j', (text) => {
    expect(() => canonicalJson(text)).toThrow(SyntaxError);
  });
});

describe('canonicalMembers', () => {
  it('returns each member in canonical form', () => {
    expect([...canonicalMembers('{"b": {"y": 1, "x": 2}, "a": "\\u0061"}')]).toEqual([
      ['b', '{"x":2,"y":1}'],
      ['a', '"a"'],
    ]);
  });

  it('throws SyntaxError for a repeated name', () => {
    expect(() => canonicalMembers('{"a": 1, "\\u0061": 2}')).toThrow(SyntaxError);
  });
});
