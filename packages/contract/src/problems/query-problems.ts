import { defineProblems } from './problem-definition.ts';

/** Failures of a query, and of the service that runs it. */
export const QUERY_PROBLEMS = defineProblems({
  syntax_error: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The SQL does not parse. `location` gives the position.',
  },
  read_only: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'The request is not a single read-only statement, or uses a feature that the read-only guard does not allow.',
  },
  table_not_found: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The SQL names a table or view that does not exist.',
  },
  column_not_found: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The SQL names a column that does not exist.',
  },
  function_not_found: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The SQL names a function that does not exist.',
  },
  semantic_error: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'The SQL parses but is not valid: for example an aggregate in WHERE, an ambiguous name, or a column missing from GROUP BY.',
  },
  type_error: { status: 400, retryable: false, logLevel: 'info', summary: 'The SQL combines incompatible types.' },
  data_error: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'A value in the data cannot be processed: for example a failed cast, a division by zero, an overflow, or a string that is not UTF-8.',
  },
  permission_denied: {
    status: 403,
    retryable: false,
    logLevel: 'info',
    summary: 'The engine denies this to the caller.',
  },
  query_cancelled: {
    status: 409,
    retryable: false,
    logLevel: 'info',
    summary: 'The query was cancelled by its caller, by a logout, or because the client stopped reading.',
  },
  reader_too_slow: {
    status: 503,
    retryable: true,
    logLevel: 'info',
    summary:
      'The client read the result too slowly while other queries waited for a worker. Run the query again and read faster.',
  },
  time_limit: {
    status: 504,
    retryable: false,
    logLevel: 'info',
    summary: 'The query exceeded the time limit of the tenant.',
  },
  resource_limit: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'The query exceeded a limit of the tenant on memory, disk, rows or bytes. Results are never shortened silently.',
  },
  not_supported: { status: 400, retryable: false, logLevel: 'info', summary: 'The engine does not support this.' },
  engine_unavailable: { status: 503, retryable: true, logLevel: 'error', summary: 'The SQL engine does not respond.' },
  engine_crashed: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'The worker process of the query was killed. Send the query again.',
  },
  storage_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary:
      'The folder for temporary files of the server is full or cannot be used. Queries that need no temporary file still run.',
  },
  audit_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'The audit log is not writable, so no query is run.',
  },
  receipt_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary:
      'All rows were sent, but the receipt could not be written, so the result is not confirmed. It may be complete; send the query again to be sure.',
  },
  host_suspended: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary:
      'The host was suspended, and other hosts have closed its queries, so the result is not confirmed. Send the query again.',
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'A back end of the service does not respond.',
  },
  server_shutdown: {
    status: 503,
    retryable: true,
    logLevel: 'info',
    summary: 'The server is shutting down. Send the request again.',
  },
  internal: {
    status: 500,
    retryable: false,
    logLevel: 'error',
    summary: 'An internal error. Give the operator the request id: the log has the cause.',
  },
});
