import { describe, expect, it } from '@jest/globals';
import { countValues } from './count-values.ts';

describe('countValues', () => {
  it('counts members and elements at any depth', () => {
    expect(countValues({ a: [1, 2, { b: null }], c: 'text' })).toBe(6);
  });

  it('counts no values in scalars and empty containers', () => {
    for (const value of [null, 1, 'long text', [], {}]) expect(countValues(value)).toBe(0);
  });
});
