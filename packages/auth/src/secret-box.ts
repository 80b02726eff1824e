import { decrypt, encrypt } from './key-encryption.ts';

/** Seals what must be had again in clear, such as the secret of an identity provider, under the deployment's master key. */
export interface SecretBox {
  /** `context` names whose it is: what was sealed for one opens for no other. */
  seal(secret: string, context: string): Uint8Array;
  /** Throws when the master key or the context is another. */
  open(sealed: Uint8Array, context: string): string;
}

export const createSecretBox = (masterKey: Uint8Array): SecretBox => ({
  seal: (secret, context) => encrypt(masterKey, Buffer.from(secret), context),
  open: (sealed, context) => decrypt(masterKey, sealed, context).toString(),
});
