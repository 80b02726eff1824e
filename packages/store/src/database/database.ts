import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type ClientTransaction, createClientTransaction } from './client-transaction.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { type OnOperation, observeOperation } from './observe-operation.ts';
import { checkSchema } from './schema-state.ts';
import { groupOf, type Scope, scopeSetting, type UnnamedScope } from './scope.ts';
import { type RowHandler, ScopedQuery, type ScopedStatement } from './scoped-query.ts';
import {
  busyProblem,
  isPlanLost,
  isUnavailable,
  isWriteFailure,
  operatorProblem,
  storeProblem,
  urlProblem,
} from './store-problem.ts';
import type { PreparedStatement, Row, Transaction } from './transaction.ts';

interface DatabaseSettings {
  /**
   * `postgres://` URL of a serving role. Not the owner, which bypasses row-level security. The driver interprets `sslmode` and
   * `sslrootcert`: `require`, `verify-ca` and `verify-full` all check certificate and host name, unless `uselibpqcompat=true`.
   */
  readonly url: string;
  /** Connections of this process. Default 10. */
  readonly poolMax?: number;
  /** Longest wait for a connection, from the pool or the network. Default: two thirds of `queryTimeoutMs`, at least 2000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for one statement, both at the server and here. Default 3000. */
  readonly queryTimeoutMs?: number;
  /** Name in pg_stat_activity. */
  readonly applicationName?: string;
  /** Receives the end of each statement, for metrics. */
  readonly onOperation?: OnOperation;
}

export interface TenantDatabase {
  /** Runs a transaction of several statements. Row-level security limits it to the rows of this tenant. */
  withTenant<T>(tenantId: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/**
 * PostgreSQL as one serving role. Every method throws ProblemError: `service_unavailable` when the server cannot be reached or does not
 * reply in time, `invalid_request` for a value that cannot be stored. The creator disposes of it.
 */
export interface Database extends TenantDatabase, AsyncDisposable {
  /**
   * Runs one statement as a transaction of its own, in one round trip. When it resolves, the statement is committed, as durably as the
   * server is configured. For everything that each request does.
   */
  run<R extends object = Row>(scope: Scope, statement: PreparedStatement, values: readonly unknown[]): Promise<R[]>;
  /** Runs a statement with many rows: passes the values of each row, as text from the server, to `onRow` as they arrive. */
  read(scope: Scope, statement: PreparedStatement, values: readonly unknown[], onRow: RowHandler): Promise<void>;
  /** Runs a transaction that sees no tenant's rows: for tenants, keys and hosts, which belong to the deployment. */
  withoutTenant<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs a transaction that sees the rows of every tenant. See `Scope` for its permitted callers. */
  acrossTenants<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Resolves when the server replies, this version can serve its schema, and the role is subject to row-level security. Otherwise throws an
   * error whose message says which is not the case. The message is for operators and must not reach API clients.
   */
  ping(): Promise<void>;
  /** Time of the last write that the server failed to store (its disk was full), on the clock of `performance.now()`. */
  readonly writeFailedAtMs: number | undefined;
  /** Connections of the pool at this moment. */
  connections(): DatabaseConnections;
}

interface DatabaseConnections {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

const POOL_MAX = 10;
const QUERY_TIMEOUT_MS = 3000;
const CONNECT_TIMEOUT_MS_MIN = 2000;
/** Share of `queryTimeoutMs` for getting a connection: statements that take long hold theirs, and a slow server is slow to connect. */
const CONNECT_SHARE = 2 / 3;
const DISPOSE_MS = 2000;
/**
 * Share of the time limit that may pass before a request is given up. The rest is left for sending the response, even on a busy machine.
 */
const WAITED_SHARE = 0.85;
const STATEMENT_SHARE = 0.8;

/** Rejects an unusable URL at once. The driver would throw only at the first query, and again at each later one. */
const checkUrl = (url: string): void => {
  try {
    new pg.Client({ connectionString: url });
  } catch (thrown) {
    throw urlProblem(thrown);
  }
};

const connectTimeoutOf = ({ connectTimeoutMs, queryTimeoutMs = QUERY_TIMEOUT_MS }: DatabaseSettings): number =>
  connectTimeoutMs ?? Math.max(CONNECT_TIMEOUT_MS_MIN, Math.ceil(queryTimeoutMs * CONNECT_SHARE));

const createPool = (settings: DatabaseSettings): pg.Pool => {
  checkUrl(settings.url);
  const queryTimeoutMs = settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax ?? POOL_MAX,
    // By default, pg waits forever for a connection and forever for a reply; 0 means the same.
    connectionTimeoutMillis: connectTimeoutOf(settings),
    query_timeout: Math.ceil(queryTimeoutMs * WAITED_SHARE),
    // Slightly shorter than our own time limit, so that the server ends a slow statement and the connection stays usable.
    statement_timeout: Math.ceil(queryTimeoutMs * STATEMENT_SHARE),
    keepAlive: true,
    application_name: settings.applicationName ?? 'sluice',
  });
  // Without listeners, a connection that the server closes would end the process. Idle connections report to the pool, busy ones emit the
  // event themselves.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Rolls back a failed transaction. Destroys a connection whose state is unknown: the next caller must not inherit its transaction. */
const rollBack = async ({ release }: Connection, transaction: ClientTransaction, thrown: unknown): Promise<void> => {
  if (isUnavailable(thrown)) return release(true);
  try {
    await transaction.end('rollback');
    release();
  } catch {
    release(true);
  }
};

interface Connection {
  readonly client: pg.PoolClient;
  readonly release: (isBroken?: boolean) => void;
}

/** Settles when the server has committed or rolled back. */
const runOn = (client: pg.PoolClient, statement: ScopedStatement): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, (error, result) => (error ? reject(error) : resolve(result.rows))));
  });

