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
import type { DescribeSql, DescribingCaller } from '../datamaps/describe-sql.ts';
import { applyConfiguration, type ReadySecret } from './apply-configuration.ts';
import { createChangeAccounts } from './change-accounts.ts';
import { checkIssuer } from './change-identity-provider.ts';
import { createDescribeConfiguredSql } from './describe-configured-sql.ts';
import type { MakeInvitation } from './make-invitation.ts';

export interface ApplyFileOptions {
  readonly administration: AdministrationStore;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly invite: MakeInvitation;
  readonly describeSql: DescribeSql;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
}

export type ApplyFile = (
  caller: DescribingCaller,
  file: Configuration,
  baseUrl: string,
) => Promise<AppliedConfiguration>;

const answerOf = (changes: readonly AppliedChange[], isDryRun: boolean): AppliedConfiguration => {
  const count = (action: AppliedChange['action']) => changes.filter((each) => each.action === action).length;
  return {
    dry_run: isDryRun,
    created_count: count('create'),
    updated_count: count('update'),
    unchanged_count: count('none'),
    // What a dry run made is gone, so nobody may believe in its links and secrets.
    changes: isDryRun ? changes.map((each) => ({ ...each, invitation: null, client_secret: null })) : [...changes],
  };
};

const recordOf = (caller: Caller, { changes: _changes, dry_run, ...counts }: AppliedConfiguration): AuditRecord =>
  auditOf(caller, { action: 'APPLY_CONFIGURATION', target: 'administration', metadata: { dry_run, ...counts } });

/** One transaction with the records of every change, and of the file. Throws `invalid_request` and `conflict`. */
export function createApplyFile(options: ApplyFileOptions): ApplyFile {
  const { administration, passwords, invite, describeSql, oidc, box } = options;
  const accounts = createChangeAccounts(administration);
  const describe = createDescribeConfiguredSql({ administration, describeSql });

  const newClientIds = (tenantId: string, { service_accounts = [] }: Configuration): Promise<string[]> =>
    administration.read(tenantId, async ({ clients }) => {
      const missing: string[] = [];
      for (const { client_id } of service_accounts) {
        if ((await clients.findByClientId(client_id)) === undefined) missing.push(client_id);
      }
      return missing;
    });

  /** An issuer that is there already is not asked again: a file that is applied twice changes nothing, whatever became of it. */
  const checkNewIssuer = async (tenantId: string, { identity_provider: wish }: Configuration): Promise<void> => {
    if (wish === undefined) return;
    const before = await administration.read(tenantId, ({ identityProvider }) => identityProvider.find());
    if (before?.issuer !== wish.issuer) await checkIssuer(oidc, wish.issuer, 'body.identity_provider.issuer');
  };

  /** One after the other, so that whoever logs in meanwhile waits for one of them and not for all. */
  const readySecrets = async (clientIds: readonly string[]): Promise<ReadonlyMap<string, ReadySecret>> => {
    const ready = new Map<string, ReadySecret>();
    for (const clientId of clientIds) {
      const secret = createOpaqueToken();
      ready.set(clientId, { secret, secretHash: await passwords.hash(secret) });
    }
    return ready;
  };

  return async (caller, { dry_run: isDryRun = false, ...wanted }, baseUrl) => {
    const { id: tenantId, name: tenantName } = caller.principal.tenant;
    const secrets = await readySecrets(await newClientIds(tenantId, wanted));
    await checkNewIssuer(tenantId, wanted);
    const described = await describe(caller, wanted);
    const proofs = {
      invite: () => invite({ tenantName, baseUrl }),
      secretOf: (clientId: string) => secrets.get(clientId),
      describeSql: described,
      box,
    };
    if (!isDryRun) {
      return accounts.change(caller, async (within) => {
        const answer = answerOf(await applyConfiguration(within, caller, { wanted, proofs }), false);
        await within.record(recordOf(caller, answer));
        return answer;
      });
    }
    const changes = await accounts.tryOut(caller, (within) => applyConfiguration(within, caller, { wanted, proofs }));
    const answer = answerOf(changes, true);
    await administration.read(tenantId, (within) => within.record(recordOf(caller, answer)));
    return answer;
  };
}
