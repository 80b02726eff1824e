/** Kinds of errors in Trino's client protocol, by which clients decide whether to try again. */
export type TrinoErrorType = 'USER_ERROR' | 'INTERNAL_ERROR' | 'INSUFFICIENT_RESOURCES';

/** Position in the text of a statement, from 1. */
export interface ErrorLocation {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** An error as clients of Trino read it, in the page that ends a statement. */
export class TrinoError extends Error {
  override readonly name = 'TrinoError';
  /** Name of Trino's StandardErrorCode, such as `SYNTAX_ERROR`. */
  readonly errorName: string;
  readonly location: ErrorLocation | undefined;

  constructor(errorName: string, message: string, location?: ErrorLocation) {
    super(message);
    this.errorName = errorName;
    this.location = location;
  }
}
