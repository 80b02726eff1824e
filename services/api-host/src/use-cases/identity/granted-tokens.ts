import type { Permission, Tokens } from '@sluice/contract';

/** Tokens of a program. Unlike those of a login, they have no ID token: that one names this service as its audience, not the program. */
export interface GrantedTokens extends Omit<Tokens, 'id_token'> {
  readonly scope?: string;
}

/** Returns the response of the token endpoint. `scope` has at least one permission (RFC 6749 section 3.3), or is absent. */
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
