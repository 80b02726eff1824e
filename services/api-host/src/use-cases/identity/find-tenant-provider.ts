import type { OidcProvider, SecretBox } from '@sluice/auth';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import type { ResourceDatabase } from '@sluice/store/resources';
import { openClientSecret } from '../../resources/administration/identity-provider-content.ts';
import { type AnonymousCaller, loginActor } from './anonymous-caller.ts';

/** Identity provider of a tenant. */
export interface TenantProvider {
  readonly stored: StoredIdentityProvider;
  /** Settings for the OIDC client, with the secret in clear. */
  readonly client: OidcProvider;
}

/** Returns the provider of the caller's tenant; undefined if it has none. */
export type FindTenantProvider = (caller: Pick<AnonymousCaller, 'tenant'>) => Promise<TenantProvider | undefined>;

interface FindTenantProviderDependencies {
  readonly database: Pick<ResourceDatabase, 'read'>;
  readonly box: Pick<SecretBox, 'open'>;
}

export const createFindTenantProvider =
  ({ database, box }: FindTenantProviderDependencies): FindTenantProvider =>
  async ({ tenant }) => {
    const stored = await database.read(loginActor({ tenant }), ({ identityProvider }) => identityProvider.find());
    if (stored === undefined) return undefined;
    return { stored, client: { ...stored, clientSecret: openClientSecret(box, tenant.id, stored) } };
  };

/** Checks whether the caller's tenant has an identity provider, also one whose secret cannot be opened. */
export type HasTenantProvider = (caller: Pick<AnonymousCaller, 'tenant'>) => Promise<boolean>;

export const createHasTenantProvider =
  ({ database }: Pick<FindTenantProviderDependencies, 'database'>): HasTenantProvider =>
  async ({ tenant }) =>
    (await database.read(loginActor({ tenant }), ({ identityProvider }) => identityProvider.find())) !== undefined;
