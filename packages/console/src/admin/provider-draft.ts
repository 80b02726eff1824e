import type { ApiOperationTypes } from '@sluice/client';

export type IdentityProvider = ApiOperationTypes['getIdentityProvider']['result'];
type ProviderBody = NonNullable<ApiOperationTypes['putIdentityProvider']['body']>;

/** Roles that the members of a group get. */
export interface RoleMapping {
  readonly value: string;
  readonly roles: readonly string[];
}

/** Content of the form for an identity provider, before it is parsed. */
export interface ProviderDraft {
  readonly issuer: string;
  readonly clientId: string;
  /** Empty: the stored secret stays. */
  readonly clientSecret: string;
  readonly isPublicClient: boolean;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly emailClaim: string;
  /** Empty: no groups. */
  readonly groupsClaim: string;
  readonly mappings: readonly RoleMapping[];
  readonly trustEmail: boolean;
  readonly createUsers: boolean;
  /** One address a line. */
  readonly returnTo: string;
}

/** Returns the draft of a provider, or of a new one with the defaults of the host. */
export const draftOf = (provider: IdentityProvider | undefined): ProviderDraft => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.client_id ?? '',
  clientSecret: '',
  isPublicClient: provider?.has_client_secret === false,
  scopes: (provider?.scopes ?? ['openid', 'profile', 'email']).join(' '),
  emailClaim: provider?.email_claim ?? 'email',
  groupsClaim: provider?.groups_claim ?? '',
  mappings: provider?.role_mappings ?? [],
  trustEmail: provider?.trust_email ?? false,
  createUsers: provider?.create_users ?? false,
  returnTo: (provider?.return_to ?? []).join('\n'),
});

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Returns the request that saves a draft. */
export function providerBody(draft: ProviderDraft): ProviderBody {
  const secret = draft.isPublicClient ? null : draft.clientSecret === '' ? undefined : draft.clientSecret;
  return {
    issuer: draft.issuer.trim(),
    client_id: draft.clientId.trim(),
    ...(secret === undefined ? {} : { client_secret: secret }),
    scopes: wordsOf(draft.scopes),
    email_claim: draft.emailClaim.trim(),
    groups_claim: draft.groupsClaim.trim() === '' ? null : draft.groupsClaim.trim(),
    role_mappings: draft.mappings.map(({ value, roles }) => ({ value, roles: [...roles] })),
    trust_email: draft.trustEmail,
    create_users: draft.createUsers,
    return_to: wordsOf(draft.returnTo),
  };
}

/** Roles that members of a group no longer get at their next login. */
export interface LostMapping {
  readonly group: string;
  readonly roles: readonly string[];
}

/** Returns what members of groups lose at their next login. Without any mapping, logins leave the roles as they are. */
export function lostMappings(before: readonly RoleMapping[], after: readonly RoleMapping[]): readonly LostMapping[] {
  if (after.length === 0) return [];
  return before.flatMap(({ value: group, roles }) => {
    const left = new Set(after.find(({ value }) => value === group)?.roles);
    const lost = roles.filter((role) => !left.has(role));
    return lost.length === 0 ? [] : [{ group, roles: lost }];
  });
}
