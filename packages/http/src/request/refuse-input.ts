import { ProblemError } from '@sluice/contract';
import type { Validated } from './validate.ts';

/** Violations that an error response lists, unless its operation lists more. */
export const DETAILS_MAX = 100;

/** Throws `invalid_request` with the first violations of all parts of the input, and with the number of the others. Returns if there are none. */
export function refuseInvalid(parts: readonly Validated[], detailsMax: number = DETAILS_MAX): void {
  const count = parts.reduce((sum, { violations }) => sum + violations, 0);
  if (count === 0) return;
  const listed = parts.flatMap(({ details }) => details).slice(0, detailsMax);
  const more = count - listed.length;
  const isStopped = parts.some((part) => part.isStopped === true);
  const first = listed[0] ?? { path: 'request', message: 'is not valid' };
  throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
    details: more > 0 || isStopped ? [...listed, { path: 'request', message: othersOf(more, isStopped) }] : listed,
  });
}

function othersOf(more: number, isStopped: boolean): string {
  if (!isStopped) return `has ${more} more violations`;
  return more > 0
    ? `has at least ${more} more violations; the rest was not checked`
    : 'was not checked after these violations';
}
