import type { RevokedKey, SigningKeys, StoredSigningKey } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isKeyRefused } from './refused-key.ts';

/** Key set of the deployment. Only for the API role, except `isRevoked`. */
export interface SigningKeyStore extends SigningKeys {
  /** Returns keys that are neither expired nor refused, by the time at which they start to sign. */
  list(): Promise<StoredSigningKey[]>;
}

const LOCK = `select pg_advisory_xact_lock(hashtext('sluice.signing_keys'))`;

const LIST = `
  select k.kid, k.private_key_encrypted as "privateKeyEncrypted", k.public_jwk as "publicJwk", k.publish_at as "publishAt",
    k.sign_from as "signFrom", k.sign_until as "signUntil", k.expires_at as "expiresAt", r.revoked_at as "refusedFrom"
  from signing_keys k left join revoked_keys r on r.kid = k.kid
  where k.expires_at > now() and not coalesce(${isKeyRefused('r')}, false)
  order by k.sign_from, k.kid`;

/** More are of no use to an operator, and the table only grows. */
const LISTED_MAX = 100;
const LIST_REVOKED = `
  select kid, revoked_at as "refusedFrom" from revoked_keys order by revoked_at desc, kid limit ${LISTED_MAX}`;

/** A private key whose tokens are refused can only do harm. */
const DELETE_USELESS = `
  delete from signing_keys k where k.expires_at <= now() or exists (
    select 1 from revoked_keys r where r.kid = k.kid and ${isKeyRefused('r')})`;

const PUT = `
  insert into signing_keys (kid, private_key_encrypted, public_jwk, publish_at, sign_from, sign_until, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (kid) do update set publish_at = excluded.publish_at, sign_from = excluded.sign_from,
    sign_until = excluded.sign_until, expires_at = excluded.expires_at`;

/** A host whose clock is ahead must not let a key live longer than it says. */
const REVOKE = `
  insert into revoked_keys (kid, revoked_at) values ($1, least($2, now() + interval '1 minute')) on conflict do nothing`;

const put = (transaction: Transaction, key: StoredSigningKey): Promise<unknown> =>
  transaction.query(PUT, [
    key.kid,
    key.privateKeyEncrypted,
    JSON.stringify(key.publicJwk),
    key.publishAt,
    key.signFrom,
    key.signUntil,
    key.expiresAt,
  ]);

/** Lets one process at a time change the keys, and returns them as they are then. */
async function lockKeys(transaction: Transaction): Promise<StoredSigningKey[]> {
  await transaction.query(LOCK);
  await transaction.query(DELETE_USELESS);
  return transaction.query<StoredSigningKey>(LIST);
}

export function createSigningKeyStore(database: Database): SigningKeyStore {
  return {
    list: () => database.withoutTenant((transaction) => transaction.query<StoredSigningKey>(LIST)),
    update: (plan) =>
      database.withoutTenant(async (transaction) => {
        for (const key of await plan(await lockKeys(transaction))) await put(transaction, key);
        return transaction.query<StoredSigningKey>(LIST);
      }),
    listRevoked: () => database.withoutTenant((transaction) => transaction.query<RevokedKey>(LIST_REVOKED)),
    revoke: (kid, plan = () => ({ refusedFrom: new Date(), changed: [] })) =>
      database.withoutTenant(async (transaction) => {
        const planned = plan(await lockKeys(transaction));
        if (planned === undefined) return false;
        for (const key of planned.changed) await put(transaction, key);
        await transaction.query(REVOKE, [kid, planned.refusedFrom]);
        await transaction.query(DELETE_USELESS);
        return true;
      }),
  };
}
