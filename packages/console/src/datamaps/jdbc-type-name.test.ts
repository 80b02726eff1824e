import { describe, expect, it } from '@jest/globals';
import { jdbcTypeName } from './jdbc-type-name.ts';

describe('jdbcTypeName', () => {
  it.each([
    [{ data_type: -5, java_type: 'java.lang.Long', column_size: 19, decimal_digits: 0 }, 'bigint'],
    [{ data_type: 3, java_type: 'java.math.BigDecimal', column_size: 10, decimal_digits: 2 }, 'decimal(10,2)'],
    [{ data_type: 2000, java_type: 'java.util.UUID', column_size: 36, decimal_digits: 0 }, 'uuid'],
    [{ data_type: 2000, java_type: 'java.util.Map', column_size: 0, decimal_digits: 0 }, 'map'],
    [{ data_type: 1111, java_type: 'java.lang.String', column_size: 0, decimal_digits: 0 }, 'string'],
  ])('of %j is %s', (column, name) => {
    expect(jdbcTypeName(column)).toBe(name);
  });
});
