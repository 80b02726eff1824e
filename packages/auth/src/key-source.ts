import { type CryptoKey, importJWK, type JWK } from 'jose';
import { type KeyRing, TOKEN_ALGORITHM } from './key-ring.ts';

/** Finds the public key of a kid; undefined when there is none. Throws `service_unavailable` when it cannot be known. */
export interface KeySource {
  find(kid: string): Promise<CryptoKey | undefined>;
}

/** By kid, importing only what we could have signed with: anything else in a set is left out. */
export async function importPublicKeys(jwks: readonly JWK[]): Promise<Map<string, CryptoKey>> {
  const keys = new Map<string, CryptoKey>();
  for (const { kid, kty, crv, x, y } of jwks) {
    if (kid === undefined || kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) continue;
    // Only the public members are taken over, whatever else the document holds.
    keys.set(kid, (await importJWK({ kty, crv, x, y }, TOKEN_ALGORITHM)) as CryptoKey);
  }
  return keys;
}

/** The key source of the host that owns the keys. */
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
