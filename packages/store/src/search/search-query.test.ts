import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { tiersOf } from './search-query.ts';

const prefixesOf = (words: number): number[] => {
  const choices = Array.from({ length: words }, (_, index) => [`word${index}`]);
  return tiersOf(randomUUID(), 'DATAMAP', choices).map((query) => query.split(':*').length - 1);
};

describe('tiersOf', () => {
  it('ranks by word prefixes, and a long query by whole words, so that it does not search a prefix for each word', () => {
    expect(prefixesOf(1)).toEqual([0, 1, 1, 1]);
    expect(prefixesOf(8)).toEqual([0, 8, 8, 1]);
    expect(prefixesOf(9)).toEqual([0, 0, 0, 1]);
  });
});
