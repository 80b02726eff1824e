import { createHmac, hkdfSync } from 'node:crypto';
import { parseMasterKey } from './key-encryption.ts';

const KEY_BYTES = 32;

/** User in the log of a failed login with the name of no known account, which may be a password. */
export const UNKNOWN_USER = 'unknown';

/** Digests the name of a failed login, so that a reader who knows the name finds it. Case does not matter. */
export type NameDigest = (tenantId: string, name: string) => string;

/** Creates the digest from a key of 32 random bytes. */
export const createNameDigest =
  (key: Uint8Array): NameDigest =>
  (tenantId, name) =>
    createHmac('sha256', key).update(`${tenantId}\n${name.toLowerCase()}`).digest('hex');

/** Parses the base64 of AUDIT_NAME_KEY. Throws a sentence that does not repeat the value. */
export const parseNameKey = parseMasterKey;

/** The key of a deployment that names none: of its master key (HKDF, RFC 5869). */
export const deriveNameKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'sluice audit name key', KEY_BYTES));
