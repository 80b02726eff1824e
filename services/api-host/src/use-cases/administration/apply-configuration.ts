import type { SecretBox } from '@sluice/auth';
import type { AppliedChange, Configuration } from '@sluice/contract';
import { ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';
import type { DescribeSql, DescribingCaller } from '../datamaps/describe-sql.ts';
import { merged, statusOf } from './account-rules.ts';
import { appliedChange } from './applied-change.ts';
import { applyDatamaps } from './apply-datamaps.ts';
import { applyDomains } from './apply-domains.ts';
import { applyIdentityProvider } from './apply-identity-provider.ts';
import { applyItems } from './apply-items.ts';
import { createRole, updateRole } from './change-roles.ts';
import { createServiceAccount, updateServiceAccount } from './change-service-accounts.ts';
import { createUser, updateUser } from './change-users.ts';
import { type ConfigurationMistakes, createConfigurationMistakes } from './configuration-mistakes.ts';
import type { MadeInvitation } from './make-invitation.ts';

/** A secret for a service account that is not there yet; hashing takes too long to be done while others wait for their turn. */
export interface ReadySecret {
  readonly secret: string;
  readonly secretHash: string;
}

/** What a file needs besides what it says. */
export interface ConfigurationCredentials {
  invite(): MadeInvitation;
  secretOf(clientId: string): ReadySecret | undefined;
  /** Knows the new statements of the file already. */
  readonly describeSql: DescribeSql;
  readonly box: SecretBox;
}

type Entry<K extends keyof Configuration> = NonNullable<Configuration[K]> extends readonly (infer E)[] ? E : never;

interface Step {
  readonly administration: Administration;
  readonly caller: DescribingCaller;
  readonly proofs: ConfigurationCredentials;
  readonly mistakes: ConfigurationMistakes;
}

async function applyRole({ administration, caller }: Step, wish: Entry<'roles'>): Promise<AppliedChange> {
  const { name, permissions } = wish;
  const before = await administration.roles.find(name);
  if (before === undefined) {
    await createRole(administration, caller, wish);
    return appliedChange({ kind: 'role', name, action: 'create', before: null, after: { permissions } });
  }
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  const was = { permissions: before.permissions };
  if (isSame) return appliedChange({ kind: 'role', name, action: 'none', before: was, after: was });
  await updateRole(administration, caller, { ...wish, version: undefined });
  return appliedChange({ kind: 'role', name, action: 'update', before: was, after: { permissions } });
}

async function applyUser({ administration, caller, proofs }: Step, wish: Entry<'users'>): Promise<AppliedChange> {
  const { email, roles = [], disabled = false } = wish;
  const before = await administration.users.findByEmail(email);
  if (before === undefined) {
    const { shown, kept } = proofs.invite();
    const made = await createUser(administration, caller, { email, roles, passwordHash: null, invitation: kept });
    const target = { id: made.id, version: undefined };
    if (disabled) await updateUser(administration, caller, { target, change: { disabled } });
    const after = { roles, disabled };
    return appliedChange({ kind: 'user', name: email, action: 'create', before: null, after, invitation: shown });
  }
  const { after, isSame } = merged(before, wish);
  const was = statusOf(before);
  if (isSame) return appliedChange({ kind: 'user', name: email, action: 'none', before: was, after: was });
  await updateUser(administration, caller, { target: { id: before.id, version: undefined }, change: after });
  return appliedChange({ kind: 'user', name: email, action: 'update', before: was, after });
}

async function applyServiceAccount(
  { administration, caller, proofs }: Step,
  wish: Entry<'service_accounts'>,
): Promise<AppliedChange> {
  const kind = 'service_account';
  const { client_id: name, roles = [], disabled = false } = wish;
  const before = await administration.clients.findByClientId(name);
  if (before === undefined) {
    const ready = proofs.secretOf(name);
    if (ready === undefined) {
      throw new ProblemError('conflict', `Somebody removed ${name} at this moment. Apply the file again.`);
    }
    const { secret, secretHash } = ready;
    const made = await createServiceAccount(administration, caller, { clientId: name, roles, secretHash });
    const target = { id: made.id, version: undefined };
    if (disabled) await updateServiceAccount(administration, caller, { target, change: { disabled } });
    return appliedChange({
      kind,
      name,
      action: 'create',
      before: null,
      after: { roles, disabled },
      client_secret: secret,
    });
  }
  const { after, isSame } = merged(before, wish);
  const was = statusOf(before);
  if (isSame) return appliedChange({ kind, name, action: 'none', before: was, after: was });
  await updateServiceAccount(administration, caller, { target: { id: before.id, version: undefined }, change: after });
  return appliedChange({ kind, name, action: 'update', before: was, after });
}

type RolesOf = (entry: { readonly roles?: readonly string[] | undefined }, path: string) => boolean;

/** Whether there are all the roles of an entry; notes the place of each that there is not. */
async function createHasAllRoles({ administration, mistakes }: Step): Promise<RolesOf> {
  const known = new Set((await administration.roles.list()).map(({ name }) => name));
  return ({ roles = [] }, path) => {
    for (const [place, name] of roles.entries()) {
      if (!known.has(name)) mistakes.add(`${path}.roles[${place}]`, `there is no role ${name}`);
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
    const change = await step.mistakes.noting(`users[${index}]`, () => applyUser(step, user));
    if (change !== undefined) changes.push(change);
  }
  for (const [index, account] of service_accounts.entries()) {
    if (hasAllRoles(account, `service_accounts[${index}]`)) changes.push(await applyServiceAccount(step, account));
  }
  return changes;
}

/**
 * Brings a tenant to what the file says: roles, users, service accounts, the identity provider, domains, datamaps, items. What it does not name stays, and
 * what is as it says is not touched, so a file that is applied twice changes nothing. Throws `invalid_request` with all that is wrong
 * with the file, and what the single changes throw; the caller rolls back.
 */
export async function applyConfiguration(
  administration: Administration,
  caller: DescribingCaller,
  { wanted, proofs }: { readonly wanted: Configuration; readonly proofs: ConfigurationCredentials },
): Promise<readonly AppliedChange[]> {
  const mistakes = createConfigurationMistakes();
  const accounts = await applyAccounts({ administration, caller, proofs, mistakes }, wanted);
  const providers = await applyIdentityProvider({ administration, caller, box: proofs.box, mistakes }, wanted);
  const step = { content: administration.content, caller, describeSql: proofs.describeSql, mistakes };
  const domains = await applyDomains(step, wanted);
  const datamaps = await applyDatamaps(step, wanted);
  const items = await applyItems(step, wanted, datamaps.ids);
  mistakes.refuse();
  return [...accounts, ...providers, ...domains, ...datamaps.changes, ...items];
}
