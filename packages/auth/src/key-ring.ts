import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { decrypt, encrypt } from './key-encryption.ts';
import { type KeySchedule, type KeyTimes, planKeys, signerOf } from './key-schedule.ts';
import type { Clock, SigningKeys, StoredSigningKey } from './ports.ts';

/** The one algorithm of our tokens (RFC 7518 section 3.4). Verifiers pin it, so a token cannot choose another. */
export const TOKEN_ALGORITHM = 'ES256';

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The deployment's signing keys as the API host holds them: decrypted in memory only. */
export interface KeyRing {
  /** The key that signs now. */
  signer(): SigningKey;
  /** What the JWKS publishes: the signing key, its successor, and old ones until their tokens are dead. */
  publicJwks(): JWK[];
  /** Reads the keys again, and makes, promotes and forgets keys as the schedule says. Call it every few seconds. */
  rotate(): Promise<void>;
}

export interface KeyRingOptions {
  readonly store: SigningKeys;
  /** 32 bytes. */
  readonly masterKey: Uint8Array;
  readonly schedule: KeySchedule;
  readonly now?: Clock;
}

interface HeldKey extends StoredSigningKey {
  readonly key: CryptoKey;
}

const createKey = async (masterKey: Uint8Array, times: KeyTimes): Promise<StoredSigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  // RFC 7638: the thumbprint names the key by what it is, so two keys never share a name.
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = Buffer.from(JSON.stringify(await exportJWK(privateKey)));
  return {
    kid,
    privateKeyEncrypted: encrypt(masterKey, privateJwk, kid),
    publicJwk: { ...publicJwk, kid, alg: TOKEN_ALGORITHM, use: 'sig' },
    ...times,
  };
};

const open = async (masterKey: Uint8Array, stored: StoredSigningKey): Promise<HeldKey> => {
  let jwk: JWK;
  try {
    jwk = JSON.parse(decrypt(masterKey, stored.privateKeyEncrypted, stored.kid).toString()) as JWK;
  } catch (cause) {
    throw new Error('SLUICE_MASTER_KEY does not open the signing keys: they were made under another master key.', {
      cause,
    });
  }
  return { ...stored, key: (await importJWK(jwk, TOKEN_ALGORITHM)) as CryptoKey };
};

/** Resolves once there is a key to sign with. Throws when the master key is not the one that the stored keys were made under. */
export async function createKeyRing({ store, masterKey, schedule, now = Date.now }: KeyRingOptions): Promise<KeyRing> {
  let held: readonly HeldKey[] = [];

  const rotate = async (): Promise<void> => {
    const stored = await store.update(async (keys) => {
      const { changed, added } = planKeys(keys, now(), schedule);
      return [...changed, ...(await Promise.all(added.map((times) => createKey(masterKey, times))))];
    });
    const known = new Map(held.map((key) => [key.kid, key.key]));
    held = await Promise.all(
      stored.map(async (entry) => {
        const key = known.get(entry.kid);
        return key === undefined ? open(masterKey, entry) : { ...entry, key };
      }),
    );
  };

  await rotate();
  return {
    signer() {
      const signer = signerOf(held, now());
      if (signer === undefined) throw new Error('no signing key: rotate() has not run for a whole signing period');
      return { kid: signer.kid, key: signer.key };
    },
    publicJwks: () =>
      held.filter(({ publishAt }) => publishAt.getTime() <= now()).map(({ publicJwk }) => ({ ...publicJwk })),
    rotate,
  };
}
