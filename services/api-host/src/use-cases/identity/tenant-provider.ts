import type { OidcProvider, SecretBox } from '@sluice/auth';
import type { AdministrationStore, StoredIdentityProvider } from '@sluice/store/administration';
import { openClientSecret } from '../administration/identity-provider-content.ts';

/** A tenant's provider as it is stored, and as it is asked. */
export interface TenantProvider {
  readonly stored: StoredIdentityProvider;
  readonly client: OidcProvider;
}

export type FindTenantProvider = (tenantId: string) => Promise<TenantProvider | undefined>;

export const createFindTenantProvider =
  (administration: Pick<AdministrationStore, 'read'>, box: Pick<SecretBox, 'open'>): FindTenantProvider =>
  async (tenantId) => {
    const stored = await administration.read(tenantId, ({ identityProvider }) => identityProvider.find());
    if (stored === undefined) return undefined;
    return { stored, client: { ...stored, clientSecret: openClientSecret(box, tenantId, stored) } };
  };
