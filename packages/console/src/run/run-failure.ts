/** Error of an execution, with what the user needs to report it. */
export interface RunFailure {
  /** Code of docs/errors.md in lower case, or one of the client's own. */
  readonly code: string;
  /** One sentence of the host or the client. */
  readonly message: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly queryId: string | undefined;
  /** Position in the statement that was sent; both count from 1. */
  readonly location: { readonly line: number; readonly column: number } | undefined;
  readonly retryAfterSeconds: number | undefined;
}
