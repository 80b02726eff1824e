/** Position in a statement; both count from 1. */
export interface SqlLocation {
  readonly line: number;
  readonly column: number;
}

/** One fault of a request. `path` begins with `path`, `query`, `body` or `header`. */
export interface FaultDetail {
  readonly path: string;
  readonly message: string;
  /** Line of the body, for a file of `POST /admin/apply`. */
  readonly line?: number;
}

export interface SluiceErrorFields {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly queryId?: string | undefined;
  readonly location?: SqlLocation | undefined;
  readonly details?: readonly FaultDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Body of the error response: an object, or a string if it was not JSON. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/**
 * Base of all errors of the client. `code` is a code of docs/errors.md in lower case, or one of the client's own:
 * `connection_failed`, `timeout`, `incomplete_result`, `unexpected_response`, `target_failed`, `too_many_matches`.
 */
export class SluiceError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  /** Id of the request, which is also in the log of the host. */
  readonly requestId: string | undefined;
  readonly queryId: string | undefined;
  /** Position in the SQL, if the engine reports one. */
  readonly location: SqlLocation | undefined;
  readonly details: readonly FaultDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;

  constructor(code: string, message: string, fields: SluiceErrorFields = {}) {
    super(message, { cause: fields.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.queryId = fields.queryId;
    this.location = fields.location;
    this.details = fields.details ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.body = fields.body;
  }
}

/** A host returned an error status. */
export class ResponseError extends SluiceError {}

/** The engine rejected a statement, or it failed later. Rows before the failure are valid, but not all of them. */
export class QueryFailedError extends SluiceError {}

/** No response arrived: the host was not reached, or the connection ended before the headers. */
export class ConnectionError extends SluiceError {}

/**
 * Missing or failed proof that a result is complete.
 * - `cut`: the stream ended before its last event or line.
 * - `stalled`: no byte arrived within the idle timeout.
 * - `malformed`: the response is not valid, or its events are out of order.
 * - `row_count`, `hash`: the rows or bytes received differ from those that the host reports.
 * - `state`: the receipt does not have the state FINISHED.
 * - `receipt`: the receipt could not be read, or is that of another query.
 */
export type IncompleteReason = 'cut' | 'stalled' | 'malformed' | 'row_count' | 'hash' | 'state' | 'receipt';

/** A result ended without the proof that it is complete. The rows or bytes received so far must not be taken for the whole. */
export class IncompleteResultError extends SluiceError {
  readonly reason: IncompleteReason;

  constructor(reason: IncompleteReason, message: string, fields: SluiceErrorFields = {}) {
    super('incomplete_result', message, fields);
    this.reason = reason;
  }
}
