import { type Operation, type Permission, type Principal, ProblemError } from '@sluice/contract';
import type { Reader } from '../model/route.ts';

/** Authenticated request that was rejected, for the audit log. */
export interface Denial {
  readonly principal: Principal;
  readonly operation: Operation;
  /** Missing permission. Absent if the request was rejected for another reason. */
  readonly permission?: Permission;
  /** `scope`: the session is limited to a scope that does not include the operation. */
  readonly reason?: 'scope';
  /** Account that the caller named in place of its own. */
  readonly asUser?: string;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/**
 * Rejects a request that a page of another site makes with the password that the browser remembers for this host. Tokens are sent only by
 * programs that have them, and pages of allowed origins are trusted.
 */
export function refuseCrossSite(headers: Reader, isAllowedOrigin: boolean): void {
  if (isAllowedOrigin || !/^basic /i.test(headers.get('authorization') ?? '')) return;
  if (headers.get('sec-fetch-site')?.toLowerCase() !== 'cross-site') return;
  throw new ProblemError(
    'access_denied',
    'A page of another site must not send this request with a saved password. Open the address itself, send a token, or use a ticket of POST /tickets.',
  );
}

/**
 * Checks whether a session with a scope has too little for an operation without a permission. A program could otherwise do everything for which users
 * need none, whatever its user allowed.
 */
export const isBeyondScope = (
  { hasScope = false, permissions }: Principal,
  { permission, scopeNeeds }: Operation,
): boolean => {
  if (!hasScope || permission !== undefined || scopeNeeds === undefined) return false;
  return scopeNeeds === 'account' || ![...scopeNeeds, 'admin' as const].some((each) => permissions.has(each));
};

const beyondScope = ({ scopeNeeds = [] }: Operation): ProblemError =>
  new ProblemError(
    'access_denied',
    scopeNeeds === 'account'
      ? 'This session is limited to a scope, and the operation is about the account itself. Log in without a scope.'
      : `This session is limited to a scope, which needs ${scopeNeeds.join(' or ')} for this.`,
  );

/** Rejects a caller whose tenant is suspended, whose networks exclude the address, or who lacks the permission or scope of the operation. */
export function authorize(principal: Principal, operation: Operation): void {
  if (principal.tenant.state === 'suspended') throw new ProblemError('access_denied', 'This tenant is suspended.');
  if (principal.refusedAddress !== undefined) {
    throw new ProblemError(
      'access_denied',
      `${principal.name} may not send requests from ${principal.refusedAddress}. An admin can add the network to the allowed networks of the service account.`,
    );
  }
  if (isBeyondScope(principal, operation)) throw beyondScope(operation);
  const { permission, orPermission } = operation;
  if (permission === undefined || principal.permissions.has(permission)) return;
  if (orPermission === undefined) {
    throw new ProblemError('access_denied', `You need the permission ${permission} for this.`);
  }
  if (principal.permissions.has(orPermission.permission)) return;
  throw new ProblemError(
    'access_denied',
    `You need the permission ${permission} for this, or ${orPermission.permission} for ${orPermission.covers}.`,
  );
}
