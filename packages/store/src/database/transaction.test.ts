import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prepared } from './transaction.ts';

const NAME_BYTES_MAX = 63;

describe('prepared', () => {
  it('returns equal names for one label exactly when the statements are equal', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '$1'), maxLength: 4 });
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(prepared('count', one).name === prepared('count', other).name).toBe(one === other);
      }),
    );
  });

  it('returns names that PostgreSQL does not truncate', () => {
    for (const label of ['count', 'finish_queries', 'forget_idempotency_keys', 'status_of_session']) {
      expect(Buffer.byteLength(prepared(label, 'select 1').name)).toBeLessThanOrEqual(NAME_BYTES_MAX);
    }
  });
});
