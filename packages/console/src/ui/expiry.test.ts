import { describe, expect, it } from '@jest/globals';
import { dateText, EXPIRY_CHOICES, expiryOf } from './expiry.ts';

const NOW = new Date('2026-11-25T12:00:00').getTime();

describe('expiryOf', () => {
  it.each([
    ['days-30', '2026-12-25'],
    ['days-90', '2027-02-23'],
    ['days-365', '2027-11-25'],
  ] as const)('is the end of the day for %s', (choice, date) => {
    const end = expiryOf(choice, '', NOW) ?? 0;
    expect([dateText(end), new Date(end + 1).getHours()]).toEqual([date, 0]);
  });

  it('is null for access without an end', () => {
    expect(expiryOf('never', '', NOW)).toBeNull();
  });

  it.each(['', '2026-11-24', '2026-02-30', '10000-01-01', '9999-12-31', 'tomorrow'])(
    'rejects the date "%s"',
    (date) => {
      expect(expiryOf('date', date, NOW)).toBeUndefined();
    },
  );

  it('accepts today, until its end', () => {
    expect(expiryOf('date', '2026-11-25', NOW)).toBeGreaterThan(NOW);
  });

  it('has a result for every choice', () => {
    for (const choice of EXPIRY_CHOICES) expect(expiryOf(choice, '2030-01-01', NOW)).not.toBeUndefined();
  });
});
