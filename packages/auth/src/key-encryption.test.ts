import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt, parseMasterKey } from './key-encryption.ts';
import { createOpaqueToken, openReplay, sealReplay } from './opaque-token.ts';

describe('encrypt', () => {
  const key = randomBytes(32);
  const secret = Buffer.from('the private key');

  it('is decrypted only with the same key and context', () => {
    const sealed = encrypt(key, secret, 'k1');
    expect(decrypt(key, sealed, 'k1')).toEqual(secret);
    expect(() => decrypt(key, sealed, 'k2')).toThrow();
    expect(() => decrypt(randomBytes(32), sealed, 'k1')).toThrow();
    expect(sealed.includes(secret)).toBe(false);
    expect(encrypt(key, secret, 'k1')).not.toEqual(sealed);
  });

  it('is not decrypted if a byte was changed or removed', () => {
    const sealed = encrypt(key, secret, 'k1');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decrypt(key, changed, 'k1')).toThrow();
      expect(() => decrypt(key, sealed.subarray(0, index), 'k1')).toThrow();
    }
  });
});

describe('sealReplay', () => {
  it('encrypts a response for the holder of the token only', () => {
    const token = createOpaqueToken();
    const sealed = sealReplay(token, { id_token: 'x' });
    expect(openReplay(token, sealed)).toEqual({ id_token: 'x' });
    expect(() => openReplay(createOpaqueToken(), sealed)).toThrow();
  });
});

describe('parseMasterKey', () => {
  it('accepts only 32 bytes in base64', () => {
    const key = randomBytes(32);
    expect(Buffer.from(parseMasterKey(key.toString('base64')))).toEqual(key);
    for (const text of ['', 'short', randomBytes(31).toString('base64'), `${key.toString('base64').slice(0, -2)}!=`]) {
      expect(() => parseMasterKey(text)).toThrow('32 random bytes');
    }
  });
});
