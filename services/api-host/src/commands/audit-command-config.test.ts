import { describe, expect, it } from '@jest/globals';
import { toRetentionMs } from './audit-command-config.ts';

describe('toRetentionMs', () => {
  it('returns the milliseconds of a duration, and undefined for the default', () => {
    expect(toRetentionMs('30d')).toBe(30 * 86_400_000);
    expect(toRetentionMs('default')).toBeUndefined();
  });

  it.each(['', '0', '1h', 'forever', '36501d'])('rejects %j', (value) => {
    expect(() => toRetentionMs(value)).toThrow('--keep');
  });
});
