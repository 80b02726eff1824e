import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { SentenceWithValues } from './sign-in-sentences.ts';

export interface ProblemDetail {
  /** Location in the request: `body.size`, `query.id`, `header.content-type`. */
  readonly path: string;
  readonly message: string;
  /** Line of the body, from 1, for a body that is a file of a person. */
  readonly line?: number;
}

/** Position in the caller's own SQL. Line and column start at 1. */
export interface SqlLocation {
  readonly line: number;
  readonly column: number;
}

/** Name, number and type that Trino gives to a failure, which clients of its protocol know. */
export interface EngineError {
  readonly name: string;
  readonly code: number;
  readonly type: string;
}

export interface ProblemOptions {
  readonly details?: readonly ProblemDetail[];
  readonly location?: SqlLocation;
  readonly retryAfterSeconds?: number;
  /** Sentence that the pages of sign-in show in other languages. */
  readonly sentence?: SentenceWithValues;
  /** Set for an error of Trino, and for one of DuckDB of which Trino's name says more than `code`. */
  readonly engineError?: EngineError | undefined;
  /** Account that the caller named in place of its own, for the audit record of `access_denied`. */
  readonly asUser?: string;
  /** Logged, never sent to the caller. */
  readonly cause?: unknown;
}

/**
 * The only error class of Sluice. `message` is public: a sentence that the caller can act on. Branch on `code`, never on
 * the class or the text. Any other thrown value becomes `internal`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly details: readonly ProblemDetail[] | undefined;
  readonly location: SqlLocation | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly sentence: SentenceWithValues | undefined;
  readonly engineError: EngineError | undefined;
  readonly asUser: string | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.location = options.location;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.sentence = options.sentence;
    this.engineError = options.engineError;
    this.asUser = options.asUser;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** The code as events and result sets spell it, as in `TABLE_NOT_FOUND`. */
  get streamCode(): string {
    return this.code.toUpperCase();
  }
}

/** Converts any thrown value to a ProblemError. A value of another class becomes `internal`, with the value as private cause. */
export function asProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return new ProblemError('internal', 'An internal error occurred. Give the operator the request id.', {
    cause: thrown,
  });
}
