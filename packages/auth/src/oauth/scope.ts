import { isScopeValue, ProblemError, SCOPE_VALUES, type Scope } from '@sluice/contract';

/** Parses the scope of a request: `openid` and permissions, separated by spaces (RFC 6749 section 3.3). Throws `invalid_scope`. */
export function parseScope(text: string | undefined): Scope {
  if (text === undefined || text === '') return undefined;
  const names = [...new Set(text.split(' '))].filter((name) => name !== '');
  const values = names.filter(isScopeValue);
  if (values.length === names.length && names.length > 0) return values;
  throw new ProblemError('invalid_scope', `scope is a list of openid and permissions: ${SCOPE_VALUES.join(', ')}.`);
}

/** Checks whether a scope asks for nothing beyond another one. An absent scope asks for everything. */
export const isWithinScope = (wanted: Scope, granted: Scope): boolean =>
  granted === undefined || wanted?.every((each) => granted.includes(each)) === true;

/** Checks that a refresh asks for nothing beyond the scope of its session, which it may omit (RFC 6749 section 6). Throws `invalid_scope`. */
export function requireWithin(wanted: Scope, granted: Scope): void {
  if (wanted === undefined || granted === undefined) return;
  const beyond = wanted.filter((each) => !granted.includes(each));
  if (beyond.length === 0) return;
  throw new ProblemError('invalid_scope', `The session has not been granted ${beyond.join(', ')}.`);
}

/**
 * Returns the scope that a request of a client gets: what it asks for, or the permissions that the client can get (RFC 6749 section 3.3:
 * a default). Throws `invalid_scope` for a scope beyond those of the client.
 */
export function scopeForClient(wanted: Scope, allowed: Scope): Scope {
  if (allowed === undefined) return wanted;
  if (wanted === undefined) return allowed.filter((each) => each !== 'openid');
  const beyond = wanted.filter((each) => !allowed.includes(each));
  if (beyond.length === 0) return wanted;
  throw new ProblemError('invalid_scope', `The program is not registered for ${beyond.join(', ')}.`);
}

/** Returns what two scopes contain together. */
export const joinScopes = (one: Scope, other: Scope): Scope =>
  one === undefined || other === undefined ? undefined : [...new Set([...one, ...other])];
