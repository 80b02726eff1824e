import { type ProblemDetail, ProblemError } from './problem-error.ts';

/** Violations that an error response lists, unless its operation lists more. */
export const DETAILS_MAX = 100;

/** Returns `invalid_request` for violations, such as `body.sql` with `must not be empty`. The message names the first. */
export function invalidRequest(
  details: ProblemDetail | readonly ProblemDetail[],
  options?: ErrorOptions,
): ProblemError {
  const listed = 'path' in details ? [details] : details;
  const first = listed[0] ?? { path: 'request', message: 'is not valid' };
  const place = first.line === undefined ? first.path : `line ${first.line}, ${first.path}`;
  return new ProblemError('invalid_request', `The request is not valid: ${place}: ${first.message}.`, {
    ...options,
    details: listed,
  });
}

/** Throws `invalid_request` if there are violations. */
export function requireValid(details: readonly ProblemDetail[]): void {
  if (details.length > 0) throw invalidRequest(details);
}

/** Returns at most 100 violations and how many more there are. `count` is that of all, if only some were given. */
export const limitDetails = (details: readonly ProblemDetail[], count = details.length): readonly ProblemDetail[] =>
  count <= DETAILS_MAX
    ? details
    : [...details.slice(0, DETAILS_MAX), { path: 'request', message: `has ${count - DETAILS_MAX} more violations` }];
