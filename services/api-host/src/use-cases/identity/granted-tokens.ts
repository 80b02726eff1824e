import type { GrantedTokens, Permission, Tokens } from '@sluice/contract';

/**
 * Returns the response of the token endpoint to a program. It has no ID token: ours names this service as its audience, not the program.
 * `scope` has at least one permission (RFC 6749 section 3.3), or is absent.
 */
export const grantedTokens = (
  { access_token, refresh_token, expires_in }: Pick<Tokens, 'access_token' | 'refresh_token' | 'expires_in'>,
  permissions: readonly Permission[],
): GrantedTokens => ({
  access_token,
  token_type: 'Bearer',
  expires_in,
  refresh_token,
  ...(permissions.length === 0 ? {} : { scope: permissions.join(' ') }),
});
