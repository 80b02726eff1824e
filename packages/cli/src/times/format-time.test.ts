import { expect, it } from '@jest/globals';
import { formatDuration, formatTime, isoTime } from './format-time.ts';

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
