import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import { keyIdOf, type TrustedKeys } from './trusted-keys.ts';

/** DER prefixes of the 32 bytes of an Ed25519 key (RFC 8410 section 10). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** Signs checkpoints and exports with a key that the database does not hold. */
export interface AuditSigner {
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 (RFC 8032), 64 bytes. */
  sign(payload: string): Uint8Array;
}

/** Creates a signer from 32 random bytes. */
export function createAuditSigner(seed: Uint8Array): AuditSigner {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (payload) => sign(null, Buffer.from(payload), key),
  };
}

/** Decodes the 32 bytes of AUDIT_SIGNING_KEY from base64. The message of the error does not contain the value. */
export function parseAuditKey(base64: string): Uint8Array {
  const bytes = Buffer.from(base64.trim(), 'base64');
  if (bytes.length !== KEY_BYTES) {
    throw new Error('must be 32 random bytes in base64, as `openssl rand -base64 32` prints them');
  }
  return bytes;
}

/** Derives the default key of a deployment from its master key (HKDF, RFC 5869), which the database does not hold either. */
export const deriveAuditKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'sluice audit signing key', KEY_BYTES));

/** Imports public keys of 32 bytes each. */
export const trustedKeys = (publicKeys: Iterable<Uint8Array>): TrustedKeys =>
  new Map(
    [...publicKeys].map((bytes) => {
      const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });
      return [
        keyIdOf(bytes),
        { verify: (payload: string, signature: Uint8Array) => verify(null, Buffer.from(payload), key, signature) },
      ];
    }),
  );
