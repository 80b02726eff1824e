/** `id` is sent in the header `idtoken`; `access` is sent after `Bearer`. */
export type TokenUse = 'id' | 'access';

/**
 * The `typ` header of each use (RFC 8725 section 3.11: explicit typing; `at+jwt`: RFC 9068 section 2.1). Verifiers check it and
 * `token_use`, so that a token of one use is not accepted for the other.
 */
export const TOKEN_TYPES: Readonly<Record<TokenUse, string>> = { id: 'id+jwt', access: 'at+jwt' };

/** Accepted difference between the clocks of hosts. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Upper limit of a token's lifetime, independent of the settings. */
export const TOKEN_LIFETIME_SECONDS_MAX = 86_400;

export interface TokenNames {
  /** Contains `{tenant}`. It is never derived from a Host header. */
  readonly issuerTemplate: string;
  readonly audience: string;
  /** Further audience of access tokens, which the API host requires. */
  readonly apiAudience?: string;
}

/** Default of `API_TOKEN_AUDIENCE`. */
export const apiAudienceOf = (audience: string): string => `${audience}-api`;

export const issuerOf = ({ issuerTemplate }: Pick<TokenNames, 'issuerTemplate'>, tenantName: string): string =>
  issuerTemplate.replaceAll('{tenant}', tenantName);

/** Content of a verified token: tenant, account and session, but no permissions. */
export interface VerifiedToken {
  readonly tenantName: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly keyId: string;
}
