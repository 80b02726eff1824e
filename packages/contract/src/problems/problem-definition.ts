/** A way in which a request or a query can fail. */
interface ProblemDefinition {
  /** HTTP status of a failure that is reported before the first byte of a body. */
  readonly status: number;
  /** The same request may succeed later without a change. */
  readonly retryable: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Meaning and remedy, for `docs/errors.md` and OpenAPI. */
  readonly summary: string;
}

/** Checks a table of problems and keeps its codes as a type. */
export const defineProblems = <T extends Record<string, ProblemDefinition>>(table: T): T => table;
