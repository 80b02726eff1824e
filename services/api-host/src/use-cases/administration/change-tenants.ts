import type { RequestOrigin } from '@sluice/auth';
import {
  type AuditAction,
  type AuditRecord,
  DEFAULT_ROLES,
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
import type { MadeInvitation } from './make-invitation.ts';
import { OPERATOR } from './operator-name.ts';

const ADMIN_ROLE = 'admin';
const ADMIN: Permission = 'admin';

export interface AdminInput {
  readonly tenantName: string;
  /** Undefined: whoever accepts the invitation says it. */
  readonly adminEmail: string | undefined;
  readonly invitation: MadeInvitation['kept'];
}

export interface NewTenant extends AdminInput {
  /** Null allows any. */
  readonly emailDomains: readonly string[] | null;
}

/** What the operator does; each is on record in the tenant's own log. All but `create` throw `not_found`. */
export interface ChangeTenants {
  /** Throws `conflict` when the name is taken, `invalid_request` for an admin whose e-mail domain is not allowed. */
  create(wish: NewTenant, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
  /** Where there is a user of that e-mail, that user becomes an admin again, enabled. An open invitation that names nobody is over. */
  invite(wish: AdminInput, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
  /** Users that are there stay as they are. */
  setEmailDomains(
    change: { readonly tenantName: string; readonly emailDomains: readonly string[] | null },
    origin: Partial<RequestOrigin>,
  ): Promise<TenantRecord>;
  suspend(name: string, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
  resume(name: string, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
  /** Throws `conflict` unless the tenant is suspended. */
  requestRemoval(name: string, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
}

const recordOf = (
  tenant: TenantRecord,
  origin: Partial<RequestOrigin>,
  act: { readonly action: AuditAction; readonly metadata?: Readonly<Record<string, unknown>> },
): AuditRecord => ({ tenantId: tenant.id, user: OPERATOR, target: tenant.name, ...act, ...origin });

/** A role that administers; where the tenant has none left, the default one, as a new tenant has it. */
async function adminRole({ roles }: Administration): Promise<string> {
  const all = await roles.list();
  const able = all.filter(({ permissions }) => permissions.includes(ADMIN)).map(({ name }) => name);
  const chosen = able.includes(ADMIN_ROLE) ? ADMIN_ROLE : able[0];
  if (chosen !== undefined) return chosen;
  const role = { name: ADMIN_ROLE, permissions: DEFAULT_ROLES[ADMIN_ROLE] ?? [ADMIN], by: OPERATOR };
  if ((await roles.insert(role)) === undefined) await roles.update(role);
  return ADMIN_ROLE;
}

async function inviteAdmin(administration: Administration, { adminEmail: email, invitation }: AdminInput) {
  const { users, invitations } = administration;
  const role = await adminRole(administration);
  // One that names nobody makes an admin of whoever finds it, and this one is in its place.
  await invitations.removeOf(null);
  if (email === undefined) {
    return await invitations.insert({ ...invitation, userId: null, roles: [role], by: OPERATOR });
  }
  const known = await users.findByEmail(email);
  if (known !== undefined) {
    const roles = known.roles.includes(role) ? known.roles : [...known.roles, role];
    await users.update(known.id, { roles, disabled: false, by: OPERATOR });
  }
  if (known === undefined && !(await users.allowsEmail(email))) throw emailDomainProblem(email, 'body.admin_email');
  const user = known ?? (await users.insert({ email, passwordHash: null, roles: [role], by: OPERATOR }));
  if (user === undefined) throw new ProblemError('conflict', 'Somebody makes this user at this moment. Try again.');
  await invitations.insert({ ...invitation, userId: user.id, roles: [], by: OPERATOR });
}

const metadataOf = ({ adminEmail }: AdminInput) => (adminEmail === undefined ? {} : { admin_email: adminEmail });

const settled = (tenant: TenantRecord | undefined): TenantRecord => {
  if (tenant === undefined) throw new ProblemError('not_found', 'There is no such tenant.');
  return tenant;
};

type Act = (tenant: TenantRecord, hold: LockedTenant) => Promise<TenantRecord>;

export const createChangeTenants = (operator: Pick<OperatorStore, 'create' | 'change'>): ChangeTenants => {
  const change = async (name: string, act: Act): Promise<TenantRecord> => settled(await operator.change(name, act));

  const step =
    (taken: Parameters<LockedTenant['apply']>[0], action: AuditAction) =>
    (name: string, origin: Partial<RequestOrigin>) =>
      change(name, async (tenant, { administration, apply }) => {
        if (taken === 'request removal' && tenant.state !== 'suspended') {
          throw new ProblemError(
            'conflict',
            'Suspend the tenant before it is removed, so that nothing runs meanwhile.',
          );
        }
        const after = await apply(taken);
        await administration.record(recordOf(tenant, origin, { action }));
        return after;
      });

  return {
    create: (wish, origin) =>
      operator.create(wish.tenantName, async (made, { administration, setEmailDomains }) => {
        const { emailDomains } = wish;
        const tenant = emailDomains === null ? made : await setEmailDomains(emailDomains);
        await inviteAdmin(administration, wish);
        const metadata = { ...metadataOf(wish), ...(emailDomains === null ? {} : { email_domains: emailDomains }) };
        await administration.record(recordOf(tenant, origin, { action: 'CREATE_TENANT', metadata }));
        return tenant;
      }),
    setEmailDomains: ({ tenantName, emailDomains }, origin) =>
      change(tenantName, async (before, { administration, setEmailDomains }) => {
        const after = await setEmailDomains(emailDomains);
        const metadata = {
          before: { email_domains: before.email_domains },
          after: { email_domains: after.email_domains },
        };
        await administration.record(recordOf(after, origin, { action: 'UPDATE_TENANT', metadata }));
        return after;
      }),
    invite: (wish, origin) =>
      change(wish.tenantName, async (tenant, { administration }) => {
        await inviteAdmin(administration, wish);
        await administration.record(recordOf(tenant, origin, { action: 'INVITE_ADMIN', metadata: metadataOf(wish) }));
        return tenant;
      }),
    suspend: step('suspend', 'SUSPEND_TENANT'),
    resume: step('resume', 'RESUME_TENANT'),
    requestRemoval: step('request removal', 'REQUEST_TENANT_REMOVAL'),
  };
};
