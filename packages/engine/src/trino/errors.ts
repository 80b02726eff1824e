import { type EngineError, type ProblemCode, ProblemError } from '@sluice/contract/problems';
import type { TrinoError } from './protocol/error-fields.ts';

/** Trino's names of errors (`StandardErrorCode`) that say more than the type of the error. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  SYNTAX_ERROR: 'syntax_error',
  TABLE_NOT_FOUND: 'table_not_found',
  SCHEMA_NOT_FOUND: 'table_not_found',
  CATALOG_NOT_FOUND: 'table_not_found',
  MISSING_CATALOG_NAME: 'table_not_found',
  MISSING_SCHEMA_NAME: 'table_not_found',
  COLUMN_NOT_FOUND: 'column_not_found',
  FUNCTION_NOT_FOUND: 'function_not_found',
  TYPE_MISMATCH: 'type_error',
  TYPE_NOT_FOUND: 'type_error',
  PERMISSION_DENIED: 'permission_denied',
  NOT_SUPPORTED: 'not_supported',
  // A mark that is not of the form $name, in a place where the lexer does not expect one.
  INVALID_PARAMETER_USAGE: 'not_supported',
  DIVISION_BY_ZERO: 'data_error',
  INVALID_CAST_ARGUMENT: 'data_error',
  INVALID_FUNCTION_ARGUMENT: 'data_error',
  NUMERIC_VALUE_OUT_OF_RANGE: 'data_error',
  SUBQUERY_MULTIPLE_ROWS: 'data_error',
  INVALID_ARRAY_ELEMENT: 'data_error',
  GENERIC_USER_ERROR: 'data_error',
  USER_CANCELED: 'query_cancelled',
  ADMINISTRATIVELY_KILLED: 'query_cancelled',
  ADMINISTRATIVELY_PREEMPTED: 'query_cancelled',
  EXCEEDED_TIME_LIMIT: 'time_limit',
  EXCEEDED_CPU_LIMIT: 'time_limit',
  QUERY_QUEUE_FULL: 'too_many_requests',
  ABANDONED_QUERY: 'engine_unavailable',
  ABANDONED_TASK: 'engine_unavailable',
  CLUSTER_OUT_OF_MEMORY: 'resource_limit',
  NO_NODES_AVAILABLE: 'engine_unavailable',
  SERVER_STARTING_UP: 'engine_unavailable',
  SERVER_SHUTTING_DOWN: 'engine_unavailable',
  REMOTE_HOST_GONE: 'engine_unavailable',
  REMOTE_TASK_ERROR: 'engine_unavailable',
  REMOTE_TASK_MISMATCH: 'engine_unavailable',
  PAGE_TRANSPORT_ERROR: 'engine_unavailable',
  PAGE_TRANSPORT_TIMEOUT: 'engine_unavailable',
  TOO_MANY_REQUESTS_FAILED: 'engine_unavailable',
};

const TYPES: Readonly<Record<string, ProblemCode>> = {
  USER_ERROR: 'semantic_error',
  INSUFFICIENT_RESOURCES: 'resource_limit',
  // From a connector: its message may name hosts and files.
  EXTERNAL: 'engine_unavailable',
};

/** `line 3:7: ` before a message, which repeats `location`. */
const LOCATION_PREFIX = /^line \d+:\d+: /;

/** Returns the error as Trino names it, or undefined for one that has not all of its fields. */
function engineErrorOf({ errorName: name, errorCode: code, errorType: type }: TrinoError): EngineError | undefined {
  return name === undefined || code === undefined || type === undefined ? undefined : { name, code, type };
}

/**
 * Returns the problem for an error of Trino, with its name and number. Unless the error is known to be the caller's, Trino's message is not
 * passed on.
 */
export function trinoProblem(error: TrinoError): ProblemError {
  const name = error.errorName ?? 'UNKNOWN';
  const code = CODES[name] ?? TYPES[error.errorType ?? ''] ?? 'internal';
  const cause = new Error(`Trino: ${name}: ${error.message ?? 'no message'}`);
  const options = { cause, engineError: engineErrorOf(error) };
  if (code === 'internal')
    return new ProblemError(code, `Trino had an internal error (${name}). The log has the details.`, options);
  if (code === 'engine_unavailable') {
    const sentence = error.errorType === 'EXTERNAL' ? 'A data source of Trino failed' : 'Trino could not run the query';
    return new ProblemError(code, `${sentence} (${name}).`, options);
  }
  const message = (error.message ?? name).replace(LOCATION_PREFIX, '');
  const errorLocation = error.errorLocation;
  const location =
    errorLocation === undefined
      ? {}
      : { location: { line: errorLocation.lineNumber, column: errorLocation.columnNumber } };
  return new ProblemError(code, message, { ...options, ...location });
}
