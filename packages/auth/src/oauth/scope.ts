import { isPermission, PERMISSIONS, ProblemError, type Scope } from '@sluice/contract';

/** Parses the scope of a request: permissions, separated by spaces (RFC 6749 section 3.3). Throws `invalid_scope`. */
export function parseScope(text: string | undefined): Scope {
  if (text === undefined || text === '') return undefined;
  const names = [...new Set(text.split(' '))].filter((name) => name !== '');
  const permissions = names.filter(isPermission);
  if (permissions.length === names.length && names.length > 0) return permissions;
  throw new ProblemError('invalid_scope', `scope is a list of permissions: ${Object.keys(PERMISSIONS).join(', ')}.`);
}

/** Checks that a scope asks for nothing beyond another one (RFC 6749 section 6). Throws `invalid_scope`. */
export function requireWithin(wanted: Scope, granted: Scope): void {
  if (wanted === undefined || granted === undefined) return;
  const beyond = wanted.filter((each) => !granted.includes(each));
  if (beyond.length === 0) return;
  throw new ProblemError('invalid_scope', `The session has not been granted ${beyond.join(', ')}.`);
}
