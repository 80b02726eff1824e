import { describe, expect, it } from '@jest/globals';
import { type FoundObject, missingObject, type RequiredObject } from './required-objects.ts';

const errorOf = (required: RequiredObject, ...found: readonly [number, number, string | null]) =>
  missingObject([required], [[0, ...found]])?.errorName;
const TABLE = { catalog: 'a', schema: 'b', table: 'c' };

describe('the error of a missing object', () => {
  it.each<[RequiredObject, [number, number, string | null], string | undefined]>([
    [{ catalog: 'a' }, [1, 0, null], undefined],
    [{ catalog: 'a' }, [0, 0, null], 'CATALOG_NOT_FOUND'],
    [{ catalog: 'a', schema: 'b' }, [1, 0, null], 'SCHEMA_NOT_FOUND'],
    [TABLE, [1, 1, null], 'TABLE_NOT_FOUND'],
    [TABLE, [1, 1, 'VIEW'], undefined],
    [{ ...TABLE, kind: 'TABLE' }, [1, 1, 'VIEW'], 'NOT_SUPPORTED'],
    [{ ...TABLE, kind: 'TABLE' }, [0, 0, null], 'TABLE_NOT_FOUND'],
    [{ ...TABLE, kind: 'VIEW' }, [1, 1, 'VIEW'], undefined],
  ])('is that of the first part: %j %j', (required, found, expected) => {
    expect(errorOf(required, ...found)).toBe(expected);
  });

  it('is that of the first object', () => {
    const found: readonly FoundObject[] = [
      [0, 1, 0, null],
      [1, 0, 0, null],
    ];
    expect(missingObject([{ catalog: 'a' }, { catalog: 'b' }], found)?.message).toBe("Catalog 'b' not found");
  });
});
