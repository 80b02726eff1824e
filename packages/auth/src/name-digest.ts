import { createHmac, hkdfSync } from 'node:crypto';
import { parseMasterKey } from './key-encryption.ts';

const KEY_BYTES = 32;

/** What the log calls the user of a failed login with the name of no known account: the name may be a password. */
export const UNKNOWN_USER = 'unknown';

/** Digests the name of a failed login, so that somebody who knows the name finds it. Spelled in whatever case, it is the same. */
export type NameDigest = (tenantId: string, name: string) => string;

/** From 32 random bytes. */
export const createNameDigest =
  (key: Uint8Array): NameDigest =>
  (tenantId, name) =>
    createHmac('sha256', key).update(`${tenantId}\n${name.toLowerCase()}`).digest('hex');

/** From the base64 of AUDIT_NAME_KEY. Throws a sentence that does not repeat the value. */
export const parseNameKey = parseMasterKey;

/** The key of a deployment that names none: of its master key (HKDF, RFC 5869). */
export const deriveNameKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'sluice audit name key', KEY_BYTES));
