/**
 * Every way in which a request or a query can fail, in one table. Status, log level, stream code, whether a retry helps,
 * and the lines of `docs/errors.md` all follow from it, so a code that is not listed here cannot be raised.
 */
interface ProblemDefinition {
  /** HTTP status when the problem is told before the first byte of a body. */
  readonly status: number;
  /** True when the same request may succeed later without being changed. */
  readonly retryable: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** What it means and what to do, for `docs/errors.md` and OpenAPI. */
  readonly summary: string;
}

const define = <T extends Record<string, ProblemDefinition>>(table: T): T => table;

export const PROBLEMS = define({
  // the request
  invalid_request: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request breaks a rule of its shape; `details` lists every breach.',
  },
  malformed_json: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is not JSON, or is nested deeper than 64 levels.',
  },
  invalid_page_token: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The page token is unknown, older than 120 seconds, or of somebody else. Search again.',
  },
  ambiguous_credentials: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request carries more than one credential, or one header twice. Send exactly one.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    logLevel: 'info',
    summary: 'There is no credential, or it is not valid here. `WWW-Authenticate` says what to send.',
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
    summary: 'The refresh token is unknown, spent, expired or revoked (RFC 6749 section 5.2). Log in again.',
  },
  unsupported_grant_type: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The token endpoint serves `client_credentials` only (RFC 6749 section 5.2).',
  },
  access_denied: {
    status: 403,
    retryable: false,
    logLevel: 'info',
    summary: 'The caller is known but lacks the permission that the message names.',
  },
  not_found: {
    status: 404,
    retryable: false,
    logLevel: 'debug',
    summary: 'There is no such path, tenant or object, or it is not yours to see.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    logLevel: 'debug',
    summary: 'The path exists, but not with this method; `Allow` lists those it has.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    logLevel: 'info',
    summary:
      'The headers were not sent within 20 seconds, the request not within 30, or the body of a login not within 10.',
  },
  conflict: {
    status: 409,
    retryable: false,
    logLevel: 'info',
    summary: 'The object is in a state that does not allow this.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    logLevel: 'info',
    summary: 'The object was changed since `If-Match` was read. Read it again and decide anew.',
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
    summary: 'The body has another media type than the one the message names, or is compressed.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    logLevel: 'info',
    summary: 'This `Idempotency-Key` came with another request within 24 hours. Use a new key.',
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    logLevel: 'info',
    summary: 'A limit of rate or concurrency is reached; `Retry-After` says when to come back.',
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    logLevel: 'info',
    summary: 'The request line or headers are over 16 KiB.',
  },
  http_version_not_supported: {
    status: 505,
    retryable: false,
    logLevel: 'info',
    summary: 'A download needs HTTP/1.1: under HTTP/1.0 a cut file could not be told from a whole one.',
  },
  // the query
  syntax_error: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The SQL does not parse; `location` points at the place.',
  },
  read_only: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The statement is not a single read-only one, or uses something that the guard does not allow.',
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
      'The SQL parses but does not make sense: an aggregate in WHERE, an ambiguous name, a column that is not grouped.',
  },
  type_error: { status: 400, retryable: false, logLevel: 'info', summary: 'The SQL combines types that do not fit.' },
  data_error: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'A value in the data cannot be computed with or written: a failed cast, a division by zero, an overflow, a text that is not UTF-8.',
  },
  permission_denied: {
    status: 403,
    retryable: false,
    logLevel: 'info',
    summary: 'The engine refuses this to the caller.',
  },
  query_cancelled: {
    status: 409,
    retryable: false,
    logLevel: 'info',
    summary: 'The query was stopped: by its caller, by a logout, or because the client took no data.',
  },
  reader_too_slow: {
    status: 503,
    retryable: true,
    logLevel: 'info',
    summary:
      'The client read the result too slowly while others waited for a worker. Run the query again and read faster.',
  },
  time_limit: {
    status: 504,
    retryable: false,
    logLevel: 'info',
    summary: 'The query ran longer than the tenant allows.',
  },
  resource_limit: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The query needs more memory, disk, rows or bytes than the tenant allows. Nothing was shortened.',
  },
  not_supported: { status: 400, retryable: false, logLevel: 'info', summary: 'The engine does not support this.' },
  engine_unavailable: { status: 503, retryable: true, logLevel: 'error', summary: 'The SQL engine does not answer.' },
  engine_crashed: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'The process that ran the query was killed from outside. Send the query again.',
  },
  audit_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'The audit log cannot be written, so nothing is run.',
  },
  receipt_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary:
      'All rows left, but their receipt could not be written, so nothing confirms them. What you have may be whole; send the query again to be sure.',
  },
  host_suspended: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary:
      'The host was suspended for so long that others closed its queries, so the result cannot be vouched for. Send the query again.',
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    logLevel: 'error',
    summary: 'A back end of the service does not answer.',
  },
  server_shutdown: {
    status: 503,
    retryable: true,
    logLevel: 'info',
    summary: 'This server is stopping. Send the request again.',
  },
  internal: {
    status: 500,
    retryable: false,
    logLevel: 'error',
    summary: 'A fault of ours. The log holds it under the request id.',
  },
});

export type ProblemCode = keyof typeof PROBLEMS;

/** Failures of a statement after it was recorded, by its own fault or the service's. */
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
