import type { ClientKeySource, OidcClient, Passwords, SecretBox } from '@sluice/auth';
import {
  type AppliedChange,
  type AppliedConfiguration,
  apiOperations,
  type Caller,
  type Configuration,
  callerOf,
  largestSessionSettings,
} from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import type { DescribeSql } from '../../../use-cases/datamaps/describe-sql.ts';
import { changeAccounts, tryAccountChanges } from '../accounts.ts';
import { checkIssuer } from '../identity-provider.ts';
import type { MakeInvitation } from '../make-invitation.ts';
import { type PreparedSecret, prepareSecret } from '../prepare-secret.ts';
import { applyConfiguration } from './apply-configuration.ts';
import { describeConfiguredSql } from './describe-configured-sql.ts';

interface ApplyFileContext {
  readonly database: ResourceDatabase;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly makeInvitation: MakeInvitation;
  readonly describeSql: DescribeSql;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
  /** SESSION_LIFETIME, which no tenant may exceed. */
  readonly sessionLifetimeMs: number;
  readonly clientKeys: Pick<ClientKeySource, 'checkKeys' | 'checkAddress'>;
}

interface ApplyFileInput {
  readonly file: Configuration;
  /** Address of the API host as the caller sees it, for the links of invitations. */
  readonly baseUrl: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

const presentChanges = (changes: readonly AppliedChange[], isDryRun: boolean): AppliedConfiguration => {
  const count = (action: AppliedChange['action']) => changes.filter((each) => each.action === action).length;
  return {
    dry_run: isDryRun,
    created_count: count('create'),
    updated_count: count('update'),
    unchanged_count: count('none'),
    // The invitations and secrets of a dry run were rolled back, so they are not returned.
    changes: isDryRun ? changes.map((each) => ({ ...each, invitation: null, client_secret: null })) : [...changes],
  };
};

const recordFile = (tx: TenantTransaction, { changes: _changes, dry_run, ...counts }: AppliedConfiguration) =>
  tx.record('APPLY_CONFIGURATION', 'administration', { dry_run, ...counts });

const newClientIds = (
  { database }: ApplyFileContext,
  caller: Caller,
  { service_accounts = [] }: Configuration,
): Promise<string[]> =>
  database.read(caller, async ({ clients }) => {
    const missing: string[] = [];
    for (const { client_id } of service_accounts) {
      if ((await clients.findByClientId(client_id)) === undefined) missing.push(client_id);
    }
    return missing;
  });

/** Checks a new issuer. A stored one is not checked again: a file that is applied twice must succeed even if its issuer is down. */
async function checkNewIssuer(
  { database, oidc }: ApplyFileContext,
  caller: Caller,
  { identity_provider: provider }: Configuration,
): Promise<void> {
  if (provider === undefined) return;
  const before = await database.read(caller, ({ identityProvider }) => identityProvider.find());
  if (before?.issuer !== provider.issuer) await checkIssuer(oidc, provider.issuer, 'body.identity_provider.issuer');
}

/** Hashes secrets one after the other, so that a login meanwhile waits for one hash and not for all. */
async function prepareSecrets(
  { passwords }: ApplyFileContext,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, PreparedSecret>> {
  const prepared = new Map<string, PreparedSecret>();
  for (const clientId of clientIds) prepared.set(clientId, await prepareSecret(passwords));
  return prepared;
}

/** Applies a file in one transaction, with an audit record for each change and one for the file. Throws `invalid_request` and `conflict`. */
export async function applyFile(
  context: ApplyFileContext,
  caller: Caller,
  { file, baseUrl, signal }: ApplyFileInput,
): Promise<AppliedConfiguration> {
  const { database, makeInvitation, box, clientKeys } = context;
  const { dry_run: isDryRun = false, ...wanted } = file;
  const { name: tenantName } = caller.principal.tenant;
  const secrets = await prepareSecrets(context, await newClientIds(context, caller, wanted));
  await checkNewIssuer(context, caller, wanted);
  const input = {
    wanted,
    signal,
    makeInvitation: () => makeInvitation({ tenantName, baseUrl }),
    secretOf: (clientId: string) => secrets.get(clientId),
    describeSql: await describeConfiguredSql(context, caller, { wanted, signal }),
    box,
    sessionSettingsMax: largestSessionSettings(context.sessionLifetimeMs),
    clientKeys,
  };
  if (!isDryRun) {
    return changeAccounts(database, caller, async (tx) => {
      const applied = presentChanges(await applyConfiguration(tx, caller, input), false);
      await recordFile(tx, applied);
      return applied;
    });
  }
  const changes = await tryAccountChanges(database, caller, (tx) => applyConfiguration(tx, caller, input));
  const applied = presentChanges(changes, true);
  await database.read(caller, (tx) => recordFile(tx, applied));
  return applied;
}

/** POST /admin/apply */
export const applyRoute = (context: ApplyFileContext): Route =>
  route(apiOperations.applyConfiguration, async (request) => {
    const { body, query, baseUrl, signal } = request;
    const file = query.dry_run === true ? { ...body, dry_run: true } : body;
    return json(200, await applyFile(context, callerOf(request), { file, baseUrl, signal }));
  });
