import { createHash } from 'node:crypto';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** Assertion with which a client signs in (RFC 7523). */
interface ClientAssertion {
  readonly tenantId: string;
  readonly clientId: string;
  /** Its `jti`. */
  readonly id: string;
  /** Time after which it is rejected anyway, in epoch milliseconds. */
  readonly expiresMs: number;
}

export interface ClientAssertionStore {
  /** Marks an assertion as used. Returns false if it was used before. Of many parallel uses, exactly one returns true. */
  use(assertion: ClientAssertion): Promise<boolean>;
  /** Removes assertions that have expired. */
  deleteExpired(): Promise<void>;
}

const USE = prepared(
  'use_client_assertion',
  `
  insert into client_assertions (tenant_id, client_id, jti_hash, expires) values ($1, $2, $3, to_timestamp($4::float8 / 1000))
  on conflict (tenant_id, client_id, jti_hash) do nothing returning 1`,
);

export const createClientAssertionStore = (database: Database): ClientAssertionStore => ({
  async use({ tenantId, clientId, id, expiresMs }) {
    const hash = createHash('sha256').update(id).digest();
    return (await database.run({ tenantId }, USE, [tenantId, clientId, hash, expiresMs])).length > 0;
  },
  async deleteExpired() {
    // A minute later, for clocks of hosts that differ.
    const where = `expires < now() - interval '1 minute'`;
    await changeInBatches(database, { change: 'delete from client_assertions', table: 'client_assertions', where });
  },
});
