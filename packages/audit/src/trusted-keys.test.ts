import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signer } from '../testing/sealed-log.ts';
import { createAuditSigner, trustedKeys } from './signing-key.ts';
import { isSignedBy, keyIdOf } from './trusted-keys.ts';

const keys = trustedKeys([signer.publicKey]);
const signed = { payload: 'text', keyId: signer.keyId, signature: signer.sign('text') };

describe('keyIdOf', () => {
  it('returns the first half of the SHA-256 of the key', () => {
    const key = Uint8Array.from([1, 2, 3]);
    expect(keyIdOf(key)).toBe(createHash('sha256').update(key).digest('hex').slice(0, 32));
  });
});

describe('isSignedBy', () => {
  it('accepts the signature of a trusted key', async () => {
    expect(await isSignedBy(keys, signed)).toBe(true);
  });

  it('rejects a changed payload or signature, and an unknown key', async () => {
    const other = createAuditSigner(Buffer.alloc(32, 4));
    expect(await isSignedBy(keys, { ...signed, payload: 'texT' })).toBe(false);
    expect(await isSignedBy(keys, { ...signed, signature: new Uint8Array(64) })).toBe(false);
    expect(await isSignedBy(keys, { ...signed, signature: new Uint8Array() })).toBe(false);
    expect(await isSignedBy(keys, { ...signed, keyId: other.keyId, signature: other.sign('text') })).toBe(false);
    expect(await isSignedBy(keys, { ...signed, signature: other.sign('text') })).toBe(false);
  });
});
