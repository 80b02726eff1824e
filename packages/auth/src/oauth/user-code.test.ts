import { describe, expect, it } from '@jest/globals';
import { createUserCode, formatUserCode, hashUserCode, readUserCode } from './user-code.ts';

describe('a user code', () => {
  it('has eight letters, and is read again as it is shown or typed', () => {
    const code = createUserCode();
    expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{8}$/);
    const shown = formatUserCode(code);
    expect(shown).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    for (const typed of [shown, code.toLowerCase(), ` ${[...code].join(' ')} `]) expect(readUserCode(typed)).toBe(code);
  });

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB_MJHT', '1234-5678'])('is not %p', (typed) => {
    expect(readUserCode(typed)).toBeUndefined();
  });

  it('has another hash under another key', () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(hashUserCode(one, 'WDJBMJHT')).not.toEqual(hashUserCode(other, 'WDJBMJHT'));
    expect(hashUserCode(one, 'WDJBMJHT')).toEqual(hashUserCode(one, 'WDJBMJHT'));
  });
});
