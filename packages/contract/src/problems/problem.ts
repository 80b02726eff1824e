/**
 * Every way in which a request or a query can fail. The HTTP status, the log level, the stream code, whether a retry
 * helps, and the table of `docs/errors.md` come from here, so a code that is not listed cannot be thrown.
 */
interface ProblemDefinition {
  /** HTTP status of a failure that is reported before the first byte of a body. */
  readonly status: number;
  /** The same request may succeed later without a change. */
  readonly retryable: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Meaning and remedy, for `docs/errors.md` and OpenAPI. */
  readonly summary: string;
}

const define = <T extends Record<string, ProblemDefinition>>(table: T): T => table;

export const PROBLEMS = define({
  // the request
  invalid_request: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request does not match its schema. `details` lists every violation.',
  },
  malformed_json: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is not valid JSON, or is nested deeper than 64 levels.',
  },
  invalid_page_token: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The page token is unknown, older than 120 seconds, or belongs to another caller. Start the search again.',
  },
  ambiguous_credentials: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request has more than one credential, or the same credential header twice. Send exactly one.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    logLevel: 'info',
    summary: 'The credential is missing or not valid on this host. `WWW-Authenticate` names the accepted schemes.',
  },
  invalid_client: {
    status: 401,
    retryable: false,
    logLevel: 'info',
    summary: 'The client id or secret is wrong (RFC 6749 section 5.2).',
  },
  invalid_grant: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The refresh token is unknown, already used, expired or revoked (RFC 6749 section 5.2). Log in again.',
  },
  unsupported_grant_type: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The token endpoint supports `client_credentials` only (RFC 6749 section 5.2).',
  },
  access_denied: {
    status: 403,
    retryable: false,
    logLevel: 'info',
    summary: 'The caller is authenticated but lacks the permission that the message names.',
  },
  not_found: {
    status: 404,
    retryable: false,
    logLevel: 'debug',
    summary: 'The path, tenant or object does not exist, or the caller may not see it.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    logLevel: 'debug',
    summary: 'The path does not support this method. `Allow` lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    logLevel: 'info',
    summary:
      'The client sent too slowly: headers must arrive within 20 seconds, a request within 30, the body of a login within 10.',
  },
  conflict: {
    status: 409,
    retryable: false,
    logLevel: 'info',
    summary: 'The current state of the object does not allow this.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    logLevel: 'info',
    summary: 'The object has changed since the version in `If-Match`. Read it again, then repeat the change.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is larger than the limit that the message names.',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is compressed, or its media type is not one that the message names.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    logLevel: 'info',
    summary: 'This `Idempotency-Key` was used with a different request within 24 hours. Use a new key.',
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    logLevel: 'info',
    summary: 'A rate or concurrency limit is reached. Retry after the seconds in `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    logLevel: 'info',
    summary: 'The request line and headers are larger than 16 KiB.',
  },
  http_version_not_supported: {
    status: 505,
    retryable: false,
    logLevel: 'info',
    summary: 'A download needs HTTP/1.1: over HTTP/1.0 a client cannot detect a truncated file.',
  },
  // the query
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
      'A value in the data cannot be processed: for example a failed cast, a division by zero, an overflow, or text that is not UTF-8.',
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

export type ProblemCode = keyof typeof PROBLEMS;

/** Failures of a statement after it was recorded, caused by the statement or by the service. */
export const STATEMENT_PROBLEMS = [
  'syntax_error',
  'read_only',
  'table_not_found',
  'column_not_found',
  'function_not_found',
  'semantic_error',
  'type_error',
  'data_error',
  'permission_denied',
  'query_cancelled',
  'reader_too_slow',
  'time_limit',
  'resource_limit',
  'not_supported',
  'engine_unavailable',
  'engine_crashed',
  'host_suspended',
  'receipt_unavailable',
  'audit_unavailable',
  'service_unavailable',
  'server_shutdown',
  'internal',
] as const satisfies readonly ProblemCode[];
