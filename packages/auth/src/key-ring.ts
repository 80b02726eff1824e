import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { decryptUnderEither, encrypt, type MasterKeys } from './key-encryption.ts';
import { advanceKeys, type KeySchedule, type KeyTimes, planKeys, planRevocation, signerOf } from './key-schedule.ts';
import type { Clock, RevokedKey, SigningKeys, StoredSigningKey } from './ports.ts';

/** The only algorithm of tokens (RFC 7518 section 3.4). Verifiers pin it, so a token cannot select another. */
export const TOKEN_ALGORITHM = 'ES256';

interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** Signing keys of the deployment, in the API host. They are decrypted only in memory. */
export interface KeyRing {
  /** Returns the key that signs now. */
  signer(): SigningKey;
  /** Returns the published keys: the signing key, its successor, and old keys until their tokens have expired. */
  publicJwks(): JWK[];
  /** Rereads the keys, and creates, promotes and removes keys according to the schedule. Call it every few seconds. */
  rotate(): Promise<void>;
  /** Lets the next key sign. See `advanceKeys`. */
  advance(isImmediate: boolean): Promise<void>;
  /** Revokes a key. Returns false for an unknown key and one that is revoked already. See `planRevocation`. */
  revoke(kid: string): Promise<boolean>;
  /** Returns the keys in the order in which they sign, and the latest revocations. */
  list(): Promise<ListedKeys>;
}

interface ListedKeys {
  readonly signerKid: string | undefined;
  readonly keys: readonly StoredSigningKey[];
  readonly revoked: readonly RevokedKey[];
}

interface KeyRingOptions {
  readonly store: SigningKeys;
  readonly masterKeys: MasterKeys;
  readonly schedule: KeySchedule;
  readonly now?: Clock;
}

interface HeldKey extends StoredSigningKey {
  readonly key: CryptoKey;
}

const createKey = async (masterKey: Uint8Array, times: KeyTimes): Promise<StoredSigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  // RFC 7638: the thumbprint is derived from the key, so two keys never share an id.
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = Buffer.from(JSON.stringify(await exportJWK(privateKey)));
  return {
    kid,
    refusedFrom: null,
    privateKeyEncrypted: encrypt(masterKey, privateJwk, kid),
    publicJwk: { ...publicJwk, kid, alg: TOKEN_ALGORITHM, use: 'sig' },
    ...times,
  };
};

const open = async (masterKeys: MasterKeys, stored: StoredSigningKey): Promise<HeldKey> => {
  let jwk: JWK;
  try {
    jwk = JSON.parse(decryptUnderEither(masterKeys, stored.privateKeyEncrypted, stored.kid).toString()) as JWK;
  } catch (cause) {
    throw new Error('SLUICE_MASTER_KEY cannot decrypt the signing keys: they were created with another master key.', {
      cause,
    });
  }
  return { ...stored, key: (await importJWK(jwk, TOKEN_ALGORITHM)) as CryptoKey };
};

/** Creates the ring. Resolves when a signing key exists. Throws if the stored keys were created with another master key. */
export async function createKeyRing({ store, masterKeys, schedule, now = Date.now }: KeyRingOptions): Promise<KeyRing> {
  let held: readonly HeldKey[] = [];

  const rotate = async (): Promise<void> => {
    const stored = await store.update(async (keys) => {
      const { changed, added } = planKeys(keys, now(), schedule);
      return [...changed, ...(await Promise.all(added.map((times) => createKey(masterKeys.current, times))))];
    });
    const known = new Map(held.map((key) => [key.kid, key.key]));
    held = await Promise.all(
      stored.map(async (entry) => {
        const key = known.get(entry.kid);
        return key === undefined ? open(masterKeys, entry) : { ...entry, key };
      }),
    );
  };

  await rotate();
  return {
    signer() {
      const signer = signerOf(held, now());
      if (signer === undefined) throw new Error('No signing key: rotate() has not run for a whole signing period.');
      return { kid: signer.kid, key: signer.key };
    },
    publicJwks: () =>
      held.filter(({ publishAt }) => publishAt.getTime() <= now()).map(({ publicJwk }) => ({ ...publicJwk })),
    rotate,
    async advance(isImmediate) {
      // There is a successor after a rotation, and after the change another one if the successor signs at once.
      await rotate();
      await store.update(async (keys) => advanceKeys(keys, now(), schedule, isImmediate));
      await rotate();
    },
    async revoke(kid) {
      await rotate();
      const isRevoked = await store.revoke(kid, (keys) => planRevocation(keys, kid, now(), schedule));
      await rotate();
      return isRevoked;
    },
    async list() {
      await rotate();
      return { signerKid: signerOf(held, now())?.kid, keys: held, revoked: await store.listRevoked() };
    },
  };
}
