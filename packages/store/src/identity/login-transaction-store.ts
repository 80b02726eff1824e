import type { Database } from '../database/database.ts';

export interface NewLoginTransaction {
  readonly tenantId: string;
  /** SHA-256 of the `state` that comes back from the provider. */
  readonly stateHash: Uint8Array;
  /** SHA-256 of the cookie of the browser that began. */
  readonly cookieHash: Uint8Array;
  /** What the callback needs, sealed under the cookie, which is not kept. */
  readonly sealed: Uint8Array;
  readonly address: string;
  readonly lifetimeMs: number;
}

/** Logins that have gone to a tenant's identity provider and not come back. */
export interface LoginTransactionStore {
  /** The oldest of the address gives way when it has as many under way as it may: a stranger keeps nobody there from beginning. */
  begin(transaction: NewLoginTransaction): Promise<void>;
  /** What was sealed, once: undefined for what is unknown, over, of another browser or another tenant, or was taken before. */
  take(
    transaction: Pick<NewLoginTransaction, 'tenantId' | 'stateHash' | 'cookieHash'>,
  ): Promise<Uint8Array | undefined>;
  /** The same without taking it. */
  find(
    transaction: Pick<NewLoginTransaction, 'tenantId' | 'stateHash' | 'cookieHash'>,
  ): Promise<Uint8Array | undefined>;
  /** Removes those that are over. */
  forgetExpired(): Promise<void>;
}

/** Of one address in one tenant: so that no stranger fills the table, and a whole office can begin its day. */
const PENDING_MAX = 1000;

const BEGIN = `
  with displaced as (
    delete from login_transactions where tenant_id = $1 and state_hash in (
      select state_hash from login_transactions where tenant_id = $1 and address = $5
      order by expires desc offset ${PENDING_MAX - 1})
  )
  insert into login_transactions (tenant_id, state_hash, cookie_hash, sealed, address, expires)
  values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6::float8 / 1000))`;

const FIND = `
  select sealed from login_transactions
  where tenant_id = $1 and state_hash = $2 and cookie_hash = $3 and expires > clock_timestamp()`;

/** One statement: of any number of callbacks with one state, the first alone finds it. */
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
  async forgetExpired() {
    await database.acrossTenants((transaction) =>
      transaction.query('delete from login_transactions where expires < clock_timestamp()'),
    );
  },
});
