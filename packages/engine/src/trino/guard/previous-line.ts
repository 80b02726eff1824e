import { ProblemError } from '@sluice/contract/problems';

/** Returns the error with its location in the caller's text, which begins on the second line of a statement around it. */
export function atPreviousLine(thrown: unknown): unknown {
  if (!(thrown instanceof ProblemError) || thrown.location === undefined || thrown.location.line < 2) return thrown;
  const { line, column } = thrown.location;
  return new ProblemError(thrown.code, thrown.message, { cause: thrown.cause, location: { line: line - 1, column } });
}
