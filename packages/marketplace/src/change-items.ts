import {
  type AuditAction,
  auditOf,
  type Caller,
  type MarketplaceGrants,
  type MarketplaceItemChange,
  type MarketplaceItemRequest,
  type ProblemDetail,
  ProblemError,
  requireValid,
} from '@sluice/contract';
import type {
  GrantsWrite,
  ItemChange,
  ItemContent,
  ItemOwner,
  ItemRejection,
  MarketplaceAccessStore,
  MarketplaceChanges,
  MarketplaceStore,
  StoredGrant,
  StoredItem,
} from '@sluice/store/marketplace';
import { granteeOf, noSuchItem, requireManager } from './item-rules.ts';
import { pastExpiries } from './require-future-expiry.ts';

interface ChangeItemsDependencies {
  readonly marketplaceChanges: MarketplaceChanges;
}

interface ReadItemGrantsDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'find'>;
  readonly marketplaceAccess: Pick<MarketplaceAccessStore, 'grants'>;
}

/** The item to change. Without a version, any version of it. */
interface ItemTarget {
  readonly id: string;
  readonly version: number | undefined;
}

interface UpdateItemInput {
  readonly target: ItemTarget;
  readonly change: MarketplaceItemChange;
}

interface PutItemGrantsInput {
  /** Id of the item. */
  readonly id: string;
  readonly wanted: MarketplaceGrants;
  /** Returns whether the present grants are those to replace. Default: any are. */
  readonly isCurrent?: (present: readonly StoredGrant[]) => boolean;
  /** Checks the new grants, and stores nothing. */
  readonly isDryRun?: boolean;
}

/**
 * Creates an item. Throws `access_denied`, `invalid_request` if it refers to a datamap, domain or account that does not exist, and
 * `conflict` if the id is in use.
 */
export type CreateItem = (caller: Caller, request: MarketplaceItemRequest) => Promise<StoredItem>;
/**
 * Changes an item. Throws `access_denied`, `not_found`, `invalid_request` as `CreateItem`, and `precondition_failed` if the item has
 * another version than the target.
 */
export type UpdateItem = (caller: Caller, input: UpdateItemInput) => Promise<StoredItem>;
/** Removes an item. Throws `access_denied`, `not_found`, and `precondition_failed` as `UpdateItem`. */
export type RemoveItem = (caller: Caller, target: ItemTarget) => Promise<void>;
/** Returns the grants of an item that the caller may change. Throws `access_denied` and `not_found`. */
export type ReadItemGrants = (caller: Caller, id: string) => Promise<readonly StoredGrant[]>;
/**
 * Replaces all grants of an item. Throws `access_denied`, `not_found`, `invalid_request` for a grantee that does not exist or a past
 * expiry that the stored grant does not have, and `precondition_failed` if the present grants are not those to replace.
 */
export type PutItemGrants = (caller: Caller, input: PutItemGrantsInput) => Promise<readonly StoredGrant[]>;

/** Locks an item that the caller may change, so that its owner remains the same until the change is written. */
async function lockManaged(
  marketplace: Pick<MarketplaceStore, 'lock'>,
  { principal }: Caller,
  id: string,
): Promise<StoredItem> {
  return requireManager(await marketplace.lock(principal.tenant.id, granteeOf(principal), id), principal);
}

export const createCreateItem =
  ({ marketplaceChanges }: ChangeItemsDependencies): CreateItem =>
  async (caller, { id, ...request }) => {
    const { principal } = caller;
    if (!principal.permissions.has('admin') && !principal.permissions.has('datamap:write')) {
      throw new ProblemError('access_denied', 'You need the permission datamap:write to create an item.');
    }
    const tenantId = principal.tenant.id;
    return marketplaceChanges.change(tenantId, async ({ marketplace }) => {
      const content = await checkedContent(marketplace, caller, { ...request, current: undefined });
      const write = { tenantId, id, by: principal.name, content };
      const created = await marketplace.create(write, recordOf(caller, id, 'CREATE_MARKETPLACE_ITEM'));
      if (created === undefined) throw new ProblemError('conflict', `The item ${id} already exists.`);
      return created;
    });
  };

export const createUpdateItem =
  ({ marketplaceChanges }: ChangeItemsDependencies): UpdateItem =>
  (caller, { target: { id, version }, change }) => {
    const { principal } = caller;
    const tenantId = principal.tenant.id;
    return marketplaceChanges.change(tenantId, async ({ marketplace }) => {
      const current = await lockManaged(marketplace, caller, id);
      const content = await checkedContent(marketplace, caller, { ...change, current: current.owner });
      const write = { tenantId, id, version, by: principal.name, content };
      return settled(await marketplace.update(write, recordOf(caller, id, 'UPDATE_MARKETPLACE_ITEM')));
    });
  };

export const createRemoveItem =
  ({ marketplaceChanges }: ChangeItemsDependencies): RemoveItem =>
  (caller, { id, version }) => {
    const tenantId = caller.principal.tenant.id;
    return marketplaceChanges.change(tenantId, async ({ marketplace }) => {
      await lockManaged(marketplace, caller, id);
      const target = { tenantId, id, version };
      settled(await marketplace.remove(target, recordOf(caller, id, 'DELETE_MARKETPLACE_ITEM')));
    });
  };

