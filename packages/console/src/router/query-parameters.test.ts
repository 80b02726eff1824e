import { describe, expect, it } from '@jest/globals';
import { readFrom, readText, withParameters } from './query-parameters.ts';

describe('readFrom', () => {
  it.each([
    ['', 0],
    ['from=50', 50],
    ['from=-1', 0],
    ['from=1.5', 0],
    ['from=1000000000', 0],
    ['from=x', 0],
  ])('reads "%s" as %d', (query, expected) => expect(readFrom(new URLSearchParams(query))).toBe(expected));
});

it('reads texts without characters that the host rejects', () => {
  const values = new URLSearchParams({ q: 'a\0b\ud800', empty: '' });
  expect([readText(values, 'q'), readText(values, 'empty'), readText(values, 'absent')]).toEqual([
    'ab\ufffd',
    undefined,
    undefined,
  ]);
});

describe('withParameters', () => {
  it('keeps the other parameters, and removes what is empty', () => {
    expect(withParameters('?view=users&q=a&from=50', { q: 'b', from: undefined })).toBe('view=users&q=b');
    expect(withParameters('?view=users&q=a', { q: '', from: 0 })).toBe('view=users');
  });
});
