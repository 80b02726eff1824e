import {
  apiOperations,
  callerOf,
  type GrantParams,
  type GrantRecord,
  type GrantRequest,
  type GrantsQuery,
  ITEM_GRANTS_MAX,
  invalidRequest,
  ProblemError,
} from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, type RouteRequest, route } from '@sluice/http';
import { requireFutureExpiry } from '@sluice/marketplace';
import type { GrantKey, GrantQuery, StoredGrant, StoredItemGrant } from '@sluice/store/marketplace';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound } from '../target.ts';
import { lockTenant } from './accounts.ts';

const SIZE_DEFAULT = 100;

interface GrantTarget extends GrantKey {
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

/** Returns the key of a grant. The e-mail of a user is in lower case, as in the store. */
const grantKeyOf = ({ item_id: itemId, kind, name }: GrantParams): GrantKey => ({
  itemId,
  kind,
  name: kind === 'user' ? name.toLowerCase() : name,
});

/** Runs a change and records all grants of the item before and after it, like the replacement of its grants. */
async function recorded(
  tx: TenantTransaction,
  { itemId, work }: { readonly itemId: string; work(before: readonly StoredGrant[]): Promise<void> },
): Promise<void> {
  const before = await tx.grants.ofItem(itemId);
  await work(before);
  await tx.record('GRANT_MARKETPLACE_ITEM', itemId, { before, after: await tx.grants.ofItem(itemId) });
}

/** Locks the grant and its item, so that the audit record has the grants of the item before the change. */
async function lockGrant(
  { items, grants }: TenantTransaction,
  { version, ...key }: GrantTarget,
): Promise<StoredItemGrant> {
  await items.lock(key.itemId);
  return requireFound(await grants.lock(key), { what: 'grant', version });
}

/** Grants an item. Throws `invalid_request` for an unknown item or grantee and for a past expiry, and `conflict` for an existing grant. */
async function createGrant(tx: TenantTransaction, request: GrantRequest): Promise<StoredItemGrant> {
  const { expires_ts: expiresTs = null } = request;
  requireFutureExpiry(expiresTs);
  await lockTenant(tx);
  const key = grantKeyOf(request);
  if ((await tx.items.lock(key.itemId)) === undefined) {
    throw invalidRequest({ path: 'body.item_id', message: `there is no item ${key.itemId}` });
  }
  const grantee: StoredGrant = { kind: request.kind, name: key.name, expires_ts: expiresTs };
  const [unknown] = await tx.grants.unknownGrantees([grantee]);
  if (unknown !== undefined) {
    throw invalidRequest({ path: 'body.name', message: `there is no ${unknown.kind} ${unknown.name}` });
  }
  await recorded(tx, {
    itemId: key.itemId,
    async work(before) {
      const isNew = await tx.grants.insert(key, { expiresTs, by: tx.by });
      if (!isNew) {
        throw new ProblemError('conflict', 'This grant exists already. Change its expiry by PUT, or remove it first.');
      }
      if (before.length < ITEM_GRANTS_MAX) return;
      throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
    },
  });
  return lockGrant(tx, { ...key, version: undefined });
}

/** Changes the expiry. Throws `not_found`, `precondition_failed`, and `invalid_request` for a new expiry in the past. */
async function updateGrant(
  tx: TenantTransaction,
  target: GrantTarget,
  expiresTs: number | null,
): Promise<StoredItemGrant> {
  await lockTenant(tx);
  const { expires_ts: expiresBefore } = await lockGrant(tx, target);
  if (expiresTs !== expiresBefore) requireFutureExpiry(expiresTs);
  await recorded(tx, {
    itemId: target.itemId,
    async work() {
      if (expiresTs !== expiresBefore) await tx.grants.update(target, { expiresTs, by: tx.by });
    },
  });
  return lockGrant(tx, { ...target, version: undefined });
}

/** Removes a grant. Throws `not_found` and `precondition_failed`. */
async function removeGrant(tx: TenantTransaction, target: GrantTarget): Promise<void> {
  await lockTenant(tx);
  await lockGrant(tx, target);
  await recorded(tx, { itemId: target.itemId, work: () => tx.grants.remove(target) });
}

function subjectOf({ role, user, client }: GrantsQuery): GrantQuery['subject'] {
  if (role !== undefined) return { kind: 'role', name: role };
  if (user !== undefined) return { kind: 'user', name: user.toLowerCase() };
  return client === undefined ? undefined : { kind: 'client', name: client };
}

const presentGrant = ({ version: _version, ...grant }: StoredItemGrant): GrantRecord => grant;
const etag = ({ version }: StoredItemGrant) => ({ etag: entityTag(version) });

const pathOf = ({ item_id: itemId, kind, name }: StoredItemGrant): string =>
  `/admin/grants/${[itemId, kind, name].map(encodeURIComponent).join('/')}`;

const targetOf = ({ params, headers }: Pick<RouteRequest, 'headers'> & { readonly params: GrantParams }) => ({
  ...grantKeyOf(params),
  version: matchedVersion(headers),
});

/** Everything below /admin/grants */
export const grantRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listGrants, async (request) => {
    const { query } = request;
    const { from = 0, size = SIZE_DEFAULT, item: itemId, expired } = query;
    const { total, grants } = await database.read(callerOf(request), async (tx) => {
      const page = await tx.grants.list({ subject: subjectOf(query), itemId, expired, from, size });
      await tx.record('READ_MARKETPLACE', 'grants', { ...query, from, size });
      return page;
    });
    return json(200, { total, data: grants.map(presentGrant) });
  }),
  route(apiOperations.createGrant, async (request) => {
    const grant = await database.change(callerOf(request), (tx) => createGrant(tx, request.body));
    return json(201, presentGrant(grant), { ...etag(grant), location: pathOf(grant) });
  }),
  route(apiOperations.getGrant, async (request) => {
    const { itemId, kind, name } = grantKeyOf(request.params);
    const grant = await database.read(callerOf(request), async (tx) => {
      const found = requireFound(await tx.grants.find({ itemId, kind, name }), { what: 'grant' });
      await tx.record('READ_MARKETPLACE', itemId, { kind, name });
      return found;
    });
    return json(200, presentGrant(grant), etag(grant));
  }),
  route(apiOperations.updateGrant, async (request) => {
    const update = (tx: TenantTransaction) => updateGrant(tx, targetOf(request), request.body.expires_ts);
    const grant = await database.change(callerOf(request), update);
    return json(200, presentGrant(grant), etag(grant));
  }),
  route(apiOperations.deleteGrant, async (request) => {
    await database.change(callerOf(request), (tx) => removeGrant(tx, targetOf(request)));
    return noContent();
  }),
];
