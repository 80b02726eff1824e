import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { intervalText } from './interval-text.ts';

describe('intervalText', () => {
  it.each([
    ['0-0', 'PT0S'],
    ['2-3', 'P2Y3M'],
    ['-2-3', 'P-2Y-3M'],
    ['0-11', 'P11M'],
    ['0 00:00:00.000', 'PT0S'],
    ['1 02:03:04.567', 'P1DT2H3M4.567S'],
    ['-1 02:03:04.567', 'P-1DT-2H-3M-4.567S'],
    ['3 00:00:00.000', 'P3D'],
    ['0 00:00:07.000', 'PT7S'],
    ['-0 00:00:00.500', 'PT-0.5S'],
  ])('writes %s as %s', (text, iso) => {
    expect(intervalText(text)).toBe(iso);
  });

  it('does not change text of another form', () => {
    expect(intervalText('a day')).toBe('a day');
  });

  it('keeps every millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (ms) => {
        const digits = (value: number, length: number): string => String(Math.floor(value)).padStart(length, '0');
        const time = [(ms / 3_600_000) % 24, (ms / 60_000) % 60, (ms / 1_000) % 60].map((value) => digits(value, 2));
        const text = `${digits(ms / 86_400_000, 1)} ${time.join(':')}.${digits(ms % 1_000, 3)}`;
        const [, days = '0', hours = '0', minutes = '0', seconds = '0'] =
          /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(intervalText(text)) ?? [];
        const read =
          ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1_000);
        expect(read).toBe(ms);
      }),
    );
  });
});
