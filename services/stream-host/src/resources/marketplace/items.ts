import {
  type Caller,
  callerOf,
  caselessKey,
  type MarketplaceItem,
  type MarketplaceItemDetails,
  streamOperations,
} from '@sluice/contract';
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
import {
  createItem,
  granteeOf,
  noSuchItem,
  presentFreshness,
  presentItem,
  putItemGrants,
  readItemGrants,
  removeItem,
  updateItem,
} from '@sluice/marketplace';
import type { StoredGrant, StoredItem } from '@sluice/store/marketplace';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import type { FilesReportReader } from '@sluice/tenant-engines';

const SIZE_DEFAULT = 10;

/** Finds an item as the caller sees it. Throws `not_found`, also for another tenant's item. */
export async function findItem(tx: TenantTransaction, { principal }: Caller, id: string): Promise<StoredItem> {
  const item = await tx.items.find(id, granteeOf(principal));
  if (item === undefined) throw noSuchItem();
  return item;
}

/**
 * Runs a change of items or their grants, so that a right that it checks on a locked item still exists when it writes. No account or role
 * of the tenant is removed meanwhile.
 */
export const changeItems = <T>(
  database: ResourceDatabase,
  caller: Caller,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> =>
  database.change(caller, async (tx) => {
    await tx.grants.lockGranteesShared();
    return await work(tx);
  });

const itemJson = (status: 200 | 201, item: MarketplaceItem): RouteResponse =>
  json(status, item, {
    etag: entityTag(item.version),
    ...(status === 201 ? { location: `/marketplace/${item.id}` } : {}),
  });

const grantsJson = (grants: readonly StoredGrant[]): RouteResponse =>
  json(200, { grants }, { etag: contentTag(grants) });

interface ItemsContext {
  readonly database: ResourceDatabase;
  readonly filesReport: FilesReportReader;
}

/** GET, POST, PUT and DELETE /marketplace, and the grants of its items. */
export const itemRoutes = ({ database, filesReport }: ItemsContext): Route[] => [
  route(streamOperations.listMarketplace, async (request) => {
    const { principal } = request;
    const { q, facets, from = 0, size = SIZE_DEFAULT, ...filters } = request.query;
    const words = caselessKey(q ?? '')
      .split(/\s+/)
      .filter(Boolean);
    const filter = { words, ...filters };
    const page = await database.read(callerOf(request), async (tx) => {
      await tx.recordMetadataRead('READ_MARKETPLACE', 'marketplace', { q, ...filters, from, size });
      const { total, items } = await tx.items.list(granteeOf(principal), { ...filter, from, size });
      const found = { total, data: items.map((item) => presentItem(item, principal)) };
      return facets === 'true' ? { ...found, facets: await tx.items.facets(filter) } : found;
    });
    return json(200, page);
  }),
  route(streamOperations.getMarketplaceItem, async (request) => {
    const caller = callerOf(request);
    const { item, tables } = await database.read(caller, async (tx) => {
      const found = await findItem(tx, caller, request.params.id);
      await tx.recordMetadataRead('READ_MARKETPLACE', found.id, { version: found.version });
      return { item: found, tables: await tx.items.tablesOf(found.id) };
    });
    // A damaged report must not hide the item: the age of its files is then not known.
    const files = await filesReport(request.tenant).catch(() => undefined);
    const details: MarketplaceItemDetails = {
      ...presentItem(item, request.principal),
      freshness: presentFreshness(tables, files),
    };
    return itemJson(200, details);
  }),
  route(streamOperations.createMarketplaceItem, async (request) => {
    const caller = callerOf(request);
    const item = await changeItems(database, caller, (tx) => createItem(tx, caller, request.body));
    return itemJson(201, presentItem(item, request.principal));
  }),
  route(streamOperations.updateMarketplaceItem, async (request) => {
    const caller = callerOf(request);
    const target = { id: request.params.id, version: matchedVersion(request.headers) };
    const update = (tx: TenantTransaction) => updateItem(tx, caller, { target, change: request.body });
    return itemJson(200, presentItem(await changeItems(database, caller, update), request.principal));
  }),
  route(streamOperations.deleteMarketplaceItem, async (request) => {
    const caller = callerOf(request);
    const target = { id: request.params.id, version: matchedVersion(request.headers) };
    await changeItems(database, caller, (tx) => removeItem(tx, caller, target));
    return noContent();
  }),
  route(streamOperations.getMarketplaceGrants, async (request) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const grants = await database.read(caller, async (tx) => {
      const found = await readItemGrants(tx, caller, id);
      await tx.record('READ_MARKETPLACE', id, { item: id });
      return found;
    });
    return grantsJson(grants);
  }),
  route(streamOperations.putMarketplaceGrants, async (request) => {
    const caller = callerOf(request);
    const input = {
      id: request.params.id,
      wanted: request.body,
      isCurrent: (present: readonly StoredGrant[]) => isMatched(request.headers, contentTag(present)),
      isDryRun: request.query.dry_run === true,
    };
    const grants = await changeItems(database, caller, (tx) => putItemGrants(tx, caller, input));
    return input.isDryRun ? json(200, { grants }) : grantsJson(grants);
  }),
];
