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
import { requireFound } from '../../resources/target.ts';

// All of these fail if the read cannot be recorded. A single account or role that does not exist is `not_found`.
type FindUsers = (caller: Caller, query: UsersQuery) => Promise<UserPage>;
type FindUser = (caller: Caller, id: string) => Promise<StoredUser>;
type FindRoles = (caller: Caller) => Promise<readonly StoredRole[]>;
type FindRole = (caller: Caller, name: string) => Promise<StoredRole>;
type FindServiceAccounts = (caller: Caller, query: ServiceAccountsQuery) => Promise<ClientPage>;
type FindServiceAccount = (caller: Caller, id: string) => Promise<StoredClient>;

interface FindAccountsDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
}

const SIZE_DEFAULT = 100;

interface ReadRecord {
  readonly action: AuditAction;
  readonly target: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const createRecordedRead =
  ({ administration: store }: FindAccountsDependencies) =>
  <T>(
    caller: Caller,
    find: (administration: Administration) => Promise<T>,
    recordOf: (found: T) => ReadRecord,
  ): Promise<T> =>
    store.read(caller.principal.tenant.id, async (administration) => {
      const found = await find(administration);
      await administration.record(auditOf(caller, recordOf(found)));
      return found;
    });

export function createFindUsers(dependencies: FindAccountsDependencies): FindUsers {
  const read = createRecordedRead(dependencies);
  return (caller, { from = 0, size = SIZE_DEFAULT, ...filter }) =>
    read(
      caller,
      ({ users }) => users.list({ ...filter, from, size }),
      () => ({ action: 'READ_USERS', target: 'users', metadata: { ...filter, from, size } }),
    );
}

export function createFindUser(dependencies: FindAccountsDependencies): FindUser {
  const read = createRecordedRead(dependencies);
  return (caller, id) =>
    read(
      caller,
      async ({ users }) => requireFound(await users.find(id), { what: 'user' }),
      ({ email }) => ({ action: 'READ_USERS', target: email, metadata: { user_id: id } }),
    );
}

export function createFindRoles(dependencies: FindAccountsDependencies): FindRoles {
  const read = createRecordedRead(dependencies);
  return (caller) =>
    read(
      caller,
      ({ roles }) => roles.list(),
      () => ({ action: 'READ_ROLES', target: 'roles' }),
    );
}

export function createFindRole(dependencies: FindAccountsDependencies): FindRole {
  const read = createRecordedRead(dependencies);
  return (caller, name) =>
    read(
      caller,
      async ({ roles }) => requireFound(await roles.find(name), { what: 'role' }),
      () => ({ action: 'READ_ROLES', target: name }),
    );
}

export function createFindServiceAccounts(dependencies: FindAccountsDependencies): FindServiceAccounts {
  const read = createRecordedRead(dependencies);
  return (caller, { from = 0, size = SIZE_DEFAULT, ...filter }) =>
    read(
      caller,
      ({ clients }) => clients.list({ ...filter, from, size }),
      () => ({ action: 'READ_SERVICE_ACCOUNTS', target: 'service_accounts', metadata: { ...filter, from, size } }),
    );
}

export function createFindServiceAccount(dependencies: FindAccountsDependencies): FindServiceAccount {
  const read = createRecordedRead(dependencies);
  return (caller, id) =>
    read(
      caller,
      async ({ clients }) => requireFound(await clients.find(id), { what: 'service account' }),
      ({ client_id: target }) => ({ action: 'READ_SERVICE_ACCOUNTS', target, metadata: { account_id: id } }),
    );
}
