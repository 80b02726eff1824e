import { decrypt, deriveKey, encrypt } from './key-encryption.ts';

/** Encrypts bytes for a store that others may read and write. `context` names the entry: its bytes are not accepted as those of another. */
export interface ByteCipher {
  encrypt(bytes: Uint8Array, context: string): Promise<string>;
  /** Returns undefined for anything that `encrypt` did not return for this context. */
  decrypt(text: string, context: string): Promise<Buffer | undefined>;
}

/**
 * @param readKey - is called for each value, so that the key may be read when it is first needed
 * @param purpose - prevents that values of one use are accepted in another
 */
export const createByteCipher = (readKey: () => Promise<Uint8Array>, purpose: string): ByteCipher => ({
  async encrypt(bytes, context) {
    return encrypt(deriveKey(await readKey(), purpose), bytes, context).toString('base64url');
  },
  async decrypt(text, context) {
    const key = deriveKey(await readKey(), purpose);
    try {
      return decrypt(key, Buffer.from(text, 'base64url'), context);
    } catch {
      return undefined;
    }
  },
});
