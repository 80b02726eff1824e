import { describe, expect, it } from '@jest/globals';
import { findJsonPositions } from './find-json-positions.ts';

const found = (text: string, ...paths: PropertyKey[][]): readonly string[] =>
  findJsonPositions(text, paths).map((index) => text.slice(index, index + 4));

describe('findJsonPositions', () => {
  it('finds keys and elements at any depth', () => {
    const text = '{"a": [1, {"b": "x"}, [true, "last"]], "c": {"d\\u0065": null}, "": 7}';
    expect(found(text, ['a'], ['a', 0], ['a', 1, 'b'], ['a', 2, 1], ['c', 'de'], [''])).toEqual([
      '"a":',
      '1, {',
      '"b":',
      '"las',
      '"d\\u',
      '"": ',
    ]);
  });

  it('finds the nearest place around a path that the text does not have', () => {
    const text = '{"a": [{"b": 1}, {}]}';
    expect(found(text, ['a', 0, 'x'], ['a', 1, 'b', 'c'], ['a', 9], ['z'])).toEqual(['{"b"', '{}]}', '"a":', '{"a"']);
  });

  it('is not misled by brackets, quotes and commas in strings, and takes the last of two equal keys', () => {
    const text = String.raw`{"a]\"": ["x,[{", "y"], "b": 1, "b": 2}`;
    expect(found(text, ['a]"', 1], ['b'])).toEqual(['"y"]', '"b":']);
    expect(findJsonPositions(text, [['b']])[0]).toBe(text.lastIndexOf('"b"'));
    expect(findJsonPositions('[]', [[0]])).toEqual([0]);
    expect(findJsonPositions('7', [['a']])).toEqual([0]);
  });
});
