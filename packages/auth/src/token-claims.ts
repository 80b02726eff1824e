/** `id` authenticates calls in the header `idtoken`; `access` goes after `Bearer`, on the stream host alone. */
export type TokenUse = 'id' | 'access';

/**
 * The `typ` header of each (RFC 8725 section 3.11: explicit typing; `at+jwt` as RFC 9068 section 2.1), pinned beside
 * `token_use`, so that a token of one use cannot pass for the other.
 */
export const TOKEN_TYPES: Readonly<Record<TokenUse, string>> = { id: 'id+jwt', access: 'at+jwt' };

/** Hosts' clocks may differ by so much. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** No token of ours lives longer, whatever is configured. */
export const TOKEN_LIFETIME_SECONDS_MAX = 86_400;

export interface TokenNames {
  /** With `{tenant}`; never made from a Host header. */
  readonly issuerTemplate: string;
  readonly audience: string;
}

export const issuerOf = ({ issuerTemplate }: TokenNames, tenantName: string): string =>
  issuerTemplate.replaceAll('{tenant}', tenantName);
