import { describe, expect, it } from '@jest/globals';
import { readEntry } from '../editor/parameters/parameter-entry.ts';
import { pastEntries } from './past-entries.ts';

describe('pastEntries', () => {
  it.each([
    [
      { type: 'bigint', value: '9007199254740993' },
      { type: 'bigint', value: '9007199254740993' },
    ],
    [
      { type: 'date', value: '2026-01-31' },
      { type: 'date', value: '2026-01-31' },
    ],
    [
      { type: 'date', value: null },
      { type: 'date', value: null },
    ],
    [
      { type: 'array(date)', value: ['2026-01-01', '2026-01-02'] },
      { type: 'array(date)', value: ['2026-01-01', '2026-01-02'] },
    ],
    ['x', { type: 'varchar', value: 'x' }],
    [null, { type: 'varchar', value: null }],
    [true, { type: 'boolean', value: 'true' }],
    [['a', 'b'], { type: 'array(varchar)', value: ['a', 'b'] }],
  ])('shows %j so that it is sent as it was', (sent, again) => {
    const { p: entry } = pastEntries({ p: sent });
    expect(entry && readEntry(entry)).toEqual(again);
  });
});
