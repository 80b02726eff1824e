import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type ClientTransaction, createClientTransaction } from './client-transaction.ts';
import { connectTimeoutOf, createPool, type DatabaseSettings, POOL_MAX } from './connection-pool.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { observeOperation } from './observe-operation.ts';
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
} from './store-problem.ts';
import type { PreparedStatement, Row, Transaction } from './transaction.ts';

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
   * error whose message says which is not the case. The message is for operators and must not reach API clients. It has a connection of its
   * own: a host whose connections are all in use is busy, and its database responds.
   */
  ping(): Promise<void>;
  /** Runs a statement of the host's own checks, without a tenant, on a connection that no request uses. */
  check(statement: PreparedStatement): Promise<void>;
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

/** Connections for the checks of a host, besides those of `poolMax`: one, and a second one while the first one hangs. */
const CHECK_CONNECTIONS = 2;
const DISPOSE_MS = 2000;

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
  const { poolMax = POOL_MAX } = settings;
  const pool = createPool(settings, poolMax);
  const checks = createPool(settings, CHECK_CONNECTIONS);
  const turns = createConnectionTurns({
    max: poolMax,
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

  type Connect = () => Promise<Connection>;

  const connectInTurn = async (scope: Scope): Promise<Connection> => {
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

  const connectForCheck = async (): Promise<Connection> => {
    const client = await checks.connect();
    return { client, release: (isBroken) => client.release(isBroken) };
  };

  /** A failed statement is already rolled back. Only a connection whose state is unknown is destroyed. */
  const runOnce = async (connect: Connect, statement: ScopedStatement): Promise<unknown[]> => {
    const { client, release } = await connect();
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

  const runReplanned = async (connect: Connect, statement: Omit<ScopedStatement, 'plans'>): Promise<unknown[]> => {
    // The mode of this statement: concurrent statements may change `plans` meanwhile.
    const used = plans;
    try {
      return await runOnce(connect, { ...statement, plans: used });
    } catch (thrown) {
      if (used === 'unnamed' || !isPlanLost(thrown)) throw thrown;
      // A transaction pooler without support for prepared statements. Nothing has run yet.
      plans = 'unnamed';
      return await runOnce(connect, { ...statement, plans });
    }
  };

  const transact = async <T>(scope: UnnamedScope, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const { value } = scopeSetting(scope);
    try {
      const connection = await connectInTurn(scope);
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
        return (await runReplanned(() => connectInTurn(scope), { setting, statement, values })) as R[];
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    async read(scope, statement, values, onRow) {
      const setting = scopeSetting(scope);
      try {
        await runReplanned(() => connectInTurn(scope), { setting, statement, values, onRow });
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    withTenant: (tenantId, work) => transact({ tenantId }, work),
    withoutTenant: (work) => transact('no-tenant', work),
    acrossTenants: (work) => transact('every-tenant', work),
    async ping() {
      try {
        await checkSchema(async (text) => (await checks.query<Row & pg.QueryResultRow>(text)).rows);
        turns.noteReply();
      } catch (thrown) {
        throw operatorProblem(thrown);
      }
    },
    async check(statement) {
      try {
        await runReplanned(connectForCheck, { setting: scopeSetting('no-tenant'), statement, values: [] });
      } catch (thrown) {
        throw problemOf(thrown);
      }
    },
    get writeFailedAtMs() {
      return writeFailedAtMs;
    },
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: poolMax,
      waiting: turns.waiting + pool.waitingCount,
    }),
    async [Symbol.asyncDispose]() {
      const ended = new AbortController();
      // A server that hangs would never close its end.
      const late = wait(DISPOSE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([Promise.all([pool.end(), checks.end()]), late]);
      ended.abort();
    },
  };
}
