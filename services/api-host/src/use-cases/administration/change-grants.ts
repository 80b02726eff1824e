import {
  auditOf,
  type Caller,
  type GrantParams,
  type GrantRequest,
  ITEM_GRANTS_MAX,
  type ProblemDetail,
  ProblemError,
} from '@sluice/contract';
import { requireFutureExpiry } from '@sluice/marketplace';
import type { Administration, GrantKey, StoredItemGrant } from '@sluice/store/administration';
import type { StoredGrant } from '@sluice/store/marketplace';
import { found } from './account-rules.ts';

export interface GrantTarget extends GrantKey {
  /** Undefined: whatever it is now. */
  readonly version: number | undefined;
}

/** A user is known by its e-mail in lower case, as everywhere. */
export const grantKeyOf = ({ item_id: itemId, kind, name }: GrantParams): GrantKey => ({
  itemId,
  kind,
  name: kind === 'user' ? name.toLowerCase() : name,
});

const refuse = (detail: ProblemDetail): ProblemError =>
  new ProblemError('invalid_request', `The request is not valid: ${detail.path}: ${detail.message}.`, {
    details: [detail],
  });

/** Does the work, and records it as the grants of an item are recorded that are put in the place of others. */
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

/** With its item, so that the record of a change tells all grants of it as they were. */
async function held({ grants }: Administration, { version, ...key }: GrantTarget): Promise<StoredItemGrant> {
  await grants.lockItem(key.itemId);
  return found(await grants.lock(key), { what: 'grant', version });
}

/** Throws `invalid_request` for an unknown item or grantee and for a past expiry, `conflict` for a grant that exists already. */
export async function createGrant(
  administration: Administration,
  caller: Caller,
  wish: GrantRequest,
): Promise<StoredItemGrant> {
  const { grants, content } = administration;
  const { principal } = caller;
  const { expires_ts: expiresTs = null } = wish;
  requireFutureExpiry(expiresTs);
  const key = grantKeyOf(wish);
  if (!(await grants.lockItem(key.itemId))) {
    throw refuse({ path: 'body.item_id', message: `there is no item ${key.itemId}` });
  }
  const wanted: StoredGrant = { kind: wish.kind, name: key.name, expires_ts: expiresTs };
  const [unknown] = await content.marketplaceAccess.unknownGrantees(principal.tenant.id, [wanted]);
  if (unknown !== undefined) {
    throw refuse({ path: 'body.name', message: `there is no ${unknown.kind} ${unknown.name}` });
  }
  await recorded(administration, caller, {
    itemId: key.itemId,
    async work(before) {
      const isNew = await grants.insert(key, { expiresTs, by: principal.name });
      if (!isNew) {
        throw new ProblemError(
          'conflict',
          'There is a grant of this item to them already. Change its expiry by PUT, or take it first.',
        );
      }
      if (before.length < ITEM_GRANTS_MAX) return;
      throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
    },
  });
  return held(administration, { ...key, version: undefined });
}

/** Throws `not_found`, `precondition_failed`, and `invalid_request` for another expiry that is past. */
export async function updateGrant(
  administration: Administration,
  caller: Caller,
  { target, expiresTs }: { readonly target: GrantTarget; readonly expiresTs: number | null },
): Promise<StoredItemGrant> {
  const { expires_ts: expiresBefore } = await held(administration, target);
  if (expiresTs !== expiresBefore) requireFutureExpiry(expiresTs);
  await recorded(administration, caller, {
    itemId: target.itemId,
    async work() {
      if (expiresTs === expiresBefore) return;
      await administration.grants.update(target, { expiresTs, by: caller.principal.name });
    },
  });
  return held(administration, { ...target, version: undefined });
}

/** Throws as above. */
export async function removeGrant(administration: Administration, caller: Caller, target: GrantTarget): Promise<void> {
  await held(administration, target);
  await recorded(administration, caller, {
    itemId: target.itemId,
    work: () => administration.grants.remove(target),
  });
}
