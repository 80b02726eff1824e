/** Time that a transaction of a host may wait for the host. Between two statements it only computes. */
const IDLE_TIMEOUT = '5s';
/**
 * Interval at which the server checks, while a statement runs or waits for a lock, that the client has not closed the connection. A server
 * on Windows, or with PostgreSQL 14 on macOS, rejects the setting, so only those on Linux get it.
 */
const CONNECTION_CHECK_INTERVAL = '1s';

/** Time that a read of minutes may wait for its reader, which verifies the rows or writes them to a slow disk. */
export const SLOW_READER_TIMEOUT = '60s';

/**
 * Returns the select list that limits a transaction whose client is lost. A host that is frozen or cut off closes no connection, so
 * without limits the server would keep the locks of its transaction until TCP gives up. The settings are local to the transaction, so
 * they work behind a connection pooler.
 */
export const limitTransaction = (idleTimeout = IDLE_TIMEOUT): string => `
  set_config('idle_in_transaction_session_timeout', '${idleTimeout}', true),
  case when version() like '%linux%' then set_config('client_connection_check_interval', '${CONNECTION_CHECK_INTERVAL}', true) end`;
