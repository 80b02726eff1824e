import { hexOf } from './byte-encodings.ts';
import { createSha256 } from './node-sha256.ts';

/** Public key that verifies signatures: Ed25519 (RFC 8032) over the UTF-8 of a payload. */
export interface PublicKey {
  verify(payload: string, signature: Uint8Array): boolean | Promise<boolean>;
}

const KEY_ID_CHARACTERS = 32;

/** Returns the id of a key. It is derived from the key, so no other key can have it. */
export function keyIdOf(publicKey: Uint8Array): string {
  const hash = createSha256();
  hash.update(publicKey);
  return hexOf(hash.digest()).slice(0, KEY_ID_CHARACTERS);
}

/** Trusted public keys by id. */
export type TrustedKeys = ReadonlyMap<string, PublicKey>;

export interface SignedPayload {
  readonly payload: string;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** Checks whether a payload was signed by a trusted key. */
export const isSignedBy = async (keys: TrustedKeys, { payload, keyId, signature }: SignedPayload): Promise<boolean> =>
  (await keys.get(keyId)?.verify(payload, signature)) === true;
