import type { OidcProvider, SecretBox } from '@sluice/auth';
import type { AdministrationStore, StoredIdentityProvider } from '@sluice/store/administration';
import { openClientSecret } from '../administration/identity-provider-content.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** Identity provider of a tenant. */
export interface TenantProvider {
  readonly stored: StoredIdentityProvider;
  /** Settings for the OIDC client, with the secret in clear. */
  readonly client: OidcProvider;
}

/** Returns the provider of the caller's tenant; undefined if it has none. */
export type FindTenantProvider = (caller: Pick<AnonymousCaller, 'tenant'>) => Promise<TenantProvider | undefined>;

interface FindTenantProviderDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
  readonly box: Pick<SecretBox, 'open'>;
}

export const createFindTenantProvider =
  ({ administration, box }: FindTenantProviderDependencies): FindTenantProvider =>
  async ({ tenant: { id: tenantId } }) => {
    const stored = await administration.read(tenantId, ({ identityProvider }) => identityProvider.find());
    if (stored === undefined) return undefined;
    return { stored, client: { ...stored, clientSecret: openClientSecret(box, tenantId, stored) } };
  };
