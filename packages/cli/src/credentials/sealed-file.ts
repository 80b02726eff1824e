import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { type Credentials, parseCredentials } from './credentials.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Private file whose content only its secret opens. */
export interface SealedFile {
  readonly path: string;
  /** Returns the credentials; undefined if there are none that the secret opens. */
  readonly read: () => Promise<Credentials | undefined>;
  /** @throws CommandError if it cannot be written */
  readonly write: (credentials: Credentials) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Opens a file of salt, initialization vector, tag and sealed credentials, in Base64. It need not exist. */
export function openSealedFile(path: string, secret: string): SealedFile {
  const keys = new Map<string, Buffer>();
  /** Derives the key. It takes about 50 ms, so that a stolen file is a poor way to guess the secret. */
  const keyOf = (salt: Buffer): Buffer => {
    const name = salt.toString('hex');
    const key = keys.get(name) ?? scryptSync(secret, salt, KEY_BYTES);
    keys.set(name, key);
    return key;
  };
  let salt: Buffer | undefined;

  const unseal = (bytes: Buffer): string => {
    const iv = bytes.subarray(SALT_BYTES, SALT_BYTES + IV_BYTES);
    const sealedFrom = SALT_BYTES + IV_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, keyOf(bytes.subarray(0, SALT_BYTES)), iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(SALT_BYTES + IV_BYTES, sealedFrom));
    return Buffer.concat([decipher.update(bytes.subarray(sealedFrom)), decipher.final()]).toString();
  };
  return {
    path,
    read: async () => {
      try {
        const text = await readPrivateFile(path);
        if (text === undefined) return undefined;
        const bytes = Buffer.from(text, 'base64');
        const credentials = parseCredentials(unseal(bytes));
        salt = Buffer.from(bytes.subarray(0, SALT_BYTES));
        return credentials;
      } catch {
        // Sealed with another secret, damaged, or open to others: it is replaced.
        return undefined;
      }
    },
    write: async (credentials) => {
      salt ??= randomBytes(SALT_BYTES);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(salt), iv, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(JSON.stringify(credentials)), cipher.final()]);
      await writePrivateFile(path, Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64'));
    },
    remove: () => removePrivateFile(path),
  };
}
