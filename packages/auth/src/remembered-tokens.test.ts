import { describe, expect, it } from '@jest/globals';
import type { CryptoKey } from 'jose';
import { RememberedTokens } from './remembered-tokens.ts';

const verified = { tenantName: 'acme', accountId: 'ann', sessionId: 'session', keyId: 'k1' };
const key = {} as CryptoKey;

const fixture = () => {
  const clock = { nowMs: 0 };
  const tokens = new RememberedTokens(() => clock.nowMs);
  const add = (name: string, endMs = 1_000_000) => tokens.add(name, { verified, key, endMs });
  return { clock, tokens, add };
};

describe('RememberedTokens', () => {
  it('remembers a token for 5 s', () => {
    const { clock, tokens, add } = fixture();
    expect(tokens.get('one')).toBeUndefined();
    add('one');
    clock.nowMs = 4999;
    expect(tokens.get('one')).toMatchObject({ verified, key });
    clock.nowMs = 5000;
    expect(tokens.get('one')).toBeUndefined();
  });

  it('forgets a token when it expires', () => {
    const { clock, tokens, add } = fixture();
    add('one', 100);
    clock.nowMs = 99;
    expect(tokens.get('one')).toBeDefined();
    clock.nowMs = 100;
    expect(tokens.get('one')).toBeUndefined();
  });

  it('keeps the 10,000 latest tokens', () => {
    const { tokens, add } = fixture();
    for (let index = 0; index < 10_000; index += 1) add(`token ${index}`);
    add('token 0');
    add('one more');
    expect(['token 0', 'token 1', 'token 2', 'one more'].map((name) => tokens.get(name) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('tells the uses of the same token apart', () => {
    const { tokens } = fixture();
    expect(tokens.keyOf('id', 'token')).toBe(tokens.keyOf('id', 'token'));
    expect(tokens.keyOf('id', 'token')).not.toBe(tokens.keyOf('access', 'token'));
    expect(tokens.keyOf('id', 'token')).not.toContain('token');
  });
});
