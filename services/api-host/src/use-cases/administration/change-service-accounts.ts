import { createOpaqueToken, type Passwords } from '@sluice/auth';
import { type AuditAction, auditOf, type Caller, ProblemError } from '@sluice/contract';
import type { Administration, StoredClient } from '@sluice/store/administration';
import { requireFound, type Target } from '../../resources/target.ts';
import { type AccountChangeInput, accountStatus, mergeAccount, requireRoles } from './account-rules.ts';
import { type AdministrationStep, inTransaction, type StepDependencies } from './account-transactions.ts';

export interface ServiceAccountInput {
  readonly clientId: string;
  readonly roles: readonly string[];
}

interface NewServiceAccount extends ServiceAccountInput {
  readonly secretHash: string;
}

export interface ClientSecretTarget {
  readonly target: Target;
  readonly secretId: string;
}

/** Creates a service account and returns its secret, which is not stored in clear. */
type CreateServiceAccount = (
  caller: Caller,
  input: ServiceAccountInput,
) => Promise<{ readonly account: StoredClient; readonly secret: string }>;
type UpdateServiceAccount = (caller: Caller, input: AccountChangeInput) => Promise<StoredClient>;
type RemoveServiceAccount = (caller: Caller, target: Target) => Promise<void>;
/** Adds a second secret and returns it. */
type AddClientSecret = (
  caller: Caller,
  target: Target,
) => Promise<{ readonly secretId: string; readonly secret: string }>;
type RevokeClientSecret = (caller: Caller, input: ClientSecretTarget) => Promise<void>;

interface ChangeRecord {
  readonly action: AuditAction;
  readonly before: StoredClient | null;
  readonly after: StoredClient | null;
}

const record = (caller: Caller, { action, before, after }: ChangeRecord) => {
  const account = after ?? before;
  const metadata = { account_id: account?.id, before: accountStatus(before), after: accountStatus(after) };
  return auditOf(caller, { action, target: account?.client_id ?? '', metadata });
};

const secretRecord = (
  caller: Caller,
  { id, client_id: target }: StoredClient,
  act: { readonly action: AuditAction; readonly secretId: string },
) => auditOf(caller, { action: act.action, target, metadata: { account_id: id, secret_id: act.secretId } });

const lookUp = async ({ clients }: Administration, { id, version }: Target): Promise<StoredClient> =>
  requireFound(await clients.find(id), { what: 'service account', version });

/** Throws `conflict` for a client id that is taken, and `invalid_request` for a role that does not exist. */
export const createServiceAccount: AdministrationStep<NewServiceAccount, StoredClient> = async (
  administration,
  caller,
  input,
) => {
  await requireRoles(administration, input.roles);
  const created = await administration.clients.insert({ ...input, by: caller.principal.name });
  if (created === undefined) {
    throw new ProblemError('conflict', 'A service account with this client id already exists.');
  }
  await administration.record(record(caller, { action: 'CREATE_SERVICE_ACCOUNT', before: null, after: created }));
  return created;
};

/** Throws `not_found`, `precondition_failed`, and `invalid_request` for a role that does not exist. */
export const updateServiceAccount: AdministrationStep<AccountChangeInput, StoredClient> = async (
  administration,
  caller,
  { target, change },
) => {
  const before = await lookUp(administration, target);
  await requireRoles(administration, change.roles ?? []);
  const { after: to, isSame } = mergeAccount(before, change);
  if (!isSame) await administration.clients.update(before.id, { ...to, by: caller.principal.name });
  const after = await lookUp(administration, { id: before.id, version: undefined });
  await administration.record(record(caller, { action: 'UPDATE_SERVICE_ACCOUNT', before, after }));
  return after;
};

/** Returns the id of the secret. Throws `not_found`, `precondition_failed`, and `conflict` if the account has two secrets. */
const addClientSecret: AdministrationStep<{ readonly target: Target; readonly secretHash: string }, string> = async (
  administration,
  caller,
  { target, secretHash },
) => {
  const account = await lookUp(administration, target);
  const secretId = await administration.clients.addSecret(account.id, { hash: secretHash, by: caller.principal.name });
  if (secretId === undefined) {
    throw new ProblemError('conflict', 'This service account has two secrets, which is the most. Revoke one first.');
  }
  await administration.record(secretRecord(caller, account, { action: 'ADD_CLIENT_SECRET', secretId }));
  return secretId;
};

/** Throws `not_found` and `precondition_failed`. */
const revokeClientSecret: AdministrationStep<ClientSecretTarget, void> = async (
  administration,
  caller,
  { target, secretId },
) => {
  const account = await lookUp(administration, target);
  const isRevoked = await administration.clients.removeSecret(account.id, { secretId, by: caller.principal.name });
  if (!isRevoked) throw new ProblemError('not_found', 'This service account has no such secret.');
  await administration.record(secretRecord(caller, account, { action: 'REVOKE_CLIENT_SECRET', secretId }));
};

/** Throws `not_found` and `precondition_failed`. */
const removeServiceAccount: AdministrationStep<Target, void> = async (administration, caller, target) => {
  const before = await lookUp(administration, target);
  await administration.clients.remove(before);
  await administration.record(record(caller, { action: 'DELETE_SERVICE_ACCOUNT', before, after: null }));
};

interface ClientSecretDependencies extends StepDependencies {
  readonly passwords: Pick<Passwords, 'hash'>;
}

export const createCreateServiceAccount =
  ({ passwords, ...dependencies }: ClientSecretDependencies): CreateServiceAccount =>
  async (caller, input) => {
    const secret = createOpaqueToken();
    const secretHash = await passwords.hash(secret);
    const account = await inTransaction(dependencies, createServiceAccount)(caller, { ...input, secretHash });
    return { account, secret };
  };

export const createAddClientSecret =
  ({ passwords, ...dependencies }: ClientSecretDependencies): AddClientSecret =>
  async (caller, target) => {
    const secret = createOpaqueToken();
    const secretHash = await passwords.hash(secret);
    const secretId = await inTransaction(dependencies, addClientSecret)(caller, { target, secretHash });
    return { secretId, secret };
  };

export const createUpdateServiceAccount = (dependencies: StepDependencies): UpdateServiceAccount =>
  inTransaction(dependencies, updateServiceAccount);
export const createRemoveServiceAccount = (dependencies: StepDependencies): RemoveServiceAccount =>
  inTransaction(dependencies, removeServiceAccount);
export const createRevokeClientSecret = (dependencies: StepDependencies): RevokeClientSecret =>
  inTransaction(dependencies, revokeClientSecret);
