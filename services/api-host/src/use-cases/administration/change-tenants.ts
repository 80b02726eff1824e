import {
  type AuditAction,
  type AuditRecord,
  DEFAULT_ROLES,
  type Invitation,
  type Permission,
  ProblemError,
  type TenantRecord,
} from '@sluice/contract';
import {
  type Administration,
  emailDomainProblem,
  type LockedTenant,
  type OperatorStore,
} from '@sluice/store/administration';
import type { MakeInvitation, NewInvitation } from './make-invitation.ts';
import { OPERATOR, type OperatorCaller } from './operator.ts';

const ADMIN_ROLE = 'admin';
const ADMIN: Permission = 'admin';

export interface AdminInput {
  readonly tenantName: string;
  /** Undefined if the invited user may choose it. */
  readonly adminEmail: string | undefined;
  /** Address of the API host as the operator sees it, for the link of the invitation. */
  readonly baseUrl: string;
}

export interface EmailDomainsInput {
  readonly tenantName: string;
  /** Null allows any domain. */
  readonly emailDomains: readonly string[] | null;
}

export interface InvitedTenant {
  readonly tenant: TenantRecord;
  readonly invitation: Invitation;
}

// Each change is recorded in the audit log of the tenant. All but `CreateTenant` throw `not_found`.

/** Creates a tenant and invites its admin. Throws `conflict` for a name that is taken, and `invalid_request` for a forbidden e-mail domain. */
type CreateTenant = (caller: OperatorCaller, input: AdminInput & EmailDomainsInput) => Promise<InvitedTenant>;
/**
 * Invites an admin. If a user with the e-mail exists, it is enabled and becomes an admin. An open invitation without an e-mail is
 * removed.
 */
type InviteAdmin = (caller: OperatorCaller, input: AdminInput) => Promise<InvitedTenant>;
/** Sets the domains of new users. Existing users do not change. */
type SetEmailDomains = (caller: OperatorCaller, input: EmailDomainsInput) => Promise<TenantRecord>;
/** Takes a step by the tenant's name. A removal throws `conflict` unless the tenant is suspended. */
type TakeTenantStep = (caller: OperatorCaller, name: string) => Promise<TenantRecord>;

interface ChangeTenantDependencies {
  readonly operator: Pick<OperatorStore, 'change'>;
}

interface InviteAdminDependencies extends ChangeTenantDependencies {
  readonly makeInvitation: MakeInvitation;
}

interface CreateTenantDependencies {
  readonly operator: Pick<OperatorStore, 'create'>;
  readonly makeInvitation: MakeInvitation;
}

/** Returns the record of an act of the operator. */
export const operatorRecord = (
  tenant: TenantRecord,
  caller: OperatorCaller,
  act: { readonly action: AuditAction; readonly metadata?: Readonly<Record<string, unknown>> },
): AuditRecord => ({ tenantId: tenant.id, user: OPERATOR, target: tenant.name, ...act, ...caller });

/** Returns a role with the permission admin. Restores the default role if the tenant has none. */
async function adminRole({ roles }: Administration): Promise<string> {
  const all = await roles.list();
  const able = all.filter(({ permissions }) => permissions.includes(ADMIN)).map(({ name }) => name);
  const chosen = able.includes(ADMIN_ROLE) ? ADMIN_ROLE : able[0];
  if (chosen !== undefined) return chosen;
  const role = { name: ADMIN_ROLE, permissions: DEFAULT_ROLES[ADMIN_ROLE] ?? [ADMIN], by: OPERATOR };
  if ((await roles.insert(role)) === undefined) await roles.update(role);
  return ADMIN_ROLE;
}

