import { auditOf, type Caller, type GrantsQuery } from '@sluice/contract';
import type {
  AdministrationStore,
  GrantKey,
  GrantPage,
  GrantQuery,
  StoredItemGrant,
} from '@sluice/store/administration';
import { requireFound } from '../../resources/target.ts';

interface FindGrantsDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
}

/** Returns a page of the grants of all items. Fails if the read cannot be recorded. */
type FindGrants = (caller: Caller, query: GrantsQuery) => Promise<GrantPage>;
/** Returns one grant. Throws `not_found`; fails if the read cannot be recorded. */
type FindGrant = (caller: Caller, key: GrantKey) => Promise<StoredItemGrant>;

const SIZE_DEFAULT = 100;

function subjectOf({ role, user, client }: GrantsQuery): GrantQuery['subject'] {
  if (role !== undefined) return { kind: 'role', name: role };
  if (user !== undefined) return { kind: 'user', name: user.toLowerCase() };
  return client === undefined ? undefined : { kind: 'client', name: client };
}

export const createFindGrants =
  ({ administration }: FindGrantsDependencies): FindGrants =>
  (caller, query) =>
    administration.read(caller.principal.tenant.id, async ({ grants, record }) => {
      const { from = 0, size = SIZE_DEFAULT, item, expired } = query;
      const found = await grants.list({ subject: subjectOf(query), itemId: item, expired, from, size });
      const metadata = { ...query, from, size };
      await record(auditOf(caller, { action: 'READ_MARKETPLACE', target: 'grants', metadata }));
      return found;
    });

export const createFindGrant =
  ({ administration }: FindGrantsDependencies): FindGrant =>
  (caller, key) =>
    administration.read(caller.principal.tenant.id, async ({ grants, record }) => {
      const grant = requireFound(await grants.find(key), { what: 'grant' });
      const { itemId: target, kind, name } = key;
      await record(auditOf(caller, { action: 'READ_MARKETPLACE', target, metadata: { kind, name } }));
      return grant;
    });
