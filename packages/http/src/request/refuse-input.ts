import { DETAILS_MAX, invalidRequest } from '@sluice/contract';
import type { Validated } from './validate.ts';

/** Throws `invalid_request` with the first violations of all parts of the input, and with the number of the others. Returns if there are none. */
export function refuseInvalid(parts: readonly Validated[], detailsMax: number = DETAILS_MAX): void {
  const count = parts.reduce((sum, { violations }) => sum + violations, 0);
  if (count === 0) return;
  const listed = parts.flatMap(({ details }) => details).slice(0, detailsMax);
  const more = count - listed.length;
  const isStopped = parts.some((part) => part.isStopped === true);
  const others = more > 0 || isStopped ? [{ path: 'request', message: othersOf(more, isStopped) }] : [];
  throw invalidRequest([...listed, ...others]);
}

function othersOf(more: number, isStopped: boolean): string {
  if (!isStopped) return `has ${more} more violations`;
  return more > 0
    ? `has at least ${more} more violations; the rest was not checked`
    : 'was not checked after these violations';
}
