import { describe, expect, it } from '@jest/globals';
import { declaredEntry } from './declared-entry.ts';

describe('declaredEntry', () => {
  it.each([
    ['bigint', 'number'],
    ['integer', 'number'],
    ['decimal(10,2)', 'number'],
    ['double', 'double'],
    ['timestamp(6) with time zone', 'timestamp with time zone'],
    ['timestamp(3)', 'timestamp'],
    ['time', 'time'],
    ['date', 'date'],
    ['uuid', 'uuid'],
    ['varchar', 'varchar'],
    ['interval', 'varchar'],
  ])('shows %s as %s', (type, shown) => {
    expect(declaredEntry({ type, required: true, default: null })).toEqual({ type: shown, text: '', isNull: false });
  });

  it('shows the default, and NULL for a parameter that may be left out', () => {
    expect(declaredEntry({ type: 'bigint', required: false, default: 5n })).toMatchObject({ text: '5', isNull: false });
    expect(declaredEntry({ type: 'varchar', required: false, default: null })).toMatchObject({ isNull: true });
  });
});
