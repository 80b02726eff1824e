import { describe, expect, it } from '@jest/globals';
import { createRememberedSecrets } from './remembered-secrets.ts';

const startCache = () => {
  const clock = { nowMs: 0 };
  return { clock, remembered: createRememberedSecrets({ rememberMs: 5000, now: () => clock.nowMs }) };
};

describe('createRememberedSecrets', () => {
  it('finds a secret for 5 s', () => {
    const { clock, remembered } = startCache();
    const key = remembered.keyOf(['acme', 'user', 'ann', 'secret']);
    expect(remembered.has(key)).toBe(false);
    remembered.add(key, 'hash');
    clock.nowMs = 4999;
    expect([remembered.has(key), remembered.find(key, ['other', 'hash'])]).toEqual([true, 'hash']);
    clock.nowMs = 5000;
    expect([remembered.has(key), remembered.find(key, ['hash'])]).toEqual([false, undefined]);
  });

  it('does not find a secret whose stored hash has changed', () => {
    const { remembered } = startCache();
    remembered.add('key', 'old hash');
    expect(remembered.find('key', ['new hash'])).toBeUndefined();
  });

  it('has keys that are unambiguous, hide the secret, and differ between processes', () => {
    const { remembered } = startCache();
    const key = remembered.keyOf(['a', 'b']);
    expect(key).toBe(remembered.keyOf(['a', 'b']));
    expect([remembered.keyOf(['ab']), remembered.keyOf(['a,b']), remembered.keyOf(['', 'a', 'b'])]).not.toContain(key);
    expect(startCache().remembered.keyOf(['a', 'b'])).not.toBe(key);
  });

  it('keeps the 10,000 latest secrets', () => {
    const { remembered } = startCache();
    for (let index = 0; index <= 10_000; index += 1) remembered.add(`key ${index}`, 'hash');
    expect(['key 0', 'key 1', 'key 10000'].map((key) => remembered.has(key))).toEqual([false, true, true]);
  });
});
