import { createHmac, hkdfSync } from 'node:crypto';
import { parseMasterKey } from './key-encryption.ts';

const KEY_BYTES = 32;

/** User in the audit record of a failed login with an unknown name, which may be a password. */
export const UNKNOWN_USER = 'unknown';

/** Digests the name of a failed login, so that a reader who knows the name can find it. Case-insensitive. */
export type NameDigest = (tenantId: string, name: string) => string;

/** Creates the digest from a key of 32 random bytes. */
export const createNameDigest =
  (key: Uint8Array): NameDigest =>
  (tenantId, name) =>
    createHmac('sha256', key).update(`${tenantId}\n${name.toLowerCase()}`).digest('hex');

/** Parses AUDIT_NAME_KEY: 32 bytes in base64. The message of its error does not contain the value. */
export const parseNameKey = parseMasterKey;

/** Derives the default of AUDIT_NAME_KEY from the master key (HKDF, RFC 5869). */
export const deriveNameKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'sluice audit name key', KEY_BYTES));
