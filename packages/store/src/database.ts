import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable, storeProblem } from './store-problem.ts';
import type { PreparedStatement, Row, Transaction } from './transaction.ts';
import { isUuid } from './uuid.ts';

export interface DatabaseSettings {
  /** `postgres://` of a serving role (not the owner's: the owner is above row-level security). */
  readonly url: string;
  /** Connections of this process. Default 10. */
  readonly poolMax?: number;
  /** Longest wait for a connection, from the pool or the network. Default 2000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for one statement, both at the server and here. Default 3000. */
  readonly queryTimeoutMs?: number;
  /** Shows in pg_stat_activity. */
  readonly applicationName?: string;
}

/**
 * PostgreSQL as one serving role. Every method throws ProblemError: `service_unavailable` when the server cannot be asked or
 * does not answer in time, `invalid_request` for a value that cannot be stored. Whoever created it disposes of it.
 */
export interface Database extends AsyncDisposable {
  /** A transaction in which row-level security shows the rows of this tenant alone. */
  withTenant<T>(tenantId: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** The same, by the tenant's name; where there is no such tenant, no tenant row is seen. */
  withTenantNamed<T>(tenantName: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** A transaction that sees no tenant's rows: for tenants, keys and hosts, which belong to the deployment. */
  withoutTenant<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * A transaction that sees every tenant's rows. Only the jobs of this package use it (reaper, stops due, cleaning), whose
   * statements join on tenant_id throughout; nothing that serves one caller may.
   */
  acrossTenants<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
}

const DISPOSE_MS = 2000;

const NO_TENANT = '';
const EVERY_TENANT = '*';

/** The name is looked up in the same statement that sets it, so that a look-up by name costs no round trip of its own. */
const SET_TENANT_BY_NAME = `select set_config('sluice.tenant_id', coalesce((select id::text from tenants where name = $1), ''), true)`;

const createPool = (settings: DatabaseSettings): pg.Pool => {
  const queryTimeoutMs = settings.queryTimeoutMs ?? 3000;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax ?? 10,
    // The defaults of pg wait for ever for a connection, and for ever for an answer.
    connectionTimeoutMillis: settings.connectTimeoutMs ?? 2000,
    query_timeout: queryTimeoutMs,
    // A little less than our own wait, so that a slow statement ends by the server's word and the connection stays usable.
    statement_timeout: Math.max(1, queryTimeoutMs - 200),
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    application_name: settings.applicationName ?? 'sluice',
  });
  // Without listeners a connection that the server drops would end the process: idle ones tell the pool, busy ones themselves.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

const transactionOn = (client: pg.PoolClient): Transaction => ({
  async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const result = await client.query<R & pg.QueryResultRow>(text, [...values]);
    return result.rows;
  },
  async queryPrepared<R extends object = Row>(
    { name, text }: PreparedStatement,
    values: readonly unknown[],
  ): Promise<R[]> {
    const result = await client.query<R & pg.QueryResultRow>({ name, text, values: [...values] });
    return result.rows;
  },
});

/** Rolls back what failed. A connection that is in doubt is destroyed: the next caller must not inherit its transaction. */
const giveUp = async (client: pg.PoolClient, thrown: unknown): Promise<void> => {
  if (isUnavailable(thrown)) return client.release(true);
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
};

export function createDatabase(settings: DatabaseSettings): Database {
  const pool = createPool(settings);

  const transact = async <T>(
    begin: (client: pg.PoolClient) => Promise<unknown>,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => {
    try {
      const client = await pool.connect();
      try {
        await begin(client);
        const answer = await work(transactionOn(client));
        await client.query('commit');
        client.release();
        return answer;
      } catch (thrown) {
        await giveUp(client, thrown);
        throw thrown;
      }
    } catch (thrown) {
      throw storeProblem(thrown);
    }
  };

  const scoped = <T>(scope: string, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    // The scope is a checked uuid or one of our constants, so it may stand in the text: two statements, one round trip.
    transact((client) => client.query(`begin; select set_config('sluice.tenant_id', '${scope}', true)`), work);

  return {
    withTenant(tenantId, work) {
      if (!isUuid(tenantId)) throw new TypeError('withTenant needs the uuid of a tenant');
      return scoped(tenantId, work);
    },
    withTenantNamed: (tenantName, work) =>
      transact(async (client) => {
        await client.query('begin');
        await client.query(SET_TENANT_BY_NAME, [tenantName]);
      }, work),
    withoutTenant: (work) => scoped(NO_TENANT, work),
    acrossTenants: (work) => scoped(EVERY_TENANT, work),
    async ping() {
      try {
        await pool.query('select 1');
      } catch (thrown) {
        throw storeProblem(thrown);
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = new AbortController();
      // A server that hangs would never close its end.
      const late = wait(DISPOSE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([pool.end(), late]);
      ended.abort();
    },
  };
}