export const createReadItemGrants =
  ({ marketplace, marketplaceAccess }: ReadItemGrantsDependencies): ReadItemGrants =>
  async (caller, id) => {
    const { principal } = caller;
    requireManager(await marketplace.find(principal.tenant.id, granteeOf(principal), id), principal);
    return await marketplaceAccess.grants(principal.tenant.id, id);
  };

export const createPutItemGrants =
  ({ marketplaceChanges }: ChangeItemsDependencies): PutItemGrants =>
  (caller, { id, wanted, isCurrent = () => true, isDryRun = false }) => {
    const { principal } = caller;
    const tenantId = principal.tenant.id;
    const grants = wanted.grants.map(({ kind, name, expires_ts }) => ({
      kind,
      name: kind === 'user' ? name.toLowerCase() : name,
      expires_ts: expires_ts ?? null,
    }));
    const record = (before: readonly StoredGrant[]) =>
      auditOf(caller, { action: 'GRANT_MARKETPLACE_ITEM', target: id, metadata: { before, after: grants } });
    return marketplaceChanges.change(tenantId, async ({ marketplace, marketplaceAccess }) => {
      await lockManaged(marketplace, caller, id);
      await checkGrants(marketplaceAccess, { tenantId, itemId: id, grants });
      if (isDryRun) return grants;
      const write = { tenantId, itemId: id, by: principal.name, grants };
      const outcome = await marketplaceAccess.setGrants(write, isCurrent, record);
      if (outcome !== 'stored') throw rejectionOf(outcome, 'The grants were changed meanwhile. Read them again.');
      return await marketplaceAccess.grants(tenantId, id);
    });
  };

/** @throws ProblemError `invalid_request` for grantees that do not exist and for new expiries in the past. */
async function checkGrants(
  marketplaceAccess: Pick<MarketplaceAccessStore, 'grants' | 'unknownGrantees'>,
  { tenantId, itemId, grants }: Omit<GrantsWrite, 'by'>,
): Promise<void> {
  const stored = await marketplaceAccess.grants(tenantId, itemId);
  requireValid([
    ...(await marketplaceAccess.unknownGrantees(tenantId, grants)).map(({ kind, name }) => ({
      path: 'body.grants',
      message: `there is no ${kind} ${name}`,
    })),
    ...pastExpiries(grants, stored).map(({ path, message }) => ({ path: `body.${path}`, message })),
  ]);
}

const rejectionOf = (rejection: ItemRejection, message: string): ProblemError =>
  rejection === 'missing' ? noSuchItem() : new ProblemError('precondition_failed', message);

function settled(found: StoredItem | ItemRejection): StoredItem {
  if (found === 'missing' || found === 'other version')
    throw rejectionOf(found, 'The item was changed meanwhile. Read it again.');
  return found;
}

const recordOf =
  (caller: Caller, id: string, action: AuditAction) =>
  ({ before, after }: ItemChange) =>
    auditOf(caller, { action, target: id, metadata: { before: contentOf(before), after: contentOf(after) } });

const contentOf = (item: StoredItem | null): object | null =>
  item === null
    ? null
    : {
        title: item.title,
        description: item.description,
        tags: item.tags,
        domains: item.domains,
        owner: item.owner.name,
        version: item.version,
        queries: item.queries.map(({ name, datamapId }) => ({ name, datamap_id: datamapId })),
      };

interface ContentInput extends MarketplaceItemChange {
  readonly current: ItemOwner | undefined;
}

async function checkedContent(
  marketplace: MarketplaceStore,
  { principal }: Caller,
  wanted: ContentInput,
): Promise<ItemContent> {
  const tenantId = principal.tenant.id;
  const datamapIds = wanted.queries.map((query) => query.datamap_id);
  const domains = wanted.domains ?? [];
  const named = wanted.owner === undefined ? undefined : await marketplace.findAccount(tenantId, wanted.owner);
  const details: ProblemDetail[] = [
    ...(await marketplace.notPublished(tenantId, datamapIds)).map((id) => ({
      path: 'body.queries',
      message: `there is no published datamap ${id}`,
    })),
    ...(await marketplace.unknownDomains(tenantId, domains)).map((id) => ({
      path: 'body.domains',
      message: `there is no domain ${id}`,
    })),
  ];
  if (wanted.owner !== undefined && named === undefined) {
    details.push({ path: 'body.owner', message: `there is no user or client ${wanted.owner}` });
  }
  requireValid(details);
  const self: ItemOwner = { kind: principal.kind, id: principal.id, name: principal.name };
  const owner = named ?? wanted.current ?? self;
  if (owner.id !== (wanted.current ?? self).id && !principal.permissions.has('admin')) {
    throw new ProblemError('access_denied', 'Only admins may change the owner of an item.');
  }
  return {
    title: wanted.title,
    description: wanted.description || null,
    tags: wanted.tags ?? [],
    domains,
    owner,
    queries: wanted.queries.map(({ name, datamap_id }) => ({ name, datamapId: datamap_id })),
  };
}
