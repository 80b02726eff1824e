import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';

interface NewLoginTransaction {
  readonly tenantId: string;
  /** SHA-256 of the `state` that the provider sends back. */
  readonly stateHash: Uint8Array;
  /** SHA-256 of the cookie of the browser that started the login. */
  readonly cookieHash: Uint8Array;
  /** Data for the callback, encrypted with the cookie, which is not stored. */
  readonly sealed: Uint8Array;
  readonly address: string;
  readonly lifetimeMs: number;
}

/** Logins that were sent to a tenant's identity provider and have not returned. */
export interface LoginTransactionStore {
  /**
   * Stores a pending login. When its address has reached the limit, the oldest one of the address is removed, so that an attacker cannot
   * block logins from there.
   */
  begin(transaction: NewLoginTransaction): Promise<void>;
  /**
   * Takes the sealed data, once. Returns undefined when the login is unknown, expired or already taken, or belongs to another browser or
   * tenant.
   */
  take(
    transaction: Pick<NewLoginTransaction, 'tenantId' | 'stateHash' | 'cookieHash'>,
  ): Promise<Uint8Array | undefined>;
  /** Reads the sealed data as `take` does, but leaves the login pending. */
  find(
    transaction: Pick<NewLoginTransaction, 'tenantId' | 'stateHash' | 'cookieHash'>,
  ): Promise<Uint8Array | undefined>;
  /** Removes expired logins. */
  deleteExpired(): Promise<void>;
}

/** Pending logins of an address in a tenant: an attacker cannot fill the table, and a whole office can log in at once. */
const PENDING_MAX = 1000;

/** Skips logins that another request of the address displaces: two that waited for each other would deadlock. */
const BEGIN = `
  with displaced as (
    delete from login_transactions where tenant_id = $1 and state_hash = any (array(
      select state_hash from login_transactions where tenant_id = $1 and state_hash = any (array(
        select state_hash from login_transactions where tenant_id = $1 and address = $5
        order by expires desc offset ${PENDING_MAX - 1}))
      for update skip locked))
  )
  insert into login_transactions (tenant_id, state_hash, cookie_hash, sealed, address, expires)
  values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6::float8 / 1000))`;

const FIND = `
  select sealed from login_transactions
  where tenant_id = $1 and state_hash = $2 and cookie_hash = $3 and expires > clock_timestamp()`;

/** One statement: of many callbacks with one state, only the first finds the login. */
const TAKE = `
  delete from login_transactions where tenant_id = $1 and state_hash = $2 and cookie_hash = $3
  returning sealed, expires > clock_timestamp() as live`;

export const createLoginTransactionStore = (database: Database): LoginTransactionStore => ({
  async begin({ tenantId, stateHash, cookieHash, sealed, address, lifetimeMs }) {
    await database.withTenant(tenantId, (transaction) =>
      transaction.query(BEGIN, [tenantId, stateHash, cookieHash, sealed, address, lifetimeMs]),
    );
  },
  async take({ tenantId, stateHash, cookieHash }) {
    const [taken] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<{ sealed: Uint8Array; live: boolean }>(TAKE, [tenantId, stateHash, cookieHash]),
    );
    return taken?.live === true ? taken.sealed : undefined;
  },
  async find({ tenantId, stateHash, cookieHash }) {
    const [found] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<{ sealed: Uint8Array }>(FIND, [tenantId, stateHash, cookieHash]),
    );
    return found?.sealed;
  },
  async deleteExpired() {
    await changeInBatches(database, {
      change: 'delete from login_transactions',
      table: 'login_transactions',
      where: 'expires < now()',
    });
  },
});
