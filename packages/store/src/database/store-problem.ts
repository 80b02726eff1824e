import { types } from 'node:util';
import { ProblemError } from '@sluice/contract';

/**
 * SQLSTATE classes of a server that cannot serve at present: connection, resources, operator intervention, locks (PostgreSQL appendix A).
 */
const UNAVAILABLE_STATES = /^(08|53|57|58|40|55P03|25P03|25006|3D000|28)/;

/** Values that no column can hold: NUL, a lone surrogate, malformed uuid or jsonb, a time out of range. */
const UNSTORABLE_STATES = new Set(['22021', '22P05', '22P02', '22008', '22001', '22003']);

const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors of the driver that have no code, only a message (pg 8, pg-pool 3). */
const UNAVAILABLE_TEXT =
  /timeout|timed? ?out|connection terminated|connection error|not queryable|cannot use a pool|server closed/i;

/** `disk_full`, `io_error`, `read_only_sql_transaction` (a standby) */
const UNWRITABLE_STATES = new Set(['53100', '58030', '25006']);

/** Messages of PostgreSQL for causes without a code (EDQUOT, EFBIG; md.c, fd.c). */
const UNWRITABLE_TEXT = /could not (extend|write( to)?|fsync|create) file/i;

const RETRY_AFTER_SECONDS = 1;
const NO_RESPONSE = 'The database does not respond. Try again in a moment.';
const BUSY = 'The host has more requests than connections to the database. Try again in a moment.';

const textOf = (thrown: Error, name: 'code' | 'message'): string => {
  const text: unknown = Reflect.get(thrown, name);
  return typeof text === 'string' ? text : '';
};

/** Errors of `connect` when each of several addresses failed. */
const causesOf = (thrown: Error): readonly unknown[] => {
  const errors: unknown = Reflect.get(thrown, 'errors');
  return Array.isArray(errors) ? errors : [];
};

/** Returns true when the server could not be reached or did not reply in time, so that the connection must not be reused. */
export const isUnavailable = (thrown: unknown): boolean => {
  // Not `instanceof`: Node's own errors may come from another realm.
  if (!types.isNativeError(thrown)) return false;
  const code = textOf(thrown, 'code');
  if (UNAVAILABLE_SYSTEM_CODES.has(code) || UNAVAILABLE_STATES.test(code)) return true;
  return UNAVAILABLE_TEXT.test(textOf(thrown, 'message')) || causesOf(thrown).some(isUnavailable);
};

/** Returns true when the server cannot store what a statement writes: its disk is full or broken, or it is a standby. */
export const isWriteFailure = (thrown: unknown): boolean =>
  types.isNativeError(thrown) &&
  (UNWRITABLE_STATES.has(textOf(thrown, 'code')) || UNWRITABLE_TEXT.test(textOf(thrown, 'message')));

/** `invalid_sql_statement_name`, `duplicate_prepared_statement`: raised before a statement starts to run. */
const PLAN_LOST_STATES = new Set(['26000', '42P05']);

/** Returns true when the server connection does not know a prepared statement, or already has one of that name. */
export const isPlanLost = (thrown: unknown): boolean =>
  types.isNativeError(thrown) && PLAN_LOST_STATES.has(textOf(thrown, 'code'));

const VIOLATIONS = { 'foreign key': '23503', unique: '23505', check: '23514' } as const;

/** Returns true when the server rejected a statement for a constraint of this kind. */
export const isViolation = (thrown: unknown, constraint: keyof typeof VIOLATIONS): boolean =>
  types.isNativeError(thrown) && textOf(thrown, 'code') === VIOLATIONS[constraint];

/** Codes of Node's TLS and OpenSSL errors while the server's certificate is checked. */
const CERTIFICATE_CODES =
  /^(ERR_TLS_CERT|ERR_SSL_|CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH)/;

/** The driver's message when the server does not support TLS (pg 8, lib/connection.js). */
const NO_TLS_TEXT = /does not support SSL/;

/** `invalid_authorization_specification`, `invalid_password` */
const LOGIN_STATES = new Set(['28000', '28P01']);

/**
 * Message about a setting that the operator must correct. It is not shown to API clients, because it describes how this service reaches its
 * database.
 */
const operatorMessage = (thrown: unknown): string | undefined => {
  if (!types.isNativeError(thrown)) return undefined;
  const code = textOf(thrown, 'code');
  if (CERTIFICATE_CODES.test(code)) {
    return `The database's TLS certificate is not trusted (${code}). Check sslrootcert and the host name in the database URL.`;
  }
  if (NO_TLS_TEXT.test(textOf(thrown, 'message'))) {
    return 'The database does not accept TLS connections, but sslmode in the database URL requires TLS.';
  }
  if (LOGIN_STATES.has(code)) {
    return 'The database rejects the login because of the role, its password, or a connection without TLS. Check the database URL.';
  }
  return undefined;
};

/** Converts the error for a URL that the driver cannot use. The message has the path of an unreadable file, which the operator needs. */
export const urlProblem = (thrown: unknown): unknown => {
  if (!types.isNativeError(thrown)) return thrown;
  const path: unknown = Reflect.get(thrown, 'path');
  const sentence =
    typeof path === 'string'
      ? `The database URL names a file that cannot be read: ${path} (${textOf(thrown, 'code')}).`
      : 'The database URL cannot be used: its TLS options contradict each other or it is malformed.';
  return new ProblemError('service_unavailable', sentence, { cause: thrown });
};

const unavailable = (sentence: string, cause: unknown): ProblemError =>
  new ProblemError('service_unavailable', sentence, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

/** A statement that only waited for others: the database serves, but not all at once. */
export const busyProblem = (): ProblemError =>
  new ProblemError('service_unavailable', BUSY, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Converts errors of the driver to our own problems, whose messages are for callers. Passes on any other error, which becomes `internal`.
 */
export const storeProblem = (thrown: unknown): unknown => {
  if (thrown instanceof ProblemError) return thrown;
  if (operatorMessage(thrown) !== undefined || isUnavailable(thrown)) return unavailable(NO_RESPONSE, thrown);
  if (types.isNativeError(thrown) && UNSTORABLE_STATES.has(textOf(thrown, 'code'))) {
    return new ProblemError('invalid_request', 'A value contains a character or number that cannot be stored.', {
      cause: thrown,
    });
  }
  return thrown;
};

/** Maps an error as `storeProblem` does, for operators: the message, in the log or when a host does not start, names the wrong setting. */
export const operatorProblem = (thrown: unknown): unknown => {
  const sentence = operatorMessage(thrown);
  return sentence === undefined ? storeProblem(thrown) : unavailable(sentence, thrown);
};

/** No record, no result: any cause that prevents a durable record becomes `audit_unavailable`, except for bad input. */
export const auditProblem = (thrown: unknown): ProblemError => {
  const problem = storeProblem(thrown);
  if (problem instanceof ProblemError && problem.code !== 'service_unavailable' && problem.code !== 'internal') {
    return problem;
  }
  return new ProblemError('audit_unavailable', 'The audit log cannot be written, so nothing was run. Try again soon.', {
    cause: thrown,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
};
