import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { referenceKey } from './metadata-facts.ts';

const anyName = fc.string({ unit: fc.constantFrom('a', 'A', '"', ',', '.', '[', ' '), maxLength: 4 });
const anyTable = fc.record({
  type: fc.constantFrom('TABLE' as const, 'VIEW' as const),
  catalog: anyName,
  schema: anyName,
  name: anyName,
});

describe('referenceKey', () => {
  it('is equal exactly for tables and views with the same names', () => {
    fc.assert(
      fc.property(anyTable, anyTable, (one, other) => {
        const isSame = one.catalog === other.catalog && one.schema === other.schema && one.name === other.name;
        expect(referenceKey(one) === referenceKey(other)).toBe(isSame);
      }),
    );
  });

  it('ignores the case of the id of a datamap, and never equals the key of a table', () => {
    const id = '7C9E6679-7425-40DE-944B-E07FC1F90AE7';
    const key = referenceKey({ type: 'DATAMAP', id });
    expect(key).toBe(referenceKey({ type: 'DATAMAP', id: id.toLowerCase() }));
    expect(key).not.toBe(referenceKey({ type: 'TABLE', catalog: '', schema: '', name: id }));
  });
});
