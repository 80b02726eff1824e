import { QUERY_PROBLEMS } from './query-problems.ts';
import { REQUEST_PROBLEMS } from './request-problems.ts';

/**
 * Every way in which a request or a query can fail. The HTTP status, the log level, the stream code, whether a retry
 * helps, and the table of `docs/errors.md` come from here, so a code that is not listed cannot be thrown.
 */
export const PROBLEMS = { ...REQUEST_PROBLEMS, ...QUERY_PROBLEMS };

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
  'storage_unavailable',
  'host_suspended',
  'receipt_unavailable',
  'audit_unavailable',
  'service_unavailable',
  'server_shutdown',
  'internal',
] as const satisfies readonly ProblemCode[];
