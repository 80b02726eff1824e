/** Claims of a provider about a user (OpenID Connect Core section 5.1). */
export type IdentityClaims = Readonly<Record<string, unknown>>;

/** Names of the claims, as a tenant configures them. */
export interface ClaimNames {
  readonly emailClaim: string;
  readonly groupsClaim: string | null;
}

/** Facts of an identity that matter for its account. */
export interface IdentityFacts {
  /** Lower case. Undefined if the claim is missing. */
  readonly email: string | undefined;
  /** Undefined if the provider does not send `email_verified`, or if the configured claim is not `email`. */
  readonly emailVerified: boolean | undefined;
  readonly groups: readonly string[];
}

/** Returns a claim by its name, else by a path of names, such as Keycloak's `realm_access.roles`. */
const claimAt = (claims: IdentityClaims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
};

/** OpenID Connect Core section 5.1 defines a boolean, but some providers send text. */
const verifiedOf = (value: unknown): boolean | undefined => {
  if (value === true || value === 'true') return true;
  return value === undefined || value === null ? undefined : false;
};

export const hasClaim = (claims: IdentityClaims, name: string): boolean => claimAt(claims, name) !== undefined;

export function readIdentityClaims(claims: IdentityClaims, { emailClaim, groupsClaim }: ClaimNames): IdentityFacts {
  const email = claimAt(claims, emailClaim);
  const groups = groupsClaim === null ? [] : claimAt(claims, groupsClaim);
  return {
    email: typeof email === 'string' && email.trim() !== '' ? email.trim().normalize('NFC').toLowerCase() : undefined,
    // `email_verified` is about the claim `email` only.
    emailVerified: emailClaim === 'email' ? verifiedOf(claims['email_verified']) : undefined,
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
  };
}
