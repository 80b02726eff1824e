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

  it('shows an item of a list in each line', () => {
    const shown = { type: 'number', text: '1\n9007199254740993', isNull: false, isList: true };
    const value = [1, '9007199254740993'];
    expect(declaredEntry({ type: 'array(bigint)', required: false, default: value })).toEqual(shown);
    expect(declaredEntry({ type: 'array(timestamp(3) with time zone)', required: true, default: null })).toEqual({
      ...{ type: 'timestamp with time zone', text: '', isNull: false, isList: true },
    });
  });

  it('shows the default, and NULL for a parameter that may be left out', () => {
    expect(declaredEntry({ type: 'bigint', required: false, default: 5n })).toMatchObject({ text: '5', isNull: false });
    expect(declaredEntry({ type: 'varchar', required: false, default: null })).toMatchObject({ isNull: true });
  });
});
