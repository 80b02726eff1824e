import type { Passwords } from '@sluice/auth';
import { apiOperations, CLIENT_SECRETS_MAX, callerOf, ProblemError, requireValid } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { NewClientSecret, StoredClient } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { type Target, targetOf } from '../target.ts';
import { changeAccounts } from './accounts.ts';
import { prepareSecret } from './prepare-secret.ts';

type LookUp = (tx: TenantTransaction, target: Target) => Promise<StoredClient>;

interface ClientSecretsContext {
  readonly database: ResourceDatabase;
  readonly passwords: Pick<Passwords, 'hash'>;
  /** Throws `not_found` and `precondition_failed`. */
  readonly lookUp: LookUp;
}

interface SecretChange {
  readonly lookUp: LookUp;
  readonly target: Target;
}

/** Adds a secret, and returns its id. Throws `not_found`, `precondition_failed`, and `conflict` if the account has as many as it may. */
async function addClientSecret(
  tx: TenantTransaction,
  { lookUp, target }: SecretChange,
  secret: NewClientSecret,
): Promise<string> {
  const { id, client_id } = await lookUp(tx, target);
  const secretId = await tx.clients.addSecret(id, { ...secret, by: tx.by });
  if (secretId === undefined) {
    throw new ProblemError(
      'conflict',
      `This service account has ${CLIENT_SECRETS_MAX} secrets, which is the most. Revoke one first.`,
    );
  }
  await tx.record('ADD_CLIENT_SECRET', client_id, {
    account_id: id,
    secret_id: secretId,
    ...(secret.label === null ? {} : { label: secret.label }),
    ...(secret.expires === null ? {} : { expires_ts: secret.expires.getTime() }),
  });
  return secretId;
}

/** Throws `not_found` and `precondition_failed`. */
async function revokeClientSecret(
  tx: TenantTransaction,
  { lookUp, target }: SecretChange,
  secretId: string,
): Promise<void> {
  const { id, client_id } = await lookUp(tx, target);
  const isRevoked = await tx.clients.removeSecret(id, { secretId, by: tx.by });
  if (!isRevoked) throw new ProblemError('not_found', 'This service account has no such secret.');
  await tx.record('REVOKE_CLIENT_SECRET', client_id, { account_id: id, secret_id: secretId });
}

/** Throws `invalid_request` for a time that has passed. */
function expiryOf(expiresTs: number | null | undefined): Date | null {
  if (expiresTs == null) return null;
  requireValid(
    expiresTs > Date.now() ? [] : [{ path: 'body.expires_ts', message: 'expires_ts must be in the future' }],
  );
  return new Date(expiresTs);
}

/** Everything below /admin/service-accounts/{id}/secrets */
export const clientSecretRoutes = ({ database, passwords, lookUp }: ClientSecretsContext): Route[] => [
  route(apiOperations.listClientSecrets, async (request) => {
    const { id } = request.params;
    const { secrets } = await database.read(callerOf(request), async (tx) => {
      const found = await lookUp(tx, { id, version: undefined });
      await tx.record('READ_SERVICE_ACCOUNTS', found.client_id, { account_id: id });
      return found;
    });
    return json(200, { data: secrets });
  }),
  route(apiOperations.addClientSecret, async (request) => {
    const { label = null, expires_ts: expiresTs = null } = request.body;
    const { secret, stored } = await prepareSecret(passwords, { label, expires: expiryOf(expiresTs) });
    const change = { lookUp, target: targetOf(request) };
    const secretId = await changeAccounts(database, callerOf(request), (tx) => addClientSecret(tx, change, stored));
    const shown = { secret_id: secretId, label, expires_ts: expiresTs };
    return json(201, { ...shown, client_secret: secret });
  }),
  route(apiOperations.revokeClientSecret, async (request) => {
    const { secret_id: secretId } = request.params;
    const change = { lookUp, target: targetOf(request) };
    await changeAccounts(database, callerOf(request), (tx) => revokeClientSecret(tx, change, secretId));
    return noContent();
  }),
];
