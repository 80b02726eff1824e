import type { AppliedChange, Configuration } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { createOAuthClient, mergeOAuthClient, oauthClientStatus, updateOAuthClient } from '../oauth-clients.ts';
import { appliedChange } from './applied-change.ts';
import type { ConfigurationViolations } from './configuration-violations.ts';

type Entry = NonNullable<Configuration['oauth_clients']>[number];

async function applyOAuthClient(
  tx: TenantTransaction,
  violations: ConfigurationViolations,
  { entry, path }: { readonly entry: Entry; readonly path: string },
): Promise<AppliedChange | undefined> {
  const kind = 'oauth_client';
  const { client_id: name, type, ...change } = entry;
  const before = await tx.oauthClients.lockByClientId(name);
  if (before === undefined) {
    const { client, secret } = await createOAuthClient(tx, entry);
    const after = oauthClientStatus(client);
    return appliedChange({ kind, name, action: 'create', before: null, after, client_secret: secret });
  }
  if (before.type !== type) {
    violations.add(`${path}.type`, `${name} is ${before.type}, which cannot be changed. Remove it first`);
    return undefined;
  }
  const statusBefore = oauthClientStatus(before);
  if (mergeOAuthClient(before, change).isSame)
    return appliedChange({ kind, name, action: 'none', before: statusBefore, after: statusBefore });
  const after = await updateOAuthClient(tx, { id: before.id, version: undefined }, change);
  return appliedChange({ kind, name, action: 'update', before: statusBefore, after: oauthClientStatus(after) });
}

/** Applies the registered programs of a file. Adds a violation for a program of another type than the existing one. */
export async function applyOAuthClients(
  tx: TenantTransaction,
  violations: ConfigurationViolations,
  { oauth_clients: entries = [] }: Configuration,
): Promise<readonly AppliedChange[]> {
  const changes: AppliedChange[] = [];
  for (const [index, entry] of entries.entries()) {
    const change = await applyOAuthClient(tx, violations, { entry, path: `oauth_clients[${index}]` });
    if (change !== undefined) changes.push(change);
  }
  return changes;
}
