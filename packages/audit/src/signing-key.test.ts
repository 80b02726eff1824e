import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AuditSigner, createAuditSigner, deriveAuditKey, parseAuditKey, trustedKeys } from './signing-key.ts';
import { isSignedBy, keyIdOf } from './trusted-keys.ts';

const anySeed = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('createAuditSigner', () => {
  it('signs what only its own key verifies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anySeed, { minLength: 2, maxLength: 2, selector: String }),
        fc.string(),
        async (seeds, text) => {
          const [signer, other] = seeds.map(createAuditSigner) as [AuditSigner, AuditSigner];
          const signed = { payload: text, keyId: signer.keyId, signature: signer.sign(text) };
          expect(await isSignedBy(trustedKeys([other.publicKey, signer.publicKey]), signed)).toBe(true);
          expect(await isSignedBy(trustedKeys([other.publicKey]), signed)).toBe(false);
          const keys = trustedKeys([signer.publicKey, other.publicKey]);
          expect(await isSignedBy(keys, { ...signed, keyId: other.keyId })).toBe(false);
          expect(await isSignedBy(keys, { ...signed, payload: `${text} ` })).toBe(false);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('signs as in RFC 8032 section 7.1, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const signer = createAuditSigner(seed);
    expect(Buffer.from(signer.publicKey).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(Buffer.from(signer.sign('')).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
    expect(signer.keyId).toBe(keyIdOf(signer.publicKey));
  });
});

describe('parseAuditKey', () => {
  it('decodes 32 bytes of base64', () => {
    expect(parseAuditKey(` ${Buffer.alloc(32, 5).toString('base64')}\n`)).toEqual(Buffer.alloc(32, 5));
  });

  it.each([0, 16, 31, 33, 64])('rejects %d bytes without repeating them', (bytes) => {
    const value = Buffer.alloc(bytes, 5).toString('base64');
    expect(() => parseAuditKey(value)).toThrow('must be 32 random bytes in base64');
    if (value !== '') expect(() => parseAuditKey(value)).not.toThrow(value);
  });
});

describe('deriveAuditKey', () => {
  it('returns the same key for the same master key, and not the master key', () => {
    const masterKey = Buffer.alloc(32, 1);
    expect(deriveAuditKey(masterKey)).toEqual(deriveAuditKey(Buffer.alloc(32, 1)));
    expect(deriveAuditKey(masterKey)).not.toEqual(deriveAuditKey(Buffer.alloc(32, 2)));
    expect(Buffer.from(deriveAuditKey(masterKey))).not.toEqual(masterKey);
  });
});
