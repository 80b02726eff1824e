import { describe, expect, it } from '@jest/globals';
import { LIMITS, limitInput, loweredLimits, parseLimit } from './tenant-limits.ts';

const NONE = {
  query_time_ms: null,
  queries_per_user: null,
  queries_per_tenant: null,
  rows_max: null,
  bytes_max: null,
  keep_time_ms: null,
  kept_bytes_max: null,
  console_keep_ms: null,
};
const OPERATOR = {
  ...NONE,
  query_time_ms: 1_800_000,
  queries_per_user: 8,
  queries_per_tenant: 20,
  keep_time_ms: 604_800_000,
  kept_bytes_max: 1_000_000,
  console_keep_ms: 604_800_000,
};
const [TIME, PER_USER, , , , KEEP_TIME] = LIMITS;

describe('limits of a tenant', () => {
  it('are shown in seconds, and empty if the tenant has none', () => {
    const input = limitInput({ own: { ...NONE, query_time_ms: 1500, rows_max: 10 } });
    expect(input).toEqual({
      query_time_ms: '1.5',
      queries_per_user: '',
      queries_per_tenant: '',
      rows_max: '10',
      bytes_max: '',
      keep_time_ms: '',
      kept_bytes_max: '',
      console_keep_ms: '',
    });
  });

  it.each([
    ['600', 600_000],
    [' 1.5 ', 1500],
    ['', null],
    ['0.5', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['ten', undefined],
    ['9'.repeat(15), undefined],
  ])('reads %p seconds as %p ms', (text, expected) => {
    expect(parseLimit(text, TIME)).toBe(expected);
  });

  it('reads only whole numbers of queries', () => {
    expect(['3', '3.5', '0'].map((text) => parseLimit(text, PER_USER))).toEqual([3, undefined, undefined]);
  });

  it('read 0 as a time for which nothing is kept', () => {
    expect(parseLimit('0', KEEP_TIME)).toBe(0);
  });

  it('lowers what is in force, and nothing else', () => {
    const limits = { own: NONE, operator: OPERATOR, effective: { ...OPERATOR, query_time_ms: 600_000 } };
    expect(loweredLimits(limits, { ...NONE, query_time_ms: 900_000, queries_per_user: 9, rows_max: 5 })).toEqual([
      { name: 'rows_max', from: null, to: 5 },
    ]);
    expect(loweredLimits(limits, { ...NONE, query_time_ms: 60_000, queries_per_user: 8 })).toEqual([
      { name: 'query_time_ms', from: 600_000, to: 60_000 },
    ]);
  });
});
