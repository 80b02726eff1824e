import type { SigningKeys, StoredSigningKey } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';

/** Key set of the deployment. Only for the API role, except `isRevoked`. */
export interface SigningKeyStore extends SigningKeys {
  /** Returns keys that are neither expired nor revoked, by the time at which they start to sign. */
  list(): Promise<StoredSigningKey[]>;
  /** Revokes a key. Both hosts reject every token that it signed. */
  revoke(kid: string): Promise<void>;
}

const LOCK = `select pg_advisory_xact_lock(hashtext('sluice.signing_keys'))`;

const LIST = `
  select kid, private_key_encrypted as "privateKeyEncrypted", public_jwk as "publicJwk", publish_at as "publishAt",
    sign_from as "signFrom", sign_until as "signUntil", expires_at as "expiresAt"
  from signing_keys where expires_at > now() and kid not in (select kid from revoked_keys)
  order by sign_from, kid`;

const PUT = `
  insert into signing_keys (kid, private_key_encrypted, public_jwk, publish_at, sign_from, sign_until, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (kid) do update set publish_at = excluded.publish_at, sign_from = excluded.sign_from,
    sign_until = excluded.sign_until, expires_at = excluded.expires_at`;

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

export function createSigningKeyStore(database: Database): SigningKeyStore {
  return {
    list: () => database.withoutTenant((transaction) => transaction.query<StoredSigningKey>(LIST)),
    update: (plan) =>
      database.withoutTenant(async (transaction) => {
        await transaction.query(LOCK);
        await transaction.query('delete from signing_keys where expires_at <= now()');
        for (const key of await plan(await transaction.query<StoredSigningKey>(LIST))) await put(transaction, key);
        return transaction.query<StoredSigningKey>(LIST);
      }),
    async revoke(kid) {
      await database.withoutTenant(async (transaction) => {
        await transaction.query('insert into revoked_keys (kid) values ($1) on conflict do nothing', [kid]);
        await transaction.query('delete from signing_keys where kid = $1', [kid]);
      });
    },
  };
}
