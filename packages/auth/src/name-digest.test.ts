import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createNameDigest, deriveNameKey, parseNameKey } from './name-digest.ts';

describe('createNameDigest', () => {
  it('depends on the key, the tenant and the name, but not on its case', () => {
    const [key, otherKey] = [randomBytes(32), randomBytes(32)];
    const digest = createNameDigest(key);
    expect(digest('t1', 'Ann@Example.com')).toBe(digest('t1', 'ann@example.com'));
    expect(digest('t1', 'ann')).toMatch(/^[0-9a-f]{64}$/);
    const others = [digest('t2', 'ann'), digest('t1', 'bob'), createNameDigest(otherKey)('t1', 'ann')];
    expect(others).not.toContain(digest('t1', 'ann'));
  });

  it('has a key that is derived from the master key, and always the same', () => {
    const masterKey = randomBytes(32);
    expect(deriveNameKey(masterKey)).toEqual(deriveNameKey(masterKey));
    expect(deriveNameKey(masterKey)).toHaveLength(32);
    expect(deriveNameKey(masterKey)).not.toEqual(new Uint8Array(masterKey));
    expect(() => parseNameKey('c2hvcnQ=')).toThrow('32 random bytes');
  });
});
