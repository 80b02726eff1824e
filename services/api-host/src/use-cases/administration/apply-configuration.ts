import type { AppliedChange, Configuration } from '@sluice/contract';
import { ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store';
import type { Caller } from '../audit-of.ts';
import { merged, standingOf } from './account-rules.ts';
import { createRole, updateRole } from './change-roles.ts';
import { createServiceAccount, updateServiceAccount } from './change-service-accounts.ts';
import { createUser, updateUser } from './change-users.ts';
import type { MadeInvitation } from './make-invitation.ts';

/** A secret for a service account that is not there yet; hashing takes too long to be done while others wait for their turn. */
export interface ReadySecret {
  readonly secret: string;
  readonly secretHash: string;
}

/** What a file needs besides what it says. */
export interface ConfigurationProofs {
  invite(): MadeInvitation;
  secretOf(clientId: string): ReadySecret | undefined;
}

type Entry<K extends keyof Configuration> = NonNullable<Configuration[K]> extends readonly (infer E)[] ? E : never;

interface Step {
  readonly administration: Administration;
  readonly caller: Caller;
  readonly proofs: ConfigurationProofs;
}

const change = (part: Omit<AppliedChange, 'invitation' | 'client_secret'> & Partial<AppliedChange>): AppliedChange => ({
  invitation: null,
  client_secret: null,
  ...part,
});

async function applyRole({ administration, caller }: Step, wish: Entry<'roles'>): Promise<AppliedChange> {
  const { name, permissions } = wish;
  const before = await administration.roles.find(name);
  if (before === undefined) {
    await createRole(administration, caller, wish);
    return change({ kind: 'role', name, action: 'create', before: null, after: { permissions } });
  }
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  const was = { permissions: before.permissions };
  if (isSame) return change({ kind: 'role', name, action: 'none', before: was, after: was });
  await updateRole(administration, caller, { ...wish, version: undefined });
  return change({ kind: 'role', name, action: 'update', before: was, after: { permissions } });
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
    return change({ kind: 'user', name: email, action: 'create', before: null, after, invitation: shown });
  }
  const { after, isSame } = merged(before, wish);
  const was = standingOf(before);
  if (isSame) return change({ kind: 'user', name: email, action: 'none', before: was, after: was });
  await updateUser(administration, caller, { target: { id: before.id, version: undefined }, change: after });
  return change({ kind: 'user', name: email, action: 'update', before: was, after });
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
    return change({ kind, name, action: 'create', before: null, after: { roles, disabled }, client_secret: secret });
  }
  const { after, isSame } = merged(before, wish);
  const was = standingOf(before);
  if (isSame) return change({ kind, name, action: 'none', before: was, after: was });
  await updateServiceAccount(administration, caller, { target: { id: before.id, version: undefined }, change: after });
  return change({ kind, name, action: 'update', before: was, after });
}

/** Throws `invalid_request` with the place of each name that no role has, those of the file included. */
async function requireAllRoles({ administration }: Step, { users = [], service_accounts = [] }: Configuration) {
  const known = new Set((await administration.roles.list()).map(({ name }) => name));
  const details = Object.entries({ users, service_accounts }).flatMap(([section, entries]) =>
    entries.flatMap(({ roles = [] }, entry) =>
      roles.flatMap((name, place) =>
        known.has(name)
          ? []
          : [{ path: `body.${section}[${entry}].roles[${place}]`, message: `there is no role ${name}` }],
      ),
    ),
  );
  const [first] = details;
  if (first === undefined) return;
  throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, { details });
}

/**
 * Brings roles, then users, then service accounts to what the file says. What it does not name stays, and what is as it says is not
 * touched, so a file that is applied twice changes nothing. Throws what the single changes throw; the caller rolls back.
 */
export async function applyConfiguration(
  administration: Administration,
  caller: Caller,
  { wanted, proofs }: { readonly wanted: Configuration; readonly proofs: ConfigurationProofs },
): Promise<readonly AppliedChange[]> {
  const step: Step = { administration, caller, proofs };
  const changes: AppliedChange[] = [];
  for (const role of wanted.roles ?? []) changes.push(await applyRole(step, role));
  await requireAllRoles(step, wanted);
  for (const user of wanted.users ?? []) changes.push(await applyUser(step, user));
  for (const account of wanted.service_accounts ?? []) changes.push(await applyServiceAccount(step, account));
  return changes;
}
