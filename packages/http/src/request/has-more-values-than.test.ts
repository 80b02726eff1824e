import { describe, expect, it } from '@jest/globals';
import { hasMoreValuesThan } from './has-more-values-than.ts';

describe('hasMoreValuesThan', () => {
  it('counts members and elements at any depth', () => {
    const value = { a: [1, 2, { b: null }], c: 'text' };
    expect(hasMoreValuesThan(value, 6)).toBe(false);
    expect(hasMoreValuesThan(value, 5)).toBe(true);
  });

  it('counts no values in scalars and empty containers', () => {
    for (const value of [null, 1, 'long text', [], {}]) expect(hasMoreValuesThan(value, 0)).toBe(false);
  });
});
