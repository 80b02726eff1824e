import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prettyJson } from './pretty-json.ts';

const ALL = Number.MAX_SAFE_INTEGER;

describe('prettyJson', () => {
  it('writes a line for each element', () => {
    expect(prettyJson('{"a":[1,{"b":"x, {y}"}],"c":{},"d":[ ]}', ALL)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x, {y}"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('keeps every digit and escape', () => {
    expect(prettyJson('[9007199254740993.10,1e300,"a\\u0000\\"b"]', ALL)).toBe(
      '[\n  9007199254740993.10,\n  1e300,\n  "a\\u0000\\"b"\n]',
    );
  });

  it('has the same value as the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(prettyJson(json, ALL))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('ends for any text, within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', ' ') }), (text) => {
        expect(prettyJson(text, 50).length).toBeLessThanOrEqual(50);
      }),
    );
  });
});
