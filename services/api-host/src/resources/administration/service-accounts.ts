import { createOpaqueToken, type Passwords } from '@sluice/auth';
import { type AuditAction, apiOperations, callerOf, ProblemError, type ServiceAccountRecord } from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { StoredClient } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound, type Target, targetOf } from '../target.ts';
import { type AccountChange, accountStatus, changeAccounts, mergeAccount, requireRoles } from './accounts.ts';

const SIZE_DEFAULT = 100;

interface NewServiceAccount {
  readonly clientId: string;
  readonly roles: readonly string[];
  readonly secretHash: string;
}

const lookUp = async ({ clients }: TenantTransaction, { id, version }: Target): Promise<StoredClient> =>
  requireFound(await clients.find(id), { what: 'service account', version });

interface RecordedChange {
  readonly before: StoredClient | null;
  readonly after: StoredClient | null;
}

const recordChange = (tx: TenantTransaction, action: AuditAction, { before, after }: RecordedChange): Promise<void> => {
  const account = after ?? before;
  const statuses = { before: accountStatus(before), after: accountStatus(after) };
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
  change: AccountChange,
): Promise<StoredClient> {
  const before = await lookUp(tx, target);
  await requireRoles(tx, change.roles ?? []);
  const { after: to, isSame } = mergeAccount(before, change);
  if (!isSame) await tx.clients.update(before.id, { ...to, by: tx.by });
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

/** Adds a second secret, and returns its id. Throws `not_found`, `precondition_failed`, and `conflict` if the account has two secrets. */
async function addClientSecret(tx: TenantTransaction, target: Target, secretHash: string): Promise<string> {
  const { id, client_id } = await lookUp(tx, target);
  const secretId = await tx.clients.addSecret(id, { hash: secretHash, by: tx.by });
  if (secretId === undefined) {
    throw new ProblemError('conflict', 'This service account has two secrets, which is the most. Revoke one first.');
  }
  await tx.record('ADD_CLIENT_SECRET', client_id, { account_id: id, secret_id: secretId });
  return secretId;
}

/** Throws `not_found` and `precondition_failed`. */
async function revokeClientSecret(tx: TenantTransaction, target: Target, secretId: string): Promise<void> {
  const { id, client_id } = await lookUp(tx, target);
  const isRevoked = await tx.clients.removeSecret(id, { secretId, by: tx.by });
  if (!isRevoked) throw new ProblemError('not_found', 'This service account has no such secret.');
  await tx.record('REVOKE_CLIENT_SECRET', client_id, { account_id: id, secret_id: secretId });
}

const presentAccount = ({ version: _version, ...account }: StoredClient): ServiceAccountRecord => account;
const etag = ({ version }: StoredClient) => ({ etag: entityTag(version) });

interface ServiceAccountsContext {
  readonly database: ResourceDatabase;
  readonly passwords: Pick<Passwords, 'hash'>;
}

/** Everything below /admin/service-accounts */
export const serviceAccountRoutes = ({ database, passwords }: ServiceAccountsContext): Route[] => [
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
    const { client_id: clientId, roles = [] } = request.body;
    const secret = createOpaqueToken();
    // Hashed before the transaction: hashing is slow, and the tenant is locked in it.
    const secretHash = await passwords.hash(secret);
    const create = (tx: TenantTransaction) => createServiceAccount(tx, { clientId, roles, secretHash });
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
    const update = (tx: TenantTransaction) => updateServiceAccount(tx, targetOf(request), request.body);
    const account = await changeAccounts(database, callerOf(request), update);
    return json(200, presentAccount(account), etag(account));
  }),
  route(apiOperations.deleteServiceAccount, async (request) => {
    await changeAccounts(database, callerOf(request), (tx) => removeServiceAccount(tx, targetOf(request)));
    return noContent();
  }),
  route(apiOperations.addClientSecret, async (request) => {
    const secret = createOpaqueToken();
    const secretHash = await passwords.hash(secret);
    const add = (tx: TenantTransaction) => addClientSecret(tx, targetOf(request), secretHash);
    return json(201, { secret_id: await changeAccounts(database, callerOf(request), add), client_secret: secret });
  }),
  route(apiOperations.revokeClientSecret, async (request) => {
    const { secret_id: secretId } = request.params;
    await changeAccounts(database, callerOf(request), (tx) => revokeClientSecret(tx, targetOf(request), secretId));
    return noContent();
  }),
];
