import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';

/** Request that its caller may repeat. */
export interface IdempotentRequest {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
  /** Digest of the whole request. The same key with another request is an error. */
  readonly digest: Uint8Array;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

type KeyClaim =
  | { readonly kind: 'new' }
  | { readonly kind: 'other request' }
  | { readonly kind: 'repeated'; readonly response: StoredResponse };

/** Waits for the transaction that holds the key. A key that is over a day old is free. */
const CLAIM = `
  insert into idempotency_keys as k (tenant_id, account_id, operation, key, request_digest)
  values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, account_id, operation, key)
  do update set request_digest = excluded.request_digest, status = null, body = null, created = now()
    where k.created < now() - interval '24 hours'
  returning key`;

const FIND = `
  select request_digest, status, body from idempotency_keys
  where tenant_id = $1 and account_id = $2 and operation = $3 and key = $4`;

const SAVE_RESPONSE = `
  update idempotency_keys set status = $5, body = $6
  where tenant_id = $1 and account_id = $2 and operation = $3 and key = $4`;

/** Keys of requests of one tenant that may be repeated, within one transaction. */
export interface IdempotencyKeyRepository {
  /** Locks the key until the end of the transaction. Another request with this key waits for it and then gets the stored response. */
  claim(request: IdempotentRequest): Promise<KeyClaim>;
  /** Stores the response of a request whose key is claimed. */
  save(request: IdempotentRequest, response: StoredResponse): Promise<void>;
}

export function createIdempotencyKeyRepository(transaction: Transaction, tenantId: string): IdempotencyKeyRepository {
  const keyOf = ({ accountId, operation, key }: IdempotentRequest): string[] => [tenantId, accountId, operation, key];
  return {
    async claim(request) {
      const digest = Buffer.from(request.digest);
      const claimed = await transaction.query(CLAIM, [...keyOf(request), digest]);
      if (claimed.length > 0) return { kind: 'new' };
      const [found] = await transaction.query<{ request_digest: Buffer; status: number; body: string }>(
        FIND,
        keyOf(request),
      );
      if (found === undefined || !found.request_digest.equals(digest)) return { kind: 'other request' };
      return { kind: 'repeated', response: { status: found.status, body: found.body } };
    },
    async save(request, { status, body }) {
      await transaction.query(SAVE_RESPONSE, [...keyOf(request), status, body]);
    },
  };
}

/** Removes the old keys of all tenants. Call it hourly. */
export const deleteOldIdempotencyKeys = (database: Pick<Database, 'run'>): Promise<void> =>
  changeInBatches(database, {
    change: 'delete from idempotency_keys',
    table: 'idempotency_keys',
    where: `created < now() - interval '24 hours'`,
  });
