import { PROBLEMS, type ProblemCode } from './problem.ts';

export interface ProblemDetail {
  /** Where: `body.size`, `query.id`, `header.content-type`. */
  readonly path: string;
  readonly message: string;
}

/** Place in the caller's own SQL, both from 1. */
export interface SqlLocation {
  readonly line: number;
  readonly column: number;
}

export interface ProblemOptions {
  readonly details?: readonly ProblemDetail[];
  readonly location?: SqlLocation;
  readonly retryAfterSeconds?: number;
  /** For the log only; never reaches a caller. */
  readonly cause?: unknown;
}

/**
 * The one error class of the house. `message` is public: a sentence that the caller can act on. Branch on `code`, never on
 * subclass or text; whatever is no ProblemError is `internal`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly details: readonly ProblemDetail[] | undefined;
  readonly location: SqlLocation | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.location = options.location;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** The same word as it stands in events and result sets. */
  get streamCode(): string {
    return this.code.toUpperCase();
  }
}

/** Turns anything thrown into a ProblemError; what is not one already is `internal` with the thrown thing as private cause. */
export function asProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return new ProblemError('internal', 'Something went wrong on our side. The request id finds it in the log.', {
    cause: thrown,
  });
}
