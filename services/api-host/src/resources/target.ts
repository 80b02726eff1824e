import { ProblemError } from '@sluice/contract';
import { matchedVersion, type RouteRequest } from '@sluice/http';

/** Object that a request is for. */
export interface Target {
  readonly id: string;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

interface TargetedRequest {
  readonly params: { readonly id: string };
  readonly headers: RouteRequest['headers'];
}

/** Returns the object that a request is for, with the version of its If-Match header. */
export const targetOf = ({ params, headers }: TargetedRequest): Target => ({
  id: params.id,
  version: matchedVersion(headers),
});

/** Returns a row that exists, in the version that the caller has read. Throws `not_found` and `precondition_failed`. */
export function requireFound<T extends { readonly version: number }>(
  row: T | undefined,
  { what, version }: { readonly what: string; readonly version?: number | undefined },
): T {
  if (row === undefined) throw new ProblemError('not_found', `There is no such ${what}.`);
  if (version !== undefined && version !== row.version) {
    throw new ProblemError('precondition_failed', `The ${what} was changed meanwhile. Read it again.`);
  }
  return row;
}
