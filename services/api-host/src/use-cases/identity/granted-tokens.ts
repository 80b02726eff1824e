import type { GrantedTokens, Permission, Scope } from '@sluice/contract';

interface Granted {
  /** Values of the scope. */
  readonly scope: readonly string[];
  readonly idToken?: string | undefined;
}

/** Returns the values of the scope of a response: the permissions that a session has, and `openid` if it was granted. */
export const grantedScope = (permissions: readonly Permission[], scope: Scope): readonly string[] =>
  scope?.includes('openid') ? ['openid', ...permissions] : permissions;

/** Returns the response of the token endpoint to a program. `scope` has at least one value (RFC 6749 section 3.3), or is absent. */
export const grantedTokens = (
  { access_token, refresh_token, expires_in }: Pick<GrantedTokens, 'access_token' | 'refresh_token' | 'expires_in'>,
  { scope, idToken }: Granted,
): GrantedTokens => ({
  access_token,
  token_type: 'Bearer',
  expires_in,
  ...(refresh_token === undefined ? {} : { refresh_token }),
  ...(idToken === undefined ? {} : { id_token: idToken }),
  ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
});
