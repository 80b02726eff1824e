import { randomUUID } from 'node:crypto';
import type { OperatorGate, RequestOrigin } from '@sluice/auth';
import {
  type AuditAction,
  DEFAULT_ROLES,
  type Invitation,
  operatorOperations,
  type Permission,
  ProblemError,
  type TenantRecord,
} from '@sluice/contract';
import { type GuardedRequest, json, type Route, route } from '@sluice/http';
import { emailDomainProblem, type TenantDirectory, type TenantStep } from '@sluice/store/administration';
import type { AuditStore } from '@sluice/store/audit';
import type { Actor, ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requestOrigin } from '../../request/request-origin.ts';
import type { MakeInvitation, NewInvitation } from './make-invitation.ts';

/** User of audit records whose action was an operator's. */
export const OPERATOR = 'operator';
const ADMIN_ROLE = 'admin';
const ADMIN: Permission = 'admin';
/** Records of reads that are written at the same time, so that connections are left for other requests. */
export const RECORDS_AT_ONCE = 4;

/** Origin of an operator's request; empty for a command in a shell. */
export type OperatorCaller = Partial<RequestOrigin>;

export interface TenantsContext {
  readonly database: ResourceDatabase;
  readonly directory: TenantDirectory;
}

interface InvitingContext extends TenantsContext {
  readonly makeInvitation: MakeInvitation;
}

interface AdminInput {
  readonly tenantName: string;
  /** Undefined if the invited user may choose it. */
  readonly adminEmail: string | undefined;
  /** Address of the API host as the operator sees it, for the link of the invitation. */
  readonly baseUrl: string;
}

interface EmailDomainsInput {
  readonly tenantName: string;
  /** Null allows any domain. */
  readonly emailDomains: readonly string[] | null;
}

interface InvitedTenant {
  readonly tenant: TenantRecord;
  readonly invitation: Invitation;
}

/** Returns the operator as the one who changes a tenant. */
export const operatorOf = (tenantId: string, caller: OperatorCaller): Actor => ({
  tenantId,
  name: OPERATOR,
  auditOf: (act) => ({ tenantId, user: OPERATOR, ...act, ...caller }),
});

const noSuchTenant = (): ProblemError => new ProblemError('not_found', 'There is no such tenant.');

/** Runs a change of a tenant in its audit log, after other changes of its accounts. Throws `not_found`. */
async function changeTenant<T>(
  { database, directory }: TenantsContext,
  caller: OperatorCaller,
  { name, work }: { readonly name: string; work(tx: TenantTransaction, tenant: TenantRecord): Promise<T> },
): Promise<T> {
  const found = await directory.findByName(name);
  if (found === undefined) throw noSuchTenant();
  return database.change(operatorOf(found.id, caller), async (tx) => {
    const tenant = await tx.tenant.lock();
    if (tenant === undefined) throw noSuchTenant();
    return await work(tx, tenant);
  });
}

/** Returns a role with the permission admin. Restores the default role if the tenant has none. */
async function adminRole({ roles }: TenantTransaction): Promise<string> {
  const all = await roles.list();
  const able = all.filter(({ permissions }) => permissions.includes(ADMIN)).map(({ name }) => name);
  const chosen = able.includes(ADMIN_ROLE) ? ADMIN_ROLE : able[0];
  if (chosen !== undefined) return chosen;
  const role = { name: ADMIN_ROLE, permissions: DEFAULT_ROLES[ADMIN_ROLE] ?? [ADMIN], by: OPERATOR };
  if ((await roles.insert(role)) === undefined) await roles.update(role);
  return ADMIN_ROLE;
}

