import { apiOperations, type GrantRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredItemGrant } from '@sluice/store/administration';
import type { ApiContext } from '../../context/context.ts';
import { createGrant, grantKeyOf, removeGrant, updateGrant } from '../../use-cases/administration/change-grants.ts';
import { findGrant, findGrants } from '../../use-cases/administration/find-grants.ts';

const bodyOf = ({ version: _version, ...grant }: StoredItemGrant): GrantRecord => grant;
const etag = ({ version }: StoredItemGrant) => ({ etag: entityTag(version) });

const placeOf = ({ item_id: itemId, kind, name }: StoredItemGrant): string =>
  `/admin/grants/${[itemId, kind, name].map(encodeURIComponent).join('/')}`;

/** Everything below /admin/grants */
export function grantRoutes({ stores }: Pick<ApiContext, 'stores'>): Route[] {
  const { administration } = stores;
  return [
    route(apiOperations.listGrants, async ({ query, ...caller }) => {
      const { total, grants } = await findGrants(administration, caller, query);
      return json(200, { total, data: grants.map(bodyOf) });
    }),
    route(apiOperations.createGrant, async ({ body, ...caller }) => {
      const { tenant } = caller.principal;
      const grant = await administration.change(tenant.id, (within) => createGrant(within, caller, body));
      return json(201, bodyOf(grant), { ...etag(grant), location: placeOf(grant) });
    }),
    route(apiOperations.getGrant, async ({ params, ...caller }) => {
      const grant = await findGrant(administration, caller, grantKeyOf(params));
      return json(200, bodyOf(grant), etag(grant));
    }),
    route(apiOperations.updateGrant, async ({ params, body, headers, ...caller }) => {
      const { tenant } = caller.principal;
      const target = { ...grantKeyOf(params), version: matchedVersion(headers) };
      const wish = { target, expiresTs: body.expires_ts };
      const grant = await administration.change(tenant.id, (within) => updateGrant(within, caller, wish));
      return json(200, bodyOf(grant), etag(grant));
    }),
    route(apiOperations.deleteGrant, async ({ params, headers, ...caller }) => {
      const { tenant } = caller.principal;
      const target = { ...grantKeyOf(params), version: matchedVersion(headers) };
      await administration.change(tenant.id, (within) => removeGrant(within, caller, target));
      return noContent();
    }),
  ];
}
