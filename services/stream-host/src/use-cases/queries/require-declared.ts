import { type ProblemDetail, ProblemError } from '@sluice/contract';

const DETAILS_MAX = 100;

/** Throws `invalid_request` if values do not fit the declared parameters. Lists at most 100 problems, and how many more there are. */
export function requireDeclared(details: readonly ProblemDetail[]): void {
  const [first] = details;
  if (first === undefined) return;
  const listed = details.slice(0, DETAILS_MAX);
  const more = details.length - listed.length;
  throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
    details: more > 0 ? [...listed, { path: 'request', message: `has ${more} more violations` }] : listed,
  });
}
