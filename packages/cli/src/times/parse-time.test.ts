import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../errors.ts';
import { parseTime } from './parse-time.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

describe('parseTime', () => {
  it.each([
    ['30s', NOW - 30_000],
    ['15m', NOW - 900_000],
    ['24h', NOW - 86_400_000],
    ['7d', NOW - 604_800_000],
    ['2w', NOW - 1_209_600_000],
    ['9999w', 0],
    ['2026-01-30', Date.UTC(2026, 0, 30)],
    ['2026-01-30T08:30', Date.UTC(2026, 0, 30, 8, 30)],
    ['2026-01-30 08:30:15.250', Date.UTC(2026, 0, 30, 8, 30, 15, 250)],
    ['2026-01-30T08:30Z', Date.UTC(2026, 0, 30, 8, 30)],
    ['2026-01-30T08:30+02:00', Date.UTC(2026, 0, 30, 6, 30)],
  ])('reads %s', (text, expected) => {
    expect(parseTime('--since', text, NOW)).toBe(Math.max(0, expected));
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
