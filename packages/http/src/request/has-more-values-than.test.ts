import { describe, expect, it } from '@jest/globals';
import { hasMoreValuesThan } from './has-more-values-than.ts';

describe('holdsMoreThan', () => {
  it('counts members and elements at every depth', () => {
    const value = { a: [1, 2, { b: null }], c: 'text' };
    expect(hasMoreValuesThan(value, 6)).toBe(false);
    expect(hasMoreValuesThan(value, 5)).toBe(true);
  });

  it('counts nothing in what holds nothing', () => {
    for (const value of [null, 1, 'long text', [], {}]) expect(hasMoreValuesThan(value, 0)).toBe(false);
  });
});
