import { describe, expect, it } from '@jest/globals';
import { requireFound } from './target.ts';

describe('requireFound', () => {
  const row = { version: 3 };

  it('returns the row in the version that the caller has read', () => {
    expect(requireFound(row, { what: 'role' })).toBe(row);
    expect(requireFound(row, { what: 'role', version: 3 })).toBe(row);
  });

  it('throws not_found for a missing row, and precondition_failed for another version', () => {
    const problem = (code: string) => expect.objectContaining({ code });
    expect(() => requireFound(undefined, { what: 'role', version: 3 })).toThrow(problem('not_found'));
    expect(() => requireFound(row, { what: 'role', version: 2 })).toThrow(problem('precondition_failed'));
  });
});