/** Invites an admin within a transaction. */
export async function inviteAdmin(
  administration: Administration,
  email: string | undefined,
  invitation: NewInvitation['stored'],
): Promise<void> {
  const { users, invitations } = administration;
  const role = await adminRole(administration);
  // An invitation without an e-mail makes an admin of anyone who finds it. The new one replaces it.
  await invitations.removeOf(null);
  if (email === undefined) {
    await invitations.insert({ ...invitation, userId: null, roles: [role], by: OPERATOR });
    return;
  }
  const existing = await users.findByEmail(email);
  if (existing !== undefined) {
    const roles = existing.roles.includes(role) ? existing.roles : [...existing.roles, role];
    await users.update(existing.id, { roles, disabled: false, by: OPERATOR });
  }
  if (existing === undefined && !(await users.allowsEmail(email))) throw emailDomainProblem(email, 'body.admin_email');
  const user = existing ?? (await users.insert({ email, passwordHash: null, roles: [role], by: OPERATOR }));
  if (user === undefined) throw new ProblemError('conflict', 'Another request is creating this user. Try again.');
  await invitations.insert({ ...invitation, userId: user.id, roles: [], by: OPERATOR });
}

const metadataOf = ({ adminEmail }: AdminInput) => (adminEmail === undefined ? {} : { admin_email: adminEmail });

const changeTenant = async (
  operator: ChangeTenantDependencies['operator'],
  name: string,
  change: (tenant: TenantRecord, locked: LockedTenant) => Promise<TenantRecord>,
): Promise<TenantRecord> => {
  const tenant = await operator.change(name, change);
  if (tenant === undefined) throw new ProblemError('not_found', 'There is no such tenant.');
  return tenant;
};

export const createCreateTenant =
  ({ operator, makeInvitation }: CreateTenantDependencies): CreateTenant =>
  async (caller, input) => {
    const { tenantName, adminEmail, emailDomains } = input;
    const { shown, stored } = makeInvitation(input);
    const tenant = await operator.create(tenantName, async (created, { administration, setEmailDomains }) => {
      const after = emailDomains === null ? created : await setEmailDomains(emailDomains);
      await inviteAdmin(administration, adminEmail, stored);
      const metadata = { ...metadataOf(input), ...(emailDomains === null ? {} : { email_domains: emailDomains }) };
      await administration.record(operatorRecord(after, caller, { action: 'CREATE_TENANT', metadata }));
      return after;
    });
    return { tenant, invitation: shown };
  };

export const createInviteAdmin =
  ({ operator, makeInvitation }: InviteAdminDependencies): InviteAdmin =>
  async (caller, input) => {
    const { shown, stored } = makeInvitation(input);
    const tenant = await changeTenant(operator, input.tenantName, async (found, { administration }) => {
      await inviteAdmin(administration, input.adminEmail, stored);
      await administration.record(
        operatorRecord(found, caller, { action: 'INVITE_ADMIN', metadata: metadataOf(input) }),
      );
      return found;
    });
    return { tenant, invitation: shown };
  };

export const createSetEmailDomains =
  ({ operator }: ChangeTenantDependencies): SetEmailDomains =>
  (caller, { tenantName, emailDomains }) =>
    changeTenant(operator, tenantName, async (before, { administration, setEmailDomains }) => {
      const after = await setEmailDomains(emailDomains);
      const metadata = {
        before: { email_domains: before.email_domains },
        after: { email_domains: after.email_domains },
      };
      await administration.record(operatorRecord(after, caller, { action: 'UPDATE_TENANT', metadata }));
      return after;
    });

const createTakeStep =
  ({ operator }: ChangeTenantDependencies, step: Parameters<LockedTenant['apply']>[0], action: AuditAction) =>
  (caller: OperatorCaller, name: string): Promise<TenantRecord> =>
    changeTenant(operator, name, async (tenant, { administration, apply }) => {
      if (step === 'request removal' && tenant.state !== 'suspended') {
        throw new ProblemError('conflict', 'Suspend the tenant before you remove it, so that nothing runs meanwhile.');
      }
      const after = await apply(step);
      await administration.record(operatorRecord(tenant, caller, { action }));
      return after;
    });

export const createSuspendTenant = (dependencies: ChangeTenantDependencies): TakeTenantStep =>
  createTakeStep(dependencies, 'suspend', 'SUSPEND_TENANT');
export const createResumeTenant = (dependencies: ChangeTenantDependencies): TakeTenantStep =>
  createTakeStep(dependencies, 'resume', 'RESUME_TENANT');
export const createRequestTenantRemoval = (dependencies: ChangeTenantDependencies): TakeTenantStep =>
  createTakeStep(dependencies, 'request removal', 'REQUEST_TENANT_REMOVAL');
