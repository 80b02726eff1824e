import { apiOperations, callerOf, type IdentityProviderRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import type { UseCases } from '../../context/use-cases.ts';
import { callbackUrl } from '../../request/callback-url.ts';
import { presentProvider } from '../../use-cases/administration/identity-provider-content.ts';

type IdentityProviderUseCases = Pick<
  UseCases,
  'findIdentityProvider' | 'putIdentityProvider' | 'removeIdentityProvider' | 'beginTestLogin'
>;

interface CallbackScope {
  readonly tenant: { readonly name: string };
  readonly baseUrl: string;
}

const presentRecord = (
  provider: StoredIdentityProvider,
  { tenant, baseUrl }: CallbackScope,
): IdentityProviderRecord => ({
  ...presentProvider(provider),
  callback_url: callbackUrl(baseUrl, tenant.name),
  updated_ts: provider.updated.getTime(),
  updated_by: provider.updatedBy,
});
const etag = ({ version }: StoredIdentityProvider) => ({ etag: entityTag(version) });

/** /admin/identity-provider */
export const identityProviderRoutes = (useCases: IdentityProviderUseCases): Route[] => [
  route(apiOperations.getIdentityProvider, async (request) => {
    const provider = await useCases.findIdentityProvider(callerOf(request));
    return json(200, presentRecord(provider, request), etag(provider));
  }),
  route(apiOperations.putIdentityProvider, async (request) => {
    const input = { request: request.body, version: matchedVersion(request.headers) };
    const provider = await useCases.putIdentityProvider(callerOf(request), input);
    return json(200, presentRecord(provider, request), etag(provider));
  }),
  route(apiOperations.deleteIdentityProvider, async (request) => {
    await useCases.removeIdentityProvider(callerOf(request), { version: matchedVersion(request.headers) });
    return noContent();
  }),
  route(apiOperations.testIdentityProvider, async (request) => {
    const { ticket, expiresTs } = await useCases.beginTestLogin(callerOf(request));
    const url = `${request.baseUrl}/auth/login/${request.tenant.name}?test=${ticket}`;
    return json(201, { url, expires_ts: expiresTs }, { 'cache-control': 'no-store' });
  }),
];
