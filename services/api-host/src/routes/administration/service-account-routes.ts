import { apiOperations, callerOf, type ServiceAccountRecord } from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { StoredClient } from '@sluice/store/administration';
import type { UseCases } from '../../context/use-cases.ts';
import { targetOf } from '../../resources/target.ts';

type ServiceAccountUseCases = Pick<
  UseCases,
  | 'findServiceAccounts'
  | 'findServiceAccount'
  | 'createServiceAccount'
  | 'updateServiceAccount'
  | 'removeServiceAccount'
  | 'addClientSecret'
  | 'revokeClientSecret'
>;

const presentAccount = ({ version: _version, ...account }: StoredClient): ServiceAccountRecord => account;
const etag = ({ version }: StoredClient) => ({ etag: entityTag(version) });

/** Everything below /admin/service-accounts */
export const serviceAccountRoutes = (useCases: ServiceAccountUseCases): Route[] => [
  route(apiOperations.listServiceAccounts, async (request) => {
    const { total, clients } = await useCases.findServiceAccounts(callerOf(request), request.query);
    return json(200, { total, data: clients.map(presentAccount) });
  }),
  route(apiOperations.createServiceAccount, async (request) => {
    const { client_id: clientId, roles = [] } = request.body;
    const { account, secret } = await useCases.createServiceAccount(callerOf(request), { clientId, roles });
    const headers = { ...etag(account), location: `/admin/service-accounts/${account.id}` };
    return json(201, { ...presentAccount(account), client_secret: secret }, headers);
  }),
  route(apiOperations.getServiceAccount, async (request) => {
    const account = await useCases.findServiceAccount(callerOf(request), request.params.id);
    return json(200, presentAccount(account), etag(account));
  }),
  route(apiOperations.updateServiceAccount, async (request) => {
    const input = { target: targetOf(request), change: request.body };
    const account = await useCases.updateServiceAccount(callerOf(request), input);
    return json(200, presentAccount(account), etag(account));
  }),
  route(apiOperations.deleteServiceAccount, async (request) => {
    await useCases.removeServiceAccount(callerOf(request), targetOf(request));
    return noContent();
  }),
  route(apiOperations.addClientSecret, async (request) => {
    const { secretId, secret } = await useCases.addClientSecret(callerOf(request), targetOf(request));
    return json(201, { secret_id: secretId, client_secret: secret });
  }),
  route(apiOperations.revokeClientSecret, async (request) => {
    const input = { target: targetOf(request), secretId: request.params.secret_id };
    await useCases.revokeClientSecret(callerOf(request), input);
    return noContent();
  }),
];
