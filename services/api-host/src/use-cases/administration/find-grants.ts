import { auditOf, type Caller, type GrantsQuery } from '@sluice/contract';
import type {
  AdministrationStore,
  GrantKey,
  GrantPage,
  GrantQuery,
  StoredItemGrant,
} from '@sluice/store/administration';
import { found } from './account-rules.ts';

const SIZE_DEFAULT = 100;

function subjectOf({ role, user, client }: GrantsQuery): GrantQuery['subject'] {
  if (role !== undefined) return { kind: 'role', name: role };
  if (user !== undefined) return { kind: 'user', name: user.toLowerCase() };
  return client === undefined ? undefined : { kind: 'client', name: client };
}

/** Grants of all items, a page of them; no record, no answer. */
export const findGrants = (
  store: Pick<AdministrationStore, 'read'>,
  caller: Caller,
  query: GrantsQuery,
): Promise<GrantPage> =>
  store.read(caller.principal.tenant.id, async ({ grants, record }) => {
    const { from = 0, size = SIZE_DEFAULT, item, expired } = query;
    const answer = await grants.list({ subject: subjectOf(query), itemId: item, expired, from, size });
    const metadata = { ...query, from, size };
    await record(auditOf(caller, { action: 'READ_MARKETPLACE', target: 'grants', metadata }));
    return answer;
  });

/** Throws `not_found`. */
export const findGrant = (
  store: Pick<AdministrationStore, 'read'>,
  caller: Caller,
  key: GrantKey,
): Promise<StoredItemGrant> =>
  store.read(caller.principal.tenant.id, async ({ grants, record }) => {
    const grant = found(await grants.find(key), { what: 'grant' });
    const { itemId: target, kind, name } = key;
    await record(auditOf(caller, { action: 'READ_MARKETPLACE', target, metadata: { kind, name } }));
    return grant;
  });
