import { createOpaqueToken, type OidcClient, type Passwords, type SecretBox } from '@sluice/auth';
import {
  type AppliedChange,
  type AppliedConfiguration,
  type AuditRecord,
  auditOf,
  type Caller,
  type Configuration,
} from '@sluice/contract';
import type { AdministrationStore } from '@sluice/store/administration';
import type { AccountTransactions } from './account-transactions.ts';
import { applyConfiguration, type PreparedSecret } from './apply-configuration.ts';
import { checkIssuer } from './change-identity-provider.ts';
import type { DescribeConfiguredSql } from './describe-configured-sql.ts';
import type { MakeInvitation } from './make-invitation.ts';

interface ApplyFileDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
  readonly transactions: AccountTransactions;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly makeInvitation: MakeInvitation;
  readonly describeConfiguredSql: DescribeConfiguredSql;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
}

export interface ApplyFileInput {
  readonly file: Configuration;
  /** Address of the API host as the caller sees it, for the links of invitations. */
  readonly baseUrl: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Applies a file in one transaction, with an audit record for each change and one for the file. Throws `invalid_request` and `conflict`. */
type ApplyFile = (caller: Caller, input: ApplyFileInput) => Promise<AppliedConfiguration>;

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

const recordOf = (caller: Caller, { changes: _changes, dry_run, ...counts }: AppliedConfiguration): AuditRecord =>
  auditOf(caller, { action: 'APPLY_CONFIGURATION', target: 'administration', metadata: { dry_run, ...counts } });

export function createApplyFile(dependencies: ApplyFileDependencies): ApplyFile {
  const { administration, transactions, passwords, makeInvitation, describeConfiguredSql, oidc, box } = dependencies;

  const newClientIds = (tenantId: string, { service_accounts = [] }: Configuration): Promise<string[]> =>
    administration.read(tenantId, async ({ clients }) => {
      const missing: string[] = [];
      for (const { client_id } of service_accounts) {
        if ((await clients.findByClientId(client_id)) === undefined) missing.push(client_id);
      }
      return missing;
    });

  /** Checks a new issuer. A stored one is not checked again: a file that is applied twice must succeed even if its issuer is down. */
  const checkNewIssuer = async (tenantId: string, { identity_provider: provider }: Configuration): Promise<void> => {
    if (provider === undefined) return;
    const before = await administration.read(tenantId, ({ identityProvider }) => identityProvider.find());
    if (before?.issuer !== provider.issuer) await checkIssuer(oidc, provider.issuer, 'body.identity_provider.issuer');
  };

  /** Hashes secrets one after the other, so that a login meanwhile waits for one hash and not for all. */
  const prepareSecrets = async (clientIds: readonly string[]): Promise<ReadonlyMap<string, PreparedSecret>> => {
    const prepared = new Map<string, PreparedSecret>();
    for (const clientId of clientIds) {
      const secret = createOpaqueToken();
      prepared.set(clientId, { secret, secretHash: await passwords.hash(secret) });
    }
    return prepared;
  };

  return async (caller, { file, baseUrl, signal }) => {
    const { dry_run: isDryRun = false, ...wanted } = file;
    const { id: tenantId, name: tenantName } = caller.principal.tenant;
    const secrets = await prepareSecrets(await newClientIds(tenantId, wanted));
    await checkNewIssuer(tenantId, wanted);
    const input = {
      wanted,
      signal,
      makeInvitation: () => makeInvitation({ tenantName, baseUrl }),
      secretOf: (clientId: string) => secrets.get(clientId),
      describeSql: await describeConfiguredSql(caller, { wanted, signal }),
      box,
    };
    if (!isDryRun) {
      return transactions.run(caller, async (within) => {
        const applied = presentChanges(await applyConfiguration(within, caller, input), false);
        await within.record(recordOf(caller, applied));
        return applied;
      });
    }
    const changes = await transactions.dryRun(caller, (within) => applyConfiguration(within, caller, input));
    const applied = presentChanges(changes, true);
    await administration.read(tenantId, (within) => within.record(recordOf(caller, applied)));
    return applied;
  };
}