/** Stores the invitation of an admin. A user with the e-mail is enabled and becomes an admin. */
export async function storeAdminInvitation(
  tx: TenantTransaction,
  email: string | undefined,
  invitation: NewInvitation['stored'],
): Promise<void> {
  const { users, invitations } = tx;
  const role = await adminRole(tx);
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

/** Creates a tenant and invites its admin. Throws `conflict` for a name that is taken, and `invalid_request` for a forbidden e-mail domain. */
export async function createTenant(
  { database, makeInvitation }: InvitingContext,
  caller: OperatorCaller,
  input: AdminInput & EmailDomainsInput,
): Promise<InvitedTenant> {
  const { tenantName, adminEmail, emailDomains } = input;
  const { shown, stored } = makeInvitation(input);
  const tenant = await database.change(operatorOf(randomUUID(), caller), async (tx) => {
    const created = await tx.tenant.insert(tenantName);
    const after = emailDomains === null ? created : await tx.tenant.setEmailDomains(emailDomains);
    await storeAdminInvitation(tx, adminEmail, stored);
    const metadata = { ...metadataOf(input), ...(emailDomains === null ? {} : { email_domains: emailDomains }) };
    await tx.record('CREATE_TENANT', after.name, metadata);
    return after;
  });
  return { tenant, invitation: shown };
}

/** Invites an admin. An open invitation without an e-mail is removed. Throws `not_found`. */
export async function inviteAdmin(
  context: InvitingContext,
  caller: OperatorCaller,
  input: AdminInput,
): Promise<InvitedTenant> {
  const { shown, stored } = context.makeInvitation(input);
  const tenant = await changeTenant(context, caller, {
    name: input.tenantName,
    async work(tx, found) {
      await storeAdminInvitation(tx, input.adminEmail, stored);
      await tx.record('INVITE_ADMIN', found.name, metadataOf(input));
      return found;
    },
  });
  return { tenant, invitation: shown };
}

/** Sets the domains of new users. Existing users do not change. Throws `not_found`. */
export const setEmailDomains = (
  context: TenantsContext,
  caller: OperatorCaller,
  { tenantName, emailDomains }: EmailDomainsInput,
): Promise<TenantRecord> =>
  changeTenant(context, caller, {
    name: tenantName,
    async work(tx, before) {
      const after = await tx.tenant.setEmailDomains(emailDomains);
      const domainsOf = ({ email_domains }: TenantRecord) => ({ email_domains });
      await tx.record('UPDATE_TENANT', after.name, { before: domainsOf(before), after: domainsOf(after) });
      return after;
    },
  });

const STEP_ACTIONS = {
  suspend: 'SUSPEND_TENANT',
  resume: 'RESUME_TENANT',
  'request removal': 'REQUEST_TENANT_REMOVAL',
} as const satisfies Record<TenantStep, AuditAction>;

/** Takes a step by the tenant's name. Throws `not_found`, and `conflict` for the removal of a tenant that is not suspended. */
export const takeTenantStep = (
  context: TenantsContext,
  caller: OperatorCaller,
  { name, step }: { readonly name: string; readonly step: TenantStep },
): Promise<TenantRecord> =>
  changeTenant(context, caller, {
    name,
    async work(tx, tenant) {
      if (step === 'request removal' && tenant.state !== 'suspended') {
        throw new ProblemError('conflict', 'Suspend the tenant before you remove it, so that nothing runs meanwhile.');
      }
      const after = await tx.tenant.apply(step);
      await tx.record(STEP_ACTIONS[step], tenant.name);
      return after;
    },
  });

/** Logs each request. A rejected one belongs to no tenant, so only the log of the host has it; other requests are also audited. */
export const createOperatorGuard =
  (gate: OperatorGate): NonNullable<Route['guard']> =>
  async ({ headers, address, operation, log }: GuardedRequest) => {
    try {
      gate(headers.get('authorization'), address);
    } catch (thrown) {
      if (thrown instanceof ProblemError) {
        log.warn({ event: 'operator_refused', problem: thrown.code, address }, 'an operator token was rejected');
      }
      throw thrown;
    }
    log.info({ event: 'operator_request', operation: operation.id, address }, 'request of the operator');
  };

interface OperatorContext extends InvitingContext {
  readonly audit: Pick<AuditStore, 'append'>;
  /** Undefined without OPERATOR_TOKEN: there are no routes then. */
  readonly gate: OperatorGate | undefined;
}

/** Everything below /operator/tenants. A read of tenants is in the audit log of each, and fails if it cannot be recorded. */
export function operatorRoutes(context: OperatorContext): Route[] {
  const { directory, audit, gate } = context;
  if (gate === undefined) return [];
  const recordRead = (caller: OperatorCaller, { id, name: target }: TenantRecord): Promise<void> =>
    audit.append(operatorOf(id, caller).auditOf({ action: 'READ_TENANT', target }));

  const routes: readonly Route[] = [
    route(operatorOperations.listTenants, async (request) => {
      const tenants = await directory.list();
      for (let from = 0; from < tenants.length; from += RECORDS_AT_ONCE) {
        const next = tenants.slice(from, from + RECORDS_AT_ONCE);
        await Promise.all(next.map((tenant) => recordRead(requestOrigin(request), tenant)));
      }
      return json(200, { data: tenants });
    }),
    route(operatorOperations.getTenant, async (request) => {
      const tenant = await directory.findByName(request.params.name);
      if (tenant === undefined) throw noSuchTenant();
      await recordRead(requestOrigin(request), tenant);
      return json(200, tenant);
    }),
    route(operatorOperations.createTenant, async (request) => {
      const { body, baseUrl } = request;
      const { admin_email: adminEmail, email_domains: emailDomains = null } = body;
      const input = { tenantName: body.name, adminEmail, emailDomains, baseUrl };
      const { tenant, invitation } = await createTenant(context, requestOrigin(request), input);
      return json(201, { ...tenant, invitation }, { location: `/operator/tenants/${tenant.name}` });
    }),
    route(operatorOperations.updateTenant, async (request) => {
      const input = { tenantName: request.params.name, emailDomains: request.body.email_domains };
      return json(200, await setEmailDomains(context, requestOrigin(request), input));
    }),
    route(operatorOperations.inviteAdmin, async (request) => {
      const { params, body, baseUrl } = request;
      const input = { tenantName: params.name, adminEmail: body.admin_email, baseUrl };
      const { tenant, invitation } = await inviteAdmin(context, requestOrigin(request), input);
      return json(201, { ...tenant, invitation });
    }),
    route(operatorOperations.suspendTenant, async (request) =>
      json(200, await takeTenantStep(context, requestOrigin(request), { name: request.params.name, step: 'suspend' })),
    ),
    route(operatorOperations.resumeTenant, async (request) =>
      json(200, await takeTenantStep(context, requestOrigin(request), { name: request.params.name, step: 'resume' })),
    ),
    route(operatorOperations.removeTenant, async (request) => {
      const input = { name: request.params.name, step: 'request removal' } as const;
      return json(202, await takeTenantStep(context, requestOrigin(request), input));
    }),
  ];
  const guard = createOperatorGuard(gate);
  return routes.map((each) => ({ ...each, guard }));
}
