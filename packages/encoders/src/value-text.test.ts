import { describe, expect, it } from '@jest/globals';
import { mayExceedDouble } from './value-text.ts';

describe('mayExceedDouble', () => {
  it.each(['bigint', 'number', 'decimal(16,0)', 'decimal(20,0)', 'decimal(38,18)'])('is true for %s', (type) => {
    expect(mayExceedDouble(type)).toBe(true);
  });

  it.each([
    'tinyint',
    'integer',
    'decimal(15,2)',
    'decimal(1,1)',
    'double',
    'real',
    'varchar',
    'array(bigint)',
    'timestamp(6)',
  ])('is false for %s', (type) => {
    expect(mayExceedDouble(type)).toBe(false);
  });
});
