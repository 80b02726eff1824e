import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type ClientTransaction, createClientTransaction } from './client-transaction.ts';
import { checkSchema } from './schema-state.ts';
import { type Scope, scopeSetting, type UnnamedScope } from './scope.ts';
import { type RowHandler, ScopedQuery, type ScopedStatement } from './scoped-query.ts';
import {
  isPlanLost,
  isUnavailable,
  isWriteFailure,
  operatorProblem,
  storeProblem,
  urlProblem,
} from './store-problem.ts';
import type { PreparedStatement, Row, Transaction } from './transaction.ts';

export interface DatabaseSettings {
  /**
   * `postgres://` of a serving role (not the owner's: the owner is above row-level security). `sslmode` and `sslrootcert` are
   * the driver's: `require`, `verify-ca` and `verify-full` all check certificate and name, unless `uselibpqcompat=true`.
   */
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

export interface TenantDatabase {
  /** A transaction of several statements in which row-level security shows the rows of this tenant alone. */
  withTenant<T>(tenantId: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/**
 * PostgreSQL as one serving role. Every method throws ProblemError: `service_unavailable` when the server cannot be asked or
 * does not answer in time, `invalid_request` for a value that cannot be stored. Whoever created it disposes of it.
 */
export interface Database extends TenantDatabase, AsyncDisposable {
  /**
   * One statement as a transaction of its own, in one round trip: committed, and as durable as the server makes it, when it
   * resolves. For whatever a request does every time.
   */
  run<R extends object = Row>(scope: Scope, statement: PreparedStatement, values: readonly unknown[]): Promise<R[]>;
  /** As `run`, for many rows: each one's values, as the server writes them, go to `take` as they come. */
  read(scope: Scope, statement: PreparedStatement, values: readonly unknown[], onRow: RowHandler): Promise<void>;
  /** A transaction that sees no tenant's rows: for tenants, keys and hosts, which belong to the deployment. */
  withoutTenant<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** A transaction that sees every tenant's rows; see `Scope` for who may. */
  acrossTenants<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Resolves when the server answers, its schema is one that this version serves, and the role is bound by row-level security;
   * otherwise throws the sentence that says which. That sentence is for operators: no caller may be shown it.
   */
  ping(): Promise<void>;
  /** Time at which the server last failed to store what a statement wrote (its disk was full), on the clock of `performance.now()`. */
  readonly writeFailedAtMs: number | undefined;
}

const DISPOSE_MS = 2000;
/** Of the time in which callers are promised an answer some must be left to give it, on a busy machine too. */
const WAITED_SHARE = 0.85;
const STATEMENT_SHARE = 0.8;

/** The driver would notice at the first query, and at each one again. */
const checkUrl = (url: string): void => {
  try {
    new pg.Client({ connectionString: url });
  } catch (thrown) {
    throw urlProblem(thrown);
  }
};

const createPool = (settings: DatabaseSettings): pg.Pool => {
  checkUrl(settings.url);
  const queryTimeoutMs = settings.queryTimeoutMs ?? 3000;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax ?? 10,
    // The defaults of pg wait for ever for a connection, and for ever for an answer; so does 0.
    connectionTimeoutMillis: settings.connectTimeoutMs ?? 2000,
    query_timeout: Math.ceil(queryTimeoutMs * WAITED_SHARE),
    // A little less than our own wait, so that a slow statement ends by the server's word and the connection stays usable.
    statement_timeout: Math.ceil(queryTimeoutMs * STATEMENT_SHARE),
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    application_name: settings.applicationName ?? 'sluice',
  });
  // Without listeners a connection that the server drops would end the process: idle ones tell the pool, busy ones themselves.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Rolls back what failed. A connection that is in doubt is destroyed: the next caller must not inherit its transaction. */
const rollBack = async (client: pg.PoolClient, transaction: ClientTransaction, thrown: unknown): Promise<void> => {
  if (isUnavailable(thrown)) return client.release(true);
  try {
    await transaction.end('rollback');
    client.release();
  } catch {
    client.release(true);
  }
};

/** Settles when the server has committed, or rolled back. */
const runOn = (client: pg.PoolClient, statement: ScopedStatement): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, (error, result) => (error ? reject(error) : resolve(result.rows))));
  });

/** Throws ProblemError for a URL that cannot be used at all: one that names a certificate file that cannot be read. */
export function createDatabase(settings: DatabaseSettings): Database {
  const pool = createPool(settings);
  let plans: ScopedStatement['plans'] = 'named';
  let writeFailedAtMs: number | undefined;

  const problemOf = (thrown: unknown): unknown => {
    if (isWriteFailure(thrown)) writeFailedAtMs = performance.now();
    return storeProblem(thrown);
  };

  /** A failed statement is rolled back already; only a connection in doubt is destroyed. */
  const runOnce = async (statement: ScopedStatement): Promise<unknown[]> => {
    const client = await pool.connect();
    try {
      const rows = await runOn(client, statement);
      client.release();
      return rows;
    } catch (thrown) {
      client.release(isUnavailable(thrown));
      throw thrown;
    }
  };

  const runReplanned = async (statement: Omit<ScopedStatement, 'plans'>): Promise<unknown[]> => {
    // Of this statement: others that were sent at the same time may have changed it meanwhile.
    const used = plans;
    try {
      return await runOnce({ ...statement, plans: used });
    } catch (thrown) {
      if (used === 'unnamed' || !isPlanLost(thrown)) throw thrown;
      // A pooler that gives each transaction another server connection without carrying names along. Nothing has run yet.
      plans = 'unnamed';
      return await runOnce({ ...statement, plans });
    }
  };

  const transact = async <T>(scope: UnnamedScope, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const { value } = scopeSetting(scope);
    try {
      const client = await pool.connect();
      const transaction = createClientTransaction(client);
      try {
        // The value is a checked uuid or a constant of ours, so it may stand in the text: two statements, one round trip.
        await client.query(`begin; select set_config('sluice.tenant_id', '${value}', true)`);
        const answer = await work(transaction);
        await transaction.end('commit');
        client.release();
        return answer;
      } catch (thrown) {
        await rollBack(client, transaction, thrown);
        throw thrown;
      }
    } catch (thrown) {
      throw problemOf(thrown);
    }
  };

  return {
    async run<R extends object>(scope: Scope, statement: PreparedStatement, values: readonly unknown[]) {
      const setting = scopeSetting(scope);
      try {
        return (await runReplanned({ setting, statement, values })) as R[];
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    async read(scope, statement, values, onRow) {
      const setting = scopeSetting(scope);
      try {
        await runReplanned({ setting, statement, values, onRow });
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    withTenant: (tenantId, work) => transact({ tenantId }, work),
    withoutTenant: (work) => transact('no-tenant', work),
    acrossTenants: (work) => transact('every-tenant', work),
    async ping() {
      try {
        await checkSchema(async (text) => (await pool.query<Row & pg.QueryResultRow>(text)).rows);
      } catch (thrown) {
        throw operatorProblem(thrown);
      }
    },
    get writeFailedAtMs() {
      return writeFailedAtMs;
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
