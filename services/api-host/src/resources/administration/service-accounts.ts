import type { ClientKeySource, Passwords } from '@sluice/auth';
import { type AuditAction, apiOperations, callerOf, ProblemError, type ServiceAccountRecord } from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { ClientAccess, NewClientSecret, StoredClient } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound, type Target, targetOf } from '../target.ts';
import { type AccountChange, accountStatus, changeAccounts, mergeAccount, requireRoles } from './accounts.ts';
import {
  areSameKeys,
  type ClientAccessChange,
  checkKeys,
  DEFAULT_ACCESS,
  isSameAccess,
  mergeAccess,
  presentAccess,
} from './client-access.ts';
import { clientSecretRoutes } from './client-secrets.ts';
import { prepareSecret } from './prepare-secret.ts';

const SIZE_DEFAULT = 100;

interface NewServiceAccount {
  readonly clientId: string;
  readonly roles: readonly string[];
  readonly access: ClientAccess;
  readonly secret: NewClientSecret;
}

type ServiceAccountChange = AccountChange & ClientAccessChange;

const lookUp = async ({ clients }: TenantTransaction, { id, version }: Target): Promise<StoredClient> =>
  requireFound(await clients.find(id), { what: 'service account', version });

/** Returns the part of a service account that its audit records contain. */
export const clientStatus = (account: ServiceAccountState | null) =>
  account === null ? null : { ...accountStatus(account), ...presentAccess(account) };

type ServiceAccountState = ClientAccess & Pick<StoredClient, 'roles' | 'disabled'>;

/** Returns the state of a service account after a change, and whether it is the same as before. */
export function mergeServiceAccount(before: ServiceAccountState, change: ServiceAccountChange) {
  const account = mergeAccount(before, change);
  const access = mergeAccess(before, change);
  return { after: { ...account.after, ...access }, isSame: account.isSame && isSameAccess(before, access) };
}

interface RecordedChange {
  readonly before: StoredClient | null;
  readonly after: StoredClient | null;
}

const recordChange = (tx: TenantTransaction, action: AuditAction, { before, after }: RecordedChange): Promise<void> => {
  const account = after ?? before;
  const statuses = { before: clientStatus(before), after: clientStatus(after) };
  return tx.record(action, account?.client_id ?? '', { account_id: account?.id, ...statuses });
};

/** Creates a service account. Throws `conflict` for a client id that is taken, and `invalid_request` for a role that does not exist. */
export async function createServiceAccount(tx: TenantTransaction, input: NewServiceAccount): Promise<StoredClient> {
  await requireRoles(tx, input.roles);
  const created = await tx.clients.insert({ ...input, by: tx.by });
  if (created === undefined) {
    throw new ProblemError('conflict', 'A service account with this client id already exists.');
  }
  await recordChange(tx, 'CREATE_SERVICE_ACCOUNT', { before: null, after: created });
  return created;
}

/** Throws `not_found`, `precondition_failed`, and `invalid_request` for a role that does not exist. */
export async function updateServiceAccount(
  tx: TenantTransaction,
  target: Target,
  change: ServiceAccountChange,
): Promise<StoredClient> {
  const before = await lookUp(tx, target);
  await requireRoles(tx, change.roles ?? []);
  const { after: to, isSame } = mergeServiceAccount(before, change);
  const areKeysChanged = !areSameKeys(before, to);
  if (!isSame) await tx.clients.update(before.id, { ...to, areKeysChanged, by: tx.by });
  const after = await lookUp(tx, { id: before.id, version: undefined });
  await recordChange(tx, 'UPDATE_SERVICE_ACCOUNT', { before, after });
  return after;
}

/** Throws `not_found` and `precondition_failed`. */
async function removeServiceAccount(tx: TenantTransaction, target: Target): Promise<void> {
  const before = await lookUp(tx, target);
  await tx.clients.remove(before);
  await recordChange(tx, 'DELETE_SERVICE_ACCOUNT', { before, after: null });
}

const presentAccount = ({ version: _version, ...account }: StoredClient): ServiceAccountRecord => account;
const etag = ({ version }: StoredClient) => ({ etag: entityTag(version) });

interface ServiceAccountsContext {
  readonly database: ResourceDatabase;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly clientKeys: Pick<ClientKeySource, 'checkKeys' | 'checkAddress'>;
}

/** Everything below /admin/service-accounts */
export const serviceAccountRoutes = ({ database, passwords, clientKeys }: ServiceAccountsContext): Route[] => [
  route(apiOperations.listServiceAccounts, async (request) => {
    const query = { ...request.query, from: request.query.from ?? 0, size: request.query.size ?? SIZE_DEFAULT };
    const { total, clients } = await database.read(callerOf(request), async (tx) => {
      const page = await tx.clients.list(query);
      await tx.record('READ_SERVICE_ACCOUNTS', 'service_accounts', query);
      return page;
    });
    return json(200, { total, data: clients.map(presentAccount) });
  }),
  route(apiOperations.createServiceAccount, async (request) => {
    const { client_id: clientId, roles = [], ...wanted } = request.body;
    checkKeys(clientKeys, wanted, 'body');
    const access = mergeAccess(DEFAULT_ACCESS, wanted);
    const { secret, stored } = await prepareSecret(passwords);
    const create = (tx: TenantTransaction) => createServiceAccount(tx, { clientId, roles, access, secret: stored });
    const account = await changeAccounts(database, callerOf(request), create);
    const headers = { ...etag(account), location: `/admin/service-accounts/${account.id}` };
    return json(201, { ...presentAccount(account), client_secret: secret }, headers);
  }),
  route(apiOperations.getServiceAccount, async (request) => {
    const { id } = request.params;
    const account = await database.read(callerOf(request), async (tx) => {
      const found = await lookUp(tx, { id, version: undefined });
      await tx.record('READ_SERVICE_ACCOUNTS', found.client_id, { account_id: id });
      return found;
    });
    return json(200, presentAccount(account), etag(account));
  }),
  route(apiOperations.updateServiceAccount, async (request) => {
    checkKeys(clientKeys, request.body, 'body');
    const update = (tx: TenantTransaction) => updateServiceAccount(tx, targetOf(request), request.body);
    const account = await changeAccounts(database, callerOf(request), update);
    return json(200, presentAccount(account), etag(account));
  }),
  route(apiOperations.deleteServiceAccount, async (request) => {
    await changeAccounts(database, callerOf(request), (tx) => removeServiceAccount(tx, targetOf(request)));
    return noContent();
  }),
  ...clientSecretRoutes({ database, passwords, lookUp }),
];
