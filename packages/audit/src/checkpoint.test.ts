import { verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CheckpointPayload, payloadHash, readCheckpoint, signCheckpoint } from './checkpoint.ts';
import { createAuditSigner } from './signing-key.ts';

const signer = createAuditSigner(Buffer.alloc(32, 1));
const PAYLOAD: CheckpointPayload = {
  kind: 'checkpoint',
  tenant_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  number: 3,
  sequence: 12,
  hash: 'ab'.repeat(32),
  issued_ts: 1_700_000_000_000,
  previous: null,
};

const isSigned = (text: string, signature: Uint8Array): boolean => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(signer.publicKey).toString('base64url') };
  return verify(null, Buffer.from(text), { key: jwk, format: 'jwk' }, signature);
};

describe('signCheckpoint', () => {
  it('signs the canonical text of the payload, which is read back as it was', () => {
    const { payload, signature, keyId, number, sequence } = signCheckpoint(signer, PAYLOAD);
    expect([keyId, number, sequence]).toEqual([signer.keyId, 3, 12]);
    expect(isSigned(payload, signature)).toBe(true);
    expect(readCheckpoint(payload)).toEqual(PAYLOAD);
  });

  it('signs the same text whatever the order of the members', () => {
    const reversed = Object.fromEntries(Object.entries(PAYLOAD).reverse()) as unknown as CheckpointPayload;
    expect(signCheckpoint(signer, reversed)).toEqual(signCheckpoint(signer, PAYLOAD));
  });

  it('makes a signature that no other payload has', () => {
    const { payload, signature } = signCheckpoint(signer, PAYLOAD);
    fc.assert(
      fc.property(fc.nat({ max: payload.length - 1 }), fc.integer({ min: 32, max: 126 }), (index, code) => {
        const changed = payload.slice(0, index) + String.fromCharCode(code) + payload.slice(index + 1);
        expect(isSigned(changed, signature)).toBe(changed === payload);
        expect(payloadHash(changed) === payloadHash(payload)).toBe(changed === payload);
      }),
    );
  });
});

describe('readCheckpoint', () => {
  it.each(['', 'x', 'null', '[]', '1', '{}'])('returns undefined for %j', (text) => {
    expect(readCheckpoint(text)).toBeUndefined();
  });

  it.each(['tenant_id', 'number', 'sequence', 'hash'])('returns undefined without a valid %s', (name) => {
    for (const value of [undefined, null, {}, 1.5]) {
      expect(readCheckpoint(JSON.stringify({ ...PAYLOAD, [name]: value }))).toBeUndefined();
    }
  });
});
