import { type AuditAction, auditOf, type Caller, ProblemError } from '@sluice/contract';
import type { Administration, StoredClient } from '@sluice/store/administration';
import { type AccountChange, found, merged, requireRoles, statusOf, type Target } from './account-rules.ts';

export interface ServiceAccountInput {
  readonly clientId: string;
  readonly roles: readonly string[];
  readonly secretHash: string;
}

interface ChangeRecord {
  readonly action: AuditAction;
  readonly before: StoredClient | null;
  readonly after: StoredClient | null;
}

const record = (caller: Caller, { action, before, after }: ChangeRecord) => {
  const account = after ?? before;
  const metadata = { account_id: account?.id, before: statusOf(before), after: statusOf(after) };
  return auditOf(caller, { action, target: account?.client_id ?? '', metadata });
};

const secretRecord = (
  caller: Caller,
  { id, client_id: target }: StoredClient,
  act: { readonly action: AuditAction; readonly secretId: string },
) => auditOf(caller, { action: act.action, target, metadata: { account_id: id, secret_id: act.secretId } });

const lookUp = async ({ clients }: Administration, { id, version }: Target): Promise<StoredClient> =>
  found(await clients.find(id), { what: 'service account', version });

/** Throws `conflict` for a client id that is taken, `invalid_request` for a role that is not there. */
export async function createServiceAccount(
  administration: Administration,
  caller: Caller,
  wish: ServiceAccountInput,
): Promise<StoredClient> {
  await requireRoles(administration, wish.roles);
  const made = await administration.clients.insert({ ...wish, by: caller.principal.name });
  if (made === undefined) throw new ProblemError('conflict', 'There is a service account with this client id already.');
  await administration.record(record(caller, { action: 'CREATE_SERVICE_ACCOUNT', before: null, after: made }));
  return made;
}

/** Throws `not_found`, `precondition_failed` and, for a role that is not there, `invalid_request`. */
export async function updateServiceAccount(
  administration: Administration,
  caller: Caller,
  { target, change }: { readonly target: Target; readonly change: AccountChange },
): Promise<StoredClient> {
  const before = await lookUp(administration, target);
  await requireRoles(administration, change.roles ?? []);
  const { after: to, isSame } = merged(before, change);
  if (!isSame) await administration.clients.update(before.id, { ...to, by: caller.principal.name });
  const after = await lookUp(administration, { id: before.id, version: undefined });
  await administration.record(record(caller, { action: 'UPDATE_SERVICE_ACCOUNT', before, after }));
  return after;
}

/** Answers the secret's id. Throws `conflict` when two are live. */
export async function addClientSecret(
  administration: Administration,
  caller: Caller,
  { target, secretHash }: { readonly target: Target; readonly secretHash: string },
): Promise<string> {
  const account = await lookUp(administration, target);
  const secretId = await administration.clients.addSecret(account.id, { hash: secretHash, by: caller.principal.name });
  if (secretId === undefined) {
    throw new ProblemError('conflict', 'This service account has two secrets, which is the most. Revoke one first.');
  }
  await administration.record(secretRecord(caller, account, { action: 'ADD_CLIENT_SECRET', secretId }));
  return secretId;
}

export async function revokeClientSecret(
  administration: Administration,
  caller: Caller,
  { target, secretId }: { readonly target: Target; readonly secretId: string },
): Promise<void> {
  const account = await lookUp(administration, target);
  const isTaken = await administration.clients.removeSecret(account.id, { secretId, by: caller.principal.name });
  if (!isTaken) throw new ProblemError('not_found', 'This service account has no such secret.');
  await administration.record(secretRecord(caller, account, { action: 'REVOKE_CLIENT_SECRET', secretId }));
}

export async function removeServiceAccount(
  administration: Administration,
  caller: Caller,
  target: Target,
): Promise<void> {
  const before = await lookUp(administration, target);
  await administration.clients.remove(before);
  await administration.record(record(caller, { action: 'DELETE_SERVICE_ACCOUNT', before, after: null }));
}
