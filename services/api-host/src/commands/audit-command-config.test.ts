import { describe, expect, it } from '@jest/globals';
import { keepMsOf } from './audit-command-config.ts';

describe('keepMsOf', () => {
  it('returns the milliseconds of a duration, and undefined for the default', () => {
    expect(keepMsOf('30d')).toBe(30 * 86_400_000);
    expect(keepMsOf('default')).toBeUndefined();
  });

  it.each(['', '0', '1h', 'forever', '36501d'])('rejects %j', (value) => {
    expect(() => keepMsOf(value)).toThrow('--keep');
  });
});
