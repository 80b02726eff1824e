import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * AES-256-GCM (NIST SP 800-38D) as version, IV, tag, ciphertext. `context` is authenticated with it, so that what was
 * encrypted for one row does not open in another.
 */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the context is another, or a byte was changed. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== VERSION || bytes.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error('not an encrypted value of ours');
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** A key that only the holder of the secret can make again (HKDF, RFC 5869); the secret must have 256 random bits. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

/** The 32 bytes of SLUICE_MASTER_KEY from their base64. Throws a sentence that does not repeat the value. */
export function parseMasterKey(base64: string): Uint8Array {
  const bytes = Buffer.from(base64.trim(), 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64.trim()) || bytes.length !== KEY_BYTES) {
    throw new Error('must be 32 random bytes in base64, as `openssl rand -base64 32` prints them');
  }
  return bytes;
}