/** Creates the connection pool. Throws ProblemError for an unusable URL, such as one that names an unreadable certificate file. */
export function createDatabase(settings: DatabaseSettings): Database {
  const pool = createPool(settings);
  const turns = createConnectionTurns({
    max: settings.poolMax ?? POOL_MAX,
    timeoutMs: connectTimeoutOf(settings),
    busy: busyProblem,
    silent: () => new Error('timeout: no connection of the pool became free'),
  });
  let plans: ScopedStatement['plans'] = 'named';
  let writeFailedAtMs: number | undefined;

  const problemOf = (thrown: unknown): unknown => {
    if (isWriteFailure(thrown)) writeFailedAtMs = performance.now();
    return storeProblem(thrown);
  };

  const connect = async (scope: Scope): Promise<Connection> => {
    const endTurn = await turns.acquire(groupOf(scope));
    try {
      const client = await pool.connect();
      const release = (isBroken = false): void => {
        client.release(isBroken);
        endTurn(!isBroken);
      };
      return { client, release };
    } catch (thrown) {
      endTurn(false);
      throw thrown;
    }
  };

  /** A failed statement is already rolled back. Only a connection whose state is unknown is destroyed. */
  const runOnce = async (scope: Scope, statement: ScopedStatement): Promise<unknown[]> => {
    const { client, release } = await connect(scope);
    try {
      const rows = await observeOperation(
        statement.statement.text,
        () => runOn(client, statement),
        settings.onOperation,
      );
      release();
      return rows;
    } catch (thrown) {
      release(isUnavailable(thrown));
      throw thrown;
    }
  };

  const runReplanned = async (scope: Scope, statement: Omit<ScopedStatement, 'plans'>): Promise<unknown[]> => {
    // The mode of this statement: concurrent statements may change `plans` meanwhile.
    const used = plans;
    try {
      return await runOnce(scope, { ...statement, plans: used });
    } catch (thrown) {
      if (used === 'unnamed' || !isPlanLost(thrown)) throw thrown;
      // A transaction pooler without support for prepared statements. Nothing has run yet.
      plans = 'unnamed';
      return await runOnce(scope, { ...statement, plans });
    }
  };

  const transact = async <T>(scope: UnnamedScope, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const { value } = scopeSetting(scope);
    try {
      const connection = await connect(scope);
      const transaction = createClientTransaction(connection.client, settings.onOperation);
      try {
        await transaction.begin(value);
        const answer = await work(transaction);
        await transaction.end('commit');
        connection.release();
        return answer;
      } catch (thrown) {
        await rollBack(connection, transaction, thrown);
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
        return (await runReplanned(scope, { setting, statement, values })) as R[];
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    async read(scope, statement, values, onRow) {
      const setting = scopeSetting(scope);
      try {
        await runReplanned(scope, { setting, statement, values, onRow });
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
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: settings.poolMax ?? POOL_MAX,
      waiting: turns.waiting + pool.waitingCount,
    }),
    async [Symbol.asyncDispose]() {
      const ended = new AbortController();
      // A server that hangs would never close its end.
      const late = wait(DISPOSE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([pool.end(), late]);
      ended.abort();
    },
  };
}
