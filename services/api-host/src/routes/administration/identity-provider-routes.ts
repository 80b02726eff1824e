import { apiOperations, type IdentityProviderRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import type { ApiContext } from '../../context/context.ts';
import { callbackUrl } from '../../request/callback-url.ts';
import { createChangeAccounts } from '../../use-cases/administration/change-accounts.ts';
import {
  checkIssuer,
  findIdentityProvider,
  putIdentityProvider,
  removeIdentityProvider,
} from '../../use-cases/administration/change-identity-provider.ts';
import { presentProvider } from '../../use-cases/administration/identity-provider-content.ts';

interface Told {
  readonly tenant: { readonly name: string };
  readonly baseUrl: string;
}

const bodyOf = (provider: StoredIdentityProvider, { tenant, baseUrl }: Told): IdentityProviderRecord => ({
  ...presentProvider(provider),
  callback_url: callbackUrl(baseUrl, tenant.name),
  updated_ts: provider.updated.getTime(),
  updated_by: provider.updatedBy,
});
const etag = ({ version }: StoredIdentityProvider) => ({ etag: entityTag(version) });

/** /admin/identity-provider */
export function identityProviderRoutes({ stores, oidc, box }: Pick<ApiContext, 'stores' | 'oidc' | 'box'>): Route[] {
  const { change } = createChangeAccounts(stores.administration);
  return [
    route(apiOperations.getIdentityProvider, async (caller) => {
      const provider = await findIdentityProvider(stores.administration, caller);
      return json(200, bodyOf(provider, caller), etag(provider));
    }),
    route(apiOperations.putIdentityProvider, async ({ body, headers, ...caller }) => {
      const version = matchedVersion(headers);
      await checkIssuer(oidc, body.issuer, 'body.issuer');
      const { after } = await change(caller, (within) =>
        putIdentityProvider(within, caller, { wish: body, version, recordsSame: true, box }),
      );
      return json(200, bodyOf(after, caller), etag(after));
    }),
    route(apiOperations.deleteIdentityProvider, async ({ headers, ...caller }) => {
      const version = matchedVersion(headers);
      await change(caller, (within) => removeIdentityProvider(within, caller, version));
      return noContent();
    }),
  ];
}
