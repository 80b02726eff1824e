import { type AuditAction, auditOf, type Caller, type ServiceAccountsQuery, type UsersQuery } from '@sluice/contract';
import type {
  Administration,
  AdministrationStore,
  ClientPage,
  StoredClient,
  StoredRole,
  StoredUser,
  UserPage,
} from '@sluice/store/administration';
import { found } from './account-rules.ts';

const SIZE_DEFAULT = 100;

interface Reading {
  readonly action: AuditAction;
  readonly target: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Reads of users, roles and service accounts; no record, no answer. One that is not there is `not_found`. */
export const createFindAccounts = (store: Pick<AdministrationStore, 'read'>) => {
  const read = <T>(
    caller: Caller,
    find: (administration: Administration) => Promise<T>,
    readingOf: (answer: T) => Reading,
  ): Promise<T> =>
    store.read(caller.principal.tenant.id, async (administration) => {
      const answer = await find(administration);
      await administration.record(auditOf(caller, readingOf(answer)));
      return answer;
    });

  return {
    users: (caller: Caller, { from = 0, size = SIZE_DEFAULT, ...which }: UsersQuery): Promise<UserPage> =>
      read(
        caller,
        ({ users }) => users.list({ ...which, from, size }),
        () => ({ action: 'READ_USERS', target: 'users', metadata: { ...which, from, size } }),
      ),
    user: (caller: Caller, id: string): Promise<StoredUser> =>
      read(
        caller,
        async ({ users }) => found(await users.find(id), { what: 'user' }),
        ({ email }) => ({ action: 'READ_USERS', target: email, metadata: { user_id: id } }),
      ),
    roles: (caller: Caller): Promise<readonly StoredRole[]> =>
      read(
        caller,
        ({ roles }) => roles.list(),
        () => ({ action: 'READ_ROLES', target: 'roles' }),
      ),
    role: (caller: Caller, name: string): Promise<StoredRole> =>
      read(
        caller,
        async ({ roles }) => found(await roles.find(name), { what: 'role' }),
        () => ({ action: 'READ_ROLES', target: name }),
      ),
    serviceAccounts: (
      caller: Caller,
      { from = 0, size = SIZE_DEFAULT, ...which }: ServiceAccountsQuery,
    ): Promise<ClientPage> =>
      read(
        caller,
        ({ clients }) => clients.list({ ...which, from, size }),
        () => ({ action: 'READ_SERVICE_ACCOUNTS', target: 'service_accounts', metadata: { ...which, from, size } }),
      ),
    serviceAccount: (caller: Caller, id: string): Promise<StoredClient> =>
      read(
        caller,
        async ({ clients }) => found(await clients.find(id), { what: 'service account' }),
        ({ client_id: target }) => ({ action: 'READ_SERVICE_ACCOUNTS', target, metadata: { account_id: id } }),
      ),
  };
};
