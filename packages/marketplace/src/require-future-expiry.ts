import { invalidRequest, type ProblemDetail } from '@sluice/contract';
import type { StoredGrant } from '@sluice/store/marketplace';

const MESSAGE = 'expires_ts must be in the future, in epoch milliseconds';

const isPast = (expiresTs: number | null | undefined): boolean =>
  typeof expiresTs === 'number' && expiresTs <= Date.now();

/**
 * Rejects an expiry in the past.
 *
 * @throws ProblemError `invalid_request`.
 */
export function requireFutureExpiry(expiresTs: number | null | undefined): void {
  if (isPast(expiresTs)) throw invalidRequest({ path: 'body.expires_ts', message: MESSAGE });
}

/**
 * Lists the grants whose expiry is past, with paths such as `grants[0].expires_ts`. A stored grant that has expired may be sent back
 * as it was read, so that a list can be read, changed and written.
 */
export function pastExpiries(grants: readonly StoredGrant[], stored: readonly StoredGrant[]): readonly ProblemDetail[] {
  const keyOf = ({ kind, name, expires_ts }: StoredGrant): string => `${kind} ${expires_ts} ${name}`;
  const unchanged = new Set(stored.map(keyOf));
  return grants.flatMap((grant, index) =>
    isPast(grant.expires_ts) && !unchanged.has(keyOf(grant))
      ? [{ path: `grants[${index}].expires_ts`, message: MESSAGE }]
      : [],
  );
}
