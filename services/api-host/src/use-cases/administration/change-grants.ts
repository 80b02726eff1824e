import {
  auditOf,
  type Caller,
  type GrantParams,
  type GrantRequest,
  ITEM_GRANTS_MAX,
  invalidRequest,
  ProblemError,
} from '@sluice/contract';
import { requireFutureExpiry } from '@sluice/marketplace';
import type { Administration, AdministrationStore, GrantKey, StoredItemGrant } from '@sluice/store/administration';
import type { StoredGrant } from '@sluice/store/marketplace';
import { requireFound } from '../../resources/target.ts';

export interface GrantTarget extends GrantKey {
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

export interface GrantChangeInput {
  readonly target: GrantTarget;
  readonly expiresTs: number | null;
}

interface ChangeGrantsDependencies {
  readonly administration: Pick<AdministrationStore, 'change'>;
}

/** Grants an item. Throws `invalid_request` for an unknown item or grantee and for a past expiry, and `conflict` for an existing grant. */
type CreateGrant = (caller: Caller, request: GrantRequest) => Promise<StoredItemGrant>;
/** Changes the expiry. Throws `not_found`, `precondition_failed`, and `invalid_request` for a new expiry in the past. */
type UpdateGrant = (caller: Caller, input: GrantChangeInput) => Promise<StoredItemGrant>;
/** Removes a grant. Throws `not_found` and `precondition_failed`. */
type RemoveGrant = (caller: Caller, target: GrantTarget) => Promise<void>;

/** Returns the key of a grant. The e-mail of a user is in lower case, as in the store. */
export const grantKeyOf = ({ item_id: itemId, kind, name }: GrantParams): GrantKey => ({
  itemId,
  kind,
  name: kind === 'user' ? name.toLowerCase() : name,
});

/** Runs a change and records all grants of the item before and after it, like the replacement of its grants. */
async function recorded(
  { content, record }: Administration,
  caller: Caller,
  { itemId, work }: { readonly itemId: string; work(before: readonly StoredGrant[]): Promise<void> },
): Promise<void> {
  const grants = () => content.marketplaceAccess.grants(caller.principal.tenant.id, itemId);
  const before = await grants();
  await work(before);
  const metadata = { before, after: await grants() };
  await record(auditOf(caller, { action: 'GRANT_MARKETPLACE_ITEM', target: itemId, metadata }));
}

/** Locks the grant and its item, so that the audit record has the grants of the item before the change. */
async function lockGrant({ grants }: Administration, { version, ...key }: GrantTarget): Promise<StoredItemGrant> {
  await grants.lockItem(key.itemId);
  return requireFound(await grants.lock(key), { what: 'grant', version });
}

async function createGrant(
  administration: Administration,
  caller: Caller,
  request: GrantRequest,
): Promise<StoredItemGrant> {
  const { grants, content } = administration;
  const { principal } = caller;
  const { expires_ts: expiresTs = null } = request;
  requireFutureExpiry(expiresTs);
  const key = grantKeyOf(request);
  if (!(await grants.lockItem(key.itemId))) {
    throw invalidRequest({ path: 'body.item_id', message: `there is no item ${key.itemId}` });
  }
  const grantee: StoredGrant = { kind: request.kind, name: key.name, expires_ts: expiresTs };
  const [unknown] = await content.marketplaceAccess.unknownGrantees(principal.tenant.id, [grantee]);
  if (unknown !== undefined) {
    throw invalidRequest({ path: 'body.name', message: `there is no ${unknown.kind} ${unknown.name}` });
  }
  await recorded(administration, caller, {
    itemId: key.itemId,
    async work(before) {
      const isNew = await grants.insert(key, { expiresTs, by: principal.name });
      if (!isNew) {
        throw new ProblemError('conflict', 'This grant exists already. Change its expiry by PUT, or remove it first.');
      }
      if (before.length < ITEM_GRANTS_MAX) return;
      throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
    },
  });
  return lockGrant(administration, { ...key, version: undefined });
}

async function updateGrant(
  administration: Administration,
  caller: Caller,
  { target, expiresTs }: GrantChangeInput,
): Promise<StoredItemGrant> {
  const { expires_ts: expiresBefore } = await lockGrant(administration, target);
  if (expiresTs !== expiresBefore) requireFutureExpiry(expiresTs);
  await recorded(administration, caller, {
    itemId: target.itemId,
    async work() {
      if (expiresTs === expiresBefore) return;
      await administration.grants.update(target, { expiresTs, by: caller.principal.name });
    },
  });
  return lockGrant(administration, { ...target, version: undefined });
}

async function removeGrant(administration: Administration, caller: Caller, target: GrantTarget): Promise<void> {
  await lockGrant(administration, target);
  await recorded(administration, caller, {
    itemId: target.itemId,
    work: () => administration.grants.remove(target),
  });
}

export const createCreateGrant =
  ({ administration }: ChangeGrantsDependencies): CreateGrant =>
  (caller, request) =>
    administration.change(caller.principal.tenant.id, (within) => createGrant(within, caller, request));

export const createUpdateGrant =
  ({ administration }: ChangeGrantsDependencies): UpdateGrant =>
  (caller, input) =>
    administration.change(caller.principal.tenant.id, (within) => updateGrant(within, caller, input));

export const createRemoveGrant =
  ({ administration }: ChangeGrantsDependencies): RemoveGrant =>
  (caller, target) =>
    administration.change(caller.principal.tenant.id, (within) => removeGrant(within, caller, target));
