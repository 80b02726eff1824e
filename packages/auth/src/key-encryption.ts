import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D). Returns version, IV, tag and ciphertext. `context` is additional authenticated data:
 * a value encrypted for one row cannot be decrypted as part of another.
 */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts a value. Throws if the key, the context or any byte differs. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== VERSION || bytes.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error('The value was not encrypted by Sluice.');
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Master keys of a deployment. Values are encrypted under `current`; those under `previous` are still read while the key is rotated. */
export interface MasterKeys {
  readonly current: Uint8Array;
  readonly previous?: Uint8Array | undefined;
}

/** Decrypts a value that was encrypted under either key. Throws as `decrypt` does. */
export function decryptUnderEither({ current, previous }: MasterKeys, sealed: Uint8Array, context: string): Buffer {
  try {
    return decrypt(current, sealed, context);
  } catch (thrown) {
    if (previous === undefined) throw thrown;
    return decrypt(previous, sealed, context);
  }
}

/** Encrypts a value under the current key. Returns undefined if it is already. Throws if neither key decrypts it. */
export function rewrap(keys: MasterKeys, sealed: Uint8Array, context: string): Buffer | undefined {
  try {
    decrypt(keys.current, sealed, context);
    return undefined;
  } catch {
    return encrypt(keys.current, decryptUnderEither(keys, sealed, context), context);
  }
}

/** Derives a key from a secret (HKDF, RFC 5869). The secret must have 256 random bits. */
export function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

/** Parses SLUICE_MASTER_KEY: 32 bytes in base64. The message of its error does not contain the value. */
export function parseMasterKey(base64: string): Uint8Array {
  const bytes = Buffer.from(base64.trim(), 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64.trim()) || bytes.length !== KEY_BYTES) {
    throw new Error('must be 32 random bytes in base64, as `openssl rand -base64 32` prints them');
  }
  return bytes;
}
