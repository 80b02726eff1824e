import { apiOperations, callerOf, type GrantRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredItemGrant } from '@sluice/store/administration';
import type { UseCases } from '../../context/use-cases.ts';
import { grantKeyOf } from '../../use-cases/administration/change-grants.ts';

type GrantUseCases = Pick<UseCases, 'findGrants' | 'findGrant' | 'createGrant' | 'updateGrant' | 'removeGrant'>;

const presentGrant = ({ version: _version, ...grant }: StoredItemGrant): GrantRecord => grant;
const etag = ({ version }: StoredItemGrant) => ({ etag: entityTag(version) });

const pathOf = ({ item_id: itemId, kind, name }: StoredItemGrant): string =>
  `/admin/grants/${[itemId, kind, name].map(encodeURIComponent).join('/')}`;

/** Everything below /admin/grants */
export const grantRoutes = (useCases: GrantUseCases): Route[] => [
  route(apiOperations.listGrants, async (request) => {
    const { total, grants } = await useCases.findGrants(callerOf(request), request.query);
    return json(200, { total, data: grants.map(presentGrant) });
  }),
  route(apiOperations.createGrant, async (request) => {
    const grant = await useCases.createGrant(callerOf(request), request.body);
    return json(201, presentGrant(grant), { ...etag(grant), location: pathOf(grant) });
  }),
  route(apiOperations.getGrant, async (request) => {
    const grant = await useCases.findGrant(callerOf(request), grantKeyOf(request.params));
    return json(200, presentGrant(grant), etag(grant));
  }),
  route(apiOperations.updateGrant, async (request) => {
    const target = { ...grantKeyOf(request.params), version: matchedVersion(request.headers) };
    const grant = await useCases.updateGrant(callerOf(request), { target, expiresTs: request.body.expires_ts });
    return json(200, presentGrant(grant), etag(grant));
  }),
  route(apiOperations.deleteGrant, async (request) => {
    const target = { ...grantKeyOf(request.params), version: matchedVersion(request.headers) };
    await useCases.removeGrant(callerOf(request), target);
    return noContent();
  }),
];
