import { createOpaqueToken } from '@sluice/auth';
import { apiOperations, type ServiceAccountRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredClient } from '@sluice/store/administration';
import type { ApiContext } from '../../context/context.ts';
import { createChangeAccounts } from '../../use-cases/administration/change-accounts.ts';
import {
  addClientSecret,
  createServiceAccount,
  removeServiceAccount,
  revokeClientSecret,
  updateServiceAccount,
} from '../../use-cases/administration/change-service-accounts.ts';
import { createFindAccounts } from '../../use-cases/administration/find-accounts.ts';

const bodyOf = ({ version: _version, ...account }: StoredClient): ServiceAccountRecord => account;
const etag = ({ version }: StoredClient) => ({ etag: entityTag(version) });

/** Everything below /admin/service-accounts */
export function serviceAccountRoutes({ stores, passwords }: Pick<ApiContext, 'stores' | 'passwords'>): Route[] {
  const find = createFindAccounts(stores.administration);
  const { change } = createChangeAccounts(stores.administration);
  const newSecret = async () => {
    const secret = createOpaqueToken();
    return { secret, secretHash: await passwords.hash(secret) };
  };
  return [
    route(apiOperations.listServiceAccounts, async ({ query, ...caller }) => {
      const { total, clients } = await find.serviceAccounts(caller, query);
      return json(200, { total, data: clients.map(bodyOf) });
    }),
    route(apiOperations.createServiceAccount, async ({ body, ...caller }) => {
      const { secret, secretHash } = await newSecret();
      const wish = { clientId: body.client_id, roles: body.roles ?? [], secretHash };
      const account = await change(caller, (within) => createServiceAccount(within, caller, wish));
      const headers = { ...etag(account), location: `/admin/service-accounts/${account.id}` };
      return json(201, { ...bodyOf(account), client_secret: secret }, headers);
    }),
    route(apiOperations.getServiceAccount, async ({ params, ...caller }) => {
      const account = await find.serviceAccount(caller, params.id);
      return json(200, bodyOf(account), etag(account));
    }),
    route(apiOperations.updateServiceAccount, async ({ params, body, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      const account = await change(caller, (within) => updateServiceAccount(within, caller, { target, change: body }));
      return json(200, bodyOf(account), etag(account));
    }),
    route(apiOperations.deleteServiceAccount, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      await change(caller, (within) => removeServiceAccount(within, caller, target));
      return noContent();
    }),
    route(apiOperations.addClientSecret, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      const { secret, secretHash } = await newSecret();
      const secretId = await change(caller, (within) => addClientSecret(within, caller, { target, secretHash }));
      return json(201, { secret_id: secretId, client_secret: secret });
    }),
    route(apiOperations.revokeClientSecret, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      const secretId = params.secret_id;
      await change(caller, (within) => revokeClientSecret(within, caller, { target, secretId }));
      return noContent();
    }),
  ];
}
