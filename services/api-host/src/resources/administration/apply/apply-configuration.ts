import type { ClientKeySource, SecretBox } from '@sluice/auth';
import type { AppliedChange, Caller, Configuration, SessionSettings } from '@sluice/contract';
import { ProblemError } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import type { DescribeSql } from '../../../use-cases/datamaps/describe-sql.ts';
import { accountStatus, mergeAccount } from '../accounts.ts';
import { checkKeys, DEFAULT_ACCESS, mergeAccess } from '../client-access.ts';
import type { NewInvitation } from '../make-invitation.ts';
import type { PreparedSecret } from '../prepare-secret.ts';
import { createRole, updateRole } from '../roles.ts';
import { clientStatus, createServiceAccount, mergeServiceAccount, updateServiceAccount } from '../service-accounts.ts';
import { createUser, updateUser } from '../users.ts';
import { appliedChange } from './applied-change.ts';
import { applyAuditSettings } from './apply-audit-settings.ts';
import { applyDatamaps } from './apply-datamaps.ts';
import { applyDomains } from './apply-domains.ts';
import { applyIdentityProvider } from './apply-identity-provider.ts';
import { applyItems } from './apply-items.ts';
import { applyOAuthClients } from './apply-oauth-clients.ts';
import { applyOAuthSettings } from './apply-oauth-settings.ts';
import { applySessionSettings } from './apply-session-settings.ts';
import { type ConfigurationViolations, createConfigurationViolations } from './configuration-violations.ts';

