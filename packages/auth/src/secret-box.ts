import { decryptUnderEither, encrypt, type MasterKeys } from './key-encryption.ts';

/** Encrypts values that must be decrypted later, such as the secret of an identity provider, with the master key. */
export interface SecretBox {
  /** `context` names the owner of the value. `open` requires the same one. */
  seal(secret: string, context: string): Uint8Array;
  /** Throws for another master key or context. */
  open(sealed: Uint8Array, context: string): string;
}

export const createSecretBox = (keys: MasterKeys): SecretBox => ({
  seal: (secret, context) => encrypt(keys.current, Buffer.from(secret), context),
  open: (sealed, context) => decryptUnderEither(keys, sealed, context).toString(),
});
