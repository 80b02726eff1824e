import pg from 'pg';
import type { OnOperation } from './observe-operation.ts';
import { urlProblem } from './store-problem.ts';

export interface DatabaseSettings {
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

export const POOL_MAX = 10;
const QUERY_TIMEOUT_MS = 3000;
const CONNECT_TIMEOUT_MS_MIN = 2000;
/** Share of `queryTimeoutMs` for getting a connection: statements that take long hold theirs, and a slow server is slow to connect. */
const CONNECT_SHARE = 2 / 3;
/**
 * Share of the time limit that may pass before a request is given up. The rest is left for sending the response, even on a busy machine.
 */
const WAITED_SHARE = 0.85;
const STATEMENT_SHARE = 0.8;

/** Rejects an unusable URL immediately. The driver would throw only at the first query, and again at each later one. */
const checkUrl = (url: string): void => {
  try {
    new pg.Client({ connectionString: url });
  } catch (thrown) {
    throw urlProblem(thrown);
  }
};

/** Returns the longest wait for a connection. */
export const connectTimeoutOf = ({ connectTimeoutMs, queryTimeoutMs = QUERY_TIMEOUT_MS }: DatabaseSettings): number =>
  connectTimeoutMs ?? Math.max(CONNECT_TIMEOUT_MS_MIN, Math.ceil(queryTimeoutMs * CONNECT_SHARE));

/**
 * Creates a pool with at most `max` connections, which are opened when they are needed. Throws ProblemError for an unusable URL.
 */
export const createPool = (settings: DatabaseSettings, max: number): pg.Pool => {
  checkUrl(settings.url);
  const queryTimeoutMs = settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max,
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
