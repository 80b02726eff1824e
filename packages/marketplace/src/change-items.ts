import {
  type AuditAction,
  type Caller,
  type MarketplaceGrants,
  type MarketplaceItemChange,
  type MarketplaceItemRequest,
  type ProblemDetail,
  ProblemError,
  requireValid,
} from '@sluice/contract';
import type { ItemContent, ItemOwner, StoredGrant, StoredItem } from '@sluice/store/marketplace';
import type { TenantTransaction } from '@sluice/store/resources';
import { granteeOf, requireManager } from './item-rules.ts';
import { pastExpiries } from './require-future-expiry.ts';

/** The item to change. Without a version, any version of it. */
interface ItemTarget {
  readonly id: string;
  readonly version: number | undefined;
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

/** Locks an item that the caller may change, so that its owner remains the same until the change is written. */
export async function lockManaged(tx: TenantTransaction, { principal }: Caller, id: string): Promise<StoredItem> {
  return requireManager(await tx.items.lock(id, granteeOf(principal)), principal);
}

/**
 * Creates an item. Throws `access_denied`, `invalid_request` if it refers to a datamap, domain or account that does not exist, and
 * `conflict` if the id is in use.
 */
export async function createItem(
  tx: TenantTransaction,
  caller: Caller,
  { id, ...request }: MarketplaceItemRequest,
): Promise<StoredItem> {
  const { permissions } = caller.principal;
  if (!permissions.has('admin') && !permissions.has('datamap:write')) {
    throw new ProblemError('access_denied', 'You need the permission datamap:write to create an item.');
  }
  const content = await checkedContent(tx, caller, { ...request, current: undefined });
  const after = await tx.items.insert(id, content, tx.by);
  if (after === undefined) throw new ProblemError('conflict', `The item ${id} already exists.`);
  await recordChange(tx, 'CREATE_MARKETPLACE_ITEM', { id, before: null, after });
  return after;
}

/**
 * Changes an item. Throws `access_denied`, `not_found`, `invalid_request` as `createItem`, and `precondition_failed` if the item has
 * another version than the target.
 */
export async function updateItem(
  tx: TenantTransaction,
  caller: Caller,
  { target: { id, version }, change }: { readonly target: ItemTarget; readonly change: MarketplaceItemChange },
): Promise<StoredItem> {
  const before = await lockManaged(tx, caller, id);
  const content = await checkedContent(tx, caller, { ...change, current: before });
  requireVersion(before, version);
  const after = await tx.items.update(id, content, tx.by);
  await recordChange(tx, 'UPDATE_MARKETPLACE_ITEM', { id, before, after });
  return after;
}

/** Removes an item. Throws `access_denied`, `not_found`, and `precondition_failed` as `updateItem`. */
export async function removeItem(tx: TenantTransaction, caller: Caller, { id, version }: ItemTarget): Promise<void> {
  const before = await lockManaged(tx, caller, id);
  requireVersion(before, version);
  await tx.items.remove(id);
  await recordChange(tx, 'DELETE_MARKETPLACE_ITEM', { id, before, after: null });
}

/** Returns the grants of an item that the caller may change. Throws `access_denied` and `not_found`. */
export async function readItemGrants(
  tx: TenantTransaction,
  { principal }: Caller,
  id: string,
): Promise<readonly StoredGrant[]> {
  requireManager(await tx.items.find(id, granteeOf(principal)), principal);
  return await tx.grants.ofItem(id);
}

/**
 * Replaces all grants of an item. Throws `access_denied`, `not_found`, `invalid_request` for a grantee that does not exist or a past
 * expiry that the stored grant does not have, and `precondition_failed` if the present grants are not those to replace.
 */
export async function putItemGrants(
  tx: TenantTransaction,
  caller: Caller,
  { id, wanted, isCurrent = () => true, isDryRun = false }: PutItemGrantsInput,
): Promise<readonly StoredGrant[]> {
  const grants = wanted.grants.map(({ kind, name, expires_ts }) => ({
    kind,
    name: kind === 'user' ? name.toLowerCase() : name,
    expires_ts: expires_ts ?? null,
  }));
  await lockManaged(tx, caller, id);
  const before = await tx.grants.ofItem(id);
  await checkGrants(tx, grants, before);
  if (isDryRun) {
    tx.skipRecord();
    return grants;
  }
  if (!isCurrent(before)) {
    throw new ProblemError('precondition_failed', 'The grants were changed meanwhile. Read them again.');
  }
  await tx.grants.replace(id, grants, tx.by);
  await tx.record('GRANT_MARKETPLACE_ITEM', id, { before, after: grants });
  return await tx.grants.ofItem(id);
}

/** Throws `invalid_request` for grantees that do not exist and for new expiries in the past. */
async function checkGrants(
  tx: TenantTransaction,
  grants: readonly StoredGrant[],
  stored: readonly StoredGrant[],
): Promise<void> {
  requireValid([
    ...(await tx.grants.unknownGrantees(grants)).map(({ kind, name }) => ({
      path: 'body.grants',
      message: `there is no ${kind} ${name}`,
    })),
    ...pastExpiries(grants, stored).map(({ path, message }) => ({ path: `body.${path}`, message })),
  ]);
}

const requireVersion = (item: StoredItem, version: number | undefined): void => {
  if (version === undefined || version === item.version) return;
  throw new ProblemError('precondition_failed', 'The item was changed meanwhile. Read it again.');
};

interface RecordedChange {
  readonly id: string;
  readonly before: StoredItem | null;
  readonly after: StoredItem | null;
}

const recordChange = (tx: TenantTransaction, action: AuditAction, { id, before, after }: RecordedChange) =>
  tx.record(action, id, { before: contentOf(before), after: contentOf(after) });

const contentOf = (item: StoredItem | null): object | null =>
  item === null
    ? null
    : {
        title: item.title,
        description: item.description,
        tags: item.tags,
        domains: item.domains,
        license: item.license,
        terms_of_use: item.termsOfUse,
        owner: item.owner.name,
        version: item.version,
        queries: item.queries.map(({ name, datamapId }) => ({ name, datamap_id: datamapId })),
      };

interface ContentInput extends MarketplaceItemChange {
  /** The item before the change, whose owner, license and terms of use stay if the change does not name them. */
  readonly current: Pick<StoredItem, 'owner' | 'license' | 'termsOfUse'> | undefined;
}

/** Returns a text of a change: undefined leaves it as it was, and null or an empty text removes it. */
const textOf = (wanted: string | null | undefined, before: string | null | undefined): string | null =>
  wanted === undefined ? (before ?? null) : wanted?.trim() ? wanted : null;

async function checkedContent(
  { items }: TenantTransaction,
  { principal }: Caller,
  wanted: ContentInput,
): Promise<ItemContent> {
  const datamapIds = wanted.queries.map((query) => query.datamap_id);
  const domains = wanted.domains ?? [];
  const named = wanted.owner === undefined ? undefined : await items.findAccount(wanted.owner);
  const details: ProblemDetail[] = [
    ...(await items.notPublished(datamapIds)).map((id) => ({
      path: 'body.queries',
      message: `there is no published datamap ${id}`,
    })),
    ...(await items.unknownDomains(domains)).map((id) => ({
      path: 'body.domains',
      message: `there is no domain ${id}`,
    })),
  ];
  if (wanted.owner !== undefined && named === undefined) {
    details.push({ path: 'body.owner', message: `there is no user or client ${wanted.owner}` });
  }
  requireValid(details);
  const self: ItemOwner = { kind: principal.kind, id: principal.id, name: principal.name };
  const ownerBefore = wanted.current?.owner ?? self;
  const owner = named ?? ownerBefore;
  if (owner.id !== ownerBefore.id && !principal.permissions.has('admin')) {
    throw new ProblemError('access_denied', 'Only admins may change the owner of an item.');
  }
  return {
    title: wanted.title,
    description: wanted.description || null,
    tags: wanted.tags ?? [],
    domains,
    license: textOf(wanted.license, wanted.current?.license),
    termsOfUse: textOf(wanted.terms_of_use, wanted.current?.termsOfUse),
    owner,
    queries: wanted.queries.map(({ name, datamap_id }) => ({ name, datamapId: datamap_id })),
  };
}
