import { expect, it } from '@jest/globals';
import { formatBytes, formatClock, formatRows } from './quantity.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.00 kB'],
  [210_365, '210 kB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [12_345_678, '12.3 MB'],
  [1_250_000_000, '1.25 GB'],
  [5e15, '5000 TB'],
])('writes %d bytes as %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});

it.each([
  [0, '0:00'],
  [5999, '0:05'],
  [754_000, '12:34'],
  [3_723_000, '1:02:03'],
])('writes %d ms as %s', (ms, expected) => {
  expect(formatClock(ms)).toBe(expected);
});

it('writes rows with separators, and one row in the singular', () => {
  expect([formatRows(1), formatRows(1234567)]).toEqual(['1 row', '1,234,567 rows']);
});
