import { callerOf, type MarketplaceItem, streamOperations } from '@sluice/contract';
import {
  contentTag,
  entityTag,
  isMatched,
  json,
  matchedVersion,
  noContent,
  type Route,
  type RouteResponse,
  route,
} from '@sluice/http';
import { presentItem } from '@sluice/marketplace';
import type { StoredGrant } from '@sluice/store/marketplace';
import type { UseCases } from '../../context/use-cases.ts';

const itemJson = (status: 200 | 201, item: MarketplaceItem): RouteResponse =>
  json(status, item, {
    etag: entityTag(item.version),
    ...(status === 201 ? { location: `/marketplace/${item.id}` } : {}),
  });

const grantsJson = (grants: readonly StoredGrant[]): RouteResponse =>
  json(200, { grants }, { etag: contentTag(grants) });

type MarketplaceCatalogUseCases = Pick<
  UseCases,
  | 'findMarketplaceItems'
  | 'findMarketplaceItem'
  | 'findItemGrants'
  | 'createItem'
  | 'updateItem'
  | 'removeItem'
  | 'putItemGrants'
>;

/** GET, POST, PUT and DELETE /marketplace, and the grants of its items. */
export const marketplaceCatalogRoutes = (useCases: MarketplaceCatalogUseCases): Route[] => [
  route(streamOperations.listMarketplace, async (request) =>
    json(200, await useCases.findMarketplaceItems(callerOf(request), request.query)),
  ),
  route(streamOperations.getMarketplaceItem, async (request) =>
    itemJson(200, await useCases.findMarketplaceItem(callerOf(request), request.params.id)),
  ),
  route(streamOperations.createMarketplaceItem, async (request) => {
    const item = await useCases.createItem(callerOf(request), request.body);
    return itemJson(201, presentItem(item, request.principal));
  }),
  route(streamOperations.updateMarketplaceItem, async (request) => {
    const target = { id: request.params.id, version: matchedVersion(request.headers) };
    const item = await useCases.updateItem(callerOf(request), { target, change: request.body });
    return itemJson(200, presentItem(item, request.principal));
  }),
  route(streamOperations.deleteMarketplaceItem, async (request) => {
    const target = { id: request.params.id, version: matchedVersion(request.headers) };
    await useCases.removeItem(callerOf(request), target);
    return noContent();
  }),
  route(streamOperations.getMarketplaceGrants, async (request) =>
    grantsJson(await useCases.findItemGrants(callerOf(request), request.params.id)),
  ),
  route(streamOperations.putMarketplaceGrants, async (request) => {
    const input = {
      id: request.params.id,
      wanted: request.body,
      isCurrent: (present: readonly StoredGrant[]) => isMatched(request.headers, contentTag(present)),
      isDryRun: request.query.dry_run === true,
    };
    const grants = await useCases.putItemGrants(callerOf(request), input);
    return input.isDryRun ? json(200, { grants }) : grantsJson(grants);
  }),
];
