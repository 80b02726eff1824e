import { type MarketplaceItem, streamOperations } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import { createChangeMarketplace, type MarketplaceStores, presentItem } from '@sluice/marketplace';
import {
  type FindMarketplaceDependencies,
  findItemGrants,
  findMarketplaceItem,
  findMarketplaceItems,
} from '../../use-cases/marketplace/find-marketplace-items.ts';

const answer = (status: 200 | 201, item: MarketplaceItem) =>
  json(status, item, {
    etag: entityTag(item.version),
    ...(status === 201 ? { location: `/marketplace/${item.id}` } : {}),
  });

/** GET, POST, PUT and DELETE /marketplace, and the grants of its items. */
export function marketplaceCatalogRoutes(dependencies: FindMarketplaceDependencies & MarketplaceStores): Route[] {
  const change = createChangeMarketplace(dependencies);
  return [
    route(streamOperations.listMarketplace, async ({ query, ...caller }) =>
      json(200, await findMarketplaceItems(dependencies, caller, query)),
    ),
    route(streamOperations.getMarketplaceItem, async ({ params, ...caller }) =>
      answer(200, await findMarketplaceItem(dependencies, caller, params.id)),
    ),
    route(streamOperations.createMarketplaceItem, async ({ body, ...caller }) =>
      answer(201, presentItem(await change.create(caller, body), caller.principal)),
    ),
    route(streamOperations.updateMarketplaceItem, async ({ params, body, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, presentItem(await change.update(caller, target, body), caller.principal));
    }),
    route(streamOperations.deleteMarketplaceItem, async ({ params, headers, ...caller }) => {
      await change.remove(caller, { id: params.id, version: matchedVersion(headers) });
      return noContent();
    }),
    route(streamOperations.getMarketplaceGrants, async ({ params, ...caller }) =>
      json(200, { grants: await findItemGrants({ ...dependencies, change }, caller, params.id) }),
    ),
    route(streamOperations.putMarketplaceGrants, async ({ params, body, ...caller }) =>
      json(200, { grants: await change.putGrants(caller, params.id, body) }),
    ),
  ];
}
