import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../errors.ts';
import { formatDuration, formatTime, isoTime, parseTime } from './time.ts';

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [723_000, '12 min 3 s'],
  [3_599_600, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
])('writes %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('writes times in UTC, and null as null', () => {
  expect(formatTime(Date.UTC(2026, 0, 31, 8, 30))).toBe('2026-01-31 08:30:00Z');
  expect(isoTime(Date.UTC(2026, 0, 31, 8, 30, 0, 7))).toBe('2026-01-31T08:30:00.007Z');
  expect([formatTime(null), isoTime(null)]).toEqual([null, null]);
});

const NOW = Date.UTC(2026, 0, 31, 12);

it.each([
  [Date.UTC(2026, 0, 31, 8, 30, 15), '2026-01-31 08:30:15Z'],
  [-1, '1969-12-31 23:59:59Z'],
  [1e300, '1e+300'],
  [8.64e15 + 1, '8640000000000001'],
])('%d is shown as %s, also when a host sends a number that is not a time', (ms, expected) => {
  expect(formatTime(ms)).toBe(expected);
});

describe('parseTime', () => {
  it.each([
    ['30s', NOW - 30_000],
    ['15m', NOW - 900_000],
    ['24h', NOW - 86_400_000],
    ['7d', NOW - 604_800_000],
    ['2w', NOW - 1_209_600_000],
    ['9999w', 100_000_000_000],
    ['1970-01-01', 100_000_000_000],
    ['2026-01-30', Date.UTC(2026, 0, 30)],
    ['2026-01-30T08:30', Date.UTC(2026, 0, 30, 8, 30)],
    ['2026-01-30 08:30:15.250', Date.UTC(2026, 0, 30, 8, 30, 15, 250)],
    ['2026-01-30T08:30Z', Date.UTC(2026, 0, 30, 8, 30)],
    ['2026-01-30T08:30+02:00', Date.UTC(2026, 0, 30, 6, 30)],
  ])('reads %s', (text, expected) => {
    expect(parseTime('--since', text, NOW)).toBe(expected);
  });

  it.each([
    '',
    '7',
    'd',
    '-7d',
    '7 d',
    '1.5d',
    'yesterday',
    '2026-13-01',
    '2026-01-31T25:00',
    '31.01.2026',
    '1700000000000',
  ])('rejects "%s" and names the option and the forms', (text) => {
    expect(() => parseTime('--since', text, NOW)).toThrow(UsageError);
    expect(() => parseTime('--since', text, NOW)).toThrow(/--since must be a time ago \(30m/);
  });
});
