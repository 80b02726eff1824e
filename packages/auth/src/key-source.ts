import { type CryptoKey, importJWK, type JWK } from 'jose';
import { type KeyRing, TOKEN_ALGORITHM } from './key-ring.ts';

/** Finds the public key of a `kid`. Throws `service_unavailable` if the keys cannot be read. */
export interface KeySource {
  find(kid: string): Promise<CryptoKey | undefined>;
}

/** Imports the ES256 keys of a set, by `kid`. Sluice signs with no other keys, so all others are ignored. */
export async function importPublicKeys(jwks: readonly JWK[]): Promise<Map<string, CryptoKey>> {
  const keys = new Map<string, CryptoKey>();
  for (const { kid, kty, crv, x, y } of jwks) {
    if (kid === undefined || kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) continue;
    // Copies only the public members, in case the document contains private ones.
    keys.set(kid, (await importJWK({ kty, crv, x, y }, TOKEN_ALGORITHM)) as CryptoKey);
  }
  return keys;
}

/** Creates the key source of the host that owns the keys. */
export function createLocalKeySource(ring: Pick<KeyRing, 'publicJwks'>): KeySource {
  const imported = new Map<string, CryptoKey>();
  return {
    async find(kid) {
      const jwk = ring.publicJwks().find((candidate) => candidate.kid === kid);
      if (jwk === undefined) {
        imported.delete(kid);
        return undefined;
      }
      const known = imported.get(kid);
      if (known !== undefined) return known;
      const key = (await importPublicKeys([jwk])).get(kid);
      if (key !== undefined) imported.set(kid, key);
      return key;
    },
  };
}
