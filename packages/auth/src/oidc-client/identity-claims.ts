/** What a provider says of a person (OpenID Connect Core section 5.1). */
export type IdentityClaims = Readonly<Record<string, unknown>>;

/** Which claims tell what, as a tenant configures it. */
export interface ClaimNames {
  readonly emailClaim: string;
  readonly groupsClaim: string | null;
}

/** What of an identity concerns accounts. */
export interface IdentityFacts {
  /** In lower case; undefined where there is none. */
  readonly email: string | undefined;
  /** Undefined where the provider does not say, or speaks of another claim than the one that is configured. */
  readonly emailVerified: boolean | undefined;
  readonly groups: readonly string[];
}

/** A claim by its name, else by a path of names: Keycloak's roles are `realm_access.roles`. */
const claimAt = (claims: IdentityClaims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
};

/** Some providers send a boolean as text (OpenID Connect Core section 5.1 has it as a boolean). */
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
    // `email_verified` speaks of the claim `email` alone.
    emailVerified: emailClaim === 'email' ? verifiedOf(claims['email_verified']) : undefined,
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
  };
}