interface ConfigurationInput {
  readonly wanted: Configuration;
  readonly makeInvitation: () => NewInvitation;
  readonly secretOf: (clientId: string) => PreparedSecret | undefined;
  readonly clientKeys: Pick<ClientKeySource, 'checkKeys' | 'checkAddress'>;
  /** Returns the results for the new statements of the file, which the engine has described already. */
  readonly describeSql: DescribeSql;
  readonly box: SecretBox;
  /** Largest lifetimes of sessions that the deployment allows. */
  readonly sessionSettingsMax: SessionSettings['max'];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

type Entry<K extends keyof Configuration> = NonNullable<Configuration[K]> extends readonly (infer E)[] ? E : never;

interface Step {
  readonly tx: TenantTransaction;
  readonly input: ConfigurationInput;
  readonly violations: ConfigurationViolations;
}

async function applyRole({ tx }: Step, entry: Entry<'roles'>): Promise<AppliedChange> {
  const { name, permissions } = entry;
  const before = await tx.roles.find(name);
  if (before === undefined) {
    await createRole(tx, entry);
    return appliedChange({ kind: 'role', name, action: 'create', before: null, after: { permissions } });
  }
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  const statusBefore = { permissions: before.permissions };
  if (isSame) return appliedChange({ kind: 'role', name, action: 'none', before: statusBefore, after: statusBefore });
  await updateRole(tx, { ...entry, version: undefined });
  return appliedChange({ kind: 'role', name, action: 'update', before: statusBefore, after: { permissions } });
}

async function applyUser({ tx, input }: Step, entry: Entry<'users'>): Promise<AppliedChange> {
  const { email, roles = [], disabled = false } = entry;
  const before = await tx.users.findByEmail(email);
  if (before === undefined) {
    const { shown, stored } = input.makeInvitation();
    const created = await createUser(tx, { email, roles, passwordHash: null, invitation: stored });
    const target = { id: created.id, version: undefined };
    if (disabled) await updateUser(tx, target, { disabled });
    const after = { roles, disabled };
    return appliedChange({ kind: 'user', name: email, action: 'create', before: null, after, invitation: shown });
  }
  const { after, isSame } = mergeAccount(before, entry);
  const statusBefore = accountStatus(before);
  if (isSame)
    return appliedChange({ kind: 'user', name: email, action: 'none', before: statusBefore, after: statusBefore });
  await updateUser(tx, { id: before.id, version: undefined }, after);
  return appliedChange({ kind: 'user', name: email, action: 'update', before: statusBefore, after });
}

async function applyServiceAccount({ tx, input }: Step, entry: Entry<'service_accounts'>): Promise<AppliedChange> {
  const kind = 'service_account';
  const { client_id: name, roles = [], disabled = false, ...wanted } = entry;
  checkKeys(input.clientKeys, wanted, 'body');
  const before = await tx.clients.findByClientId(name);
  if (before === undefined) {
    const prepared = input.secretOf(name);
    if (prepared === undefined) {
      throw new ProblemError('conflict', `Another request removed ${name}. Apply the file again.`);
    }
    const { secret, stored } = prepared;
    const access = mergeAccess(DEFAULT_ACCESS, wanted);
    const created = await createServiceAccount(tx, { clientId: name, roles, access, secret: stored });
    const target = { id: created.id, version: undefined };
    if (disabled) await updateServiceAccount(tx, target, { disabled });
    return appliedChange({
      kind,
      name,
      action: 'create',
      before: null,
      after: clientStatus({ ...access, roles: [...roles], disabled }),
      client_secret: secret,
    });
  }
  const { after, isSame } = mergeServiceAccount(before, entry);
  const statusBefore = clientStatus(before);
  if (isSame) return appliedChange({ kind, name, action: 'none', before: statusBefore, after: statusBefore });
  await updateServiceAccount(tx, { id: before.id, version: undefined }, entry);
  const statusAfter = clientStatus({ ...after, roles: [...after.roles] });
  return appliedChange({ kind, name, action: 'update', before: statusBefore, after: statusAfter });
}

type RolesOf = (entry: { readonly roles?: readonly string[] | undefined }, path: string) => boolean;

/** Returns a check that all roles of an entry exist. The check adds a violation for each role that does not. */
async function createHasAllRoles({ tx, violations }: Step): Promise<RolesOf> {
  const known = new Set((await tx.roles.list()).map(({ name }) => name));
  return ({ roles = [] }, path) => {
    for (const [index, name] of roles.entries()) {
      if (!known.has(name)) violations.add(`${path}.roles[${index}]`, `there is no role ${name}`);
    }
    return roles.every((name) => known.has(name));
  };
}

async function applyAccounts(step: Step, { roles = [], users = [], service_accounts = [] }: Configuration) {
  const changes: AppliedChange[] = [];
  for (const role of roles) changes.push(await applyRole(step, role));
  const hasAllRoles = await createHasAllRoles(step);
  for (const [index, user] of users.entries()) {
    if (!hasAllRoles(user, `users[${index}]`)) continue;
    const change = await step.violations.collect(`users[${index}]`, () => applyUser(step, user));
    if (change !== undefined) changes.push(change);
  }
  for (const [index, account] of service_accounts.entries()) {
    const path = `service_accounts[${index}]`;
    if (!hasAllRoles(account, path)) continue;
    const change = await step.violations.collect(path, () => applyServiceAccount(step, account));
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/**
 * Applies a file to a tenant: roles, users, service accounts, programs, the identity provider, all settings, domains, datamaps, items. Entries
 * that are not in the file are kept, and unchanged ones are not written, so applying a file twice changes nothing. Throws `invalid_request`
 * with all violations of the file, and the errors of the single changes; the caller rolls back.
 */
export async function applyConfiguration(
  tx: TenantTransaction,
  caller: Caller,
  input: ConfigurationInput,
): Promise<readonly AppliedChange[]> {
  const { wanted, describeSql, box, signal } = input;
  const violations = createConfigurationViolations();
  const accounts = await applyAccounts({ tx, input, violations }, wanted);
  const programs = await applyOAuthClients(tx, violations, wanted);
  const providers = await applyIdentityProvider({ tx, box, violations }, wanted);
  const audit = await applyAuditSettings(tx, caller, wanted);
  const sessions = await applySessionSettings({ tx, caller, violations, max: input.sessionSettingsMax }, wanted);
  const oauth = await applyOAuthSettings(tx, caller, wanted);
  const step = { tx, caller, describeSql, violations, signal };
  const domains = await applyDomains(tx, wanted);
  const datamaps = await applyDatamaps(step, wanted);
  const items = await applyItems(step, wanted, datamaps.ids);
  violations.throwIfAny();
  return [
    ...accounts,
    ...programs,
    ...providers,
    ...audit,
    ...sessions,
    ...oauth,
    ...domains,
    ...datamaps.changes,
    ...items,
  ];
}
