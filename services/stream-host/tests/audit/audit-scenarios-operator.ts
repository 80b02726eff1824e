import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@sluice/contract';
import type { ScenarioRunner, Scenarios } from './scenario-runner.ts';

interface MadeTenant {
  readonly id: string;
  readonly name: string;
}

async function tenantOf({ act, operator }: ScenarioRunner, domains: Record<string, unknown> = {}): Promise<MadeTenant> {
  const name = `t-${randomUUID().slice(0, 8)}`;
  const email = 'root@corp.example';
  const { body } = await act({
    action: 'CREATE_TENANT',
    by: operator,
    path: '/operator/tenants',
    body: { name, admin_email: email, ...domains },
    status: 201,
    record: (answer) => ({ target: name, tenantId: answer.body.id, metadata: { admin_email: email, ...domains } }),
  });
  return { id: body.id as string, name };
}

/** Runs a step of a tenant's life cycle. */
const take = (walk: ScenarioRunner, action: AuditAction, { id, name }: MadeTenant) =>
  walk.act({
    action,
    by: walk.operator,
    ...(action === 'REQUEST_TENANT_REMOVAL'
      ? { method: 'DELETE', path: `/operator/tenants/${name}`, status: 202 }
      : { method: 'POST', path: `/operator/tenants/${name}/${action === 'SUSPEND_TENANT' ? 'suspend' : 'resume'}` }),
    record: () => ({ target: name, tenantId: id, metadata: {} }),
  });

/** Actions of the operator, who has no session, in the tenant's log. */
export const operatorScenarios: Scenarios = {
  async READ_TENANT(walk) {
    const { id, name } = await tenantOf(walk);
    await walk.act({
      action: 'READ_TENANT',
      by: walk.operator,
      path: `/operator/tenants/${name}`,
      record: () => ({ target: name, tenantId: id, metadata: {} }),
    });
  },
  async CREATE_TENANT(walk) {
    await tenantOf(walk);
    await tenantOf(walk, { email_domains: ['corp.example'] });
  },
  async UPDATE_TENANT(walk) {
    const { id, name } = await tenantOf(walk);
    const after = { email_domains: [`${name}.example`] };
    await walk.act({
      action: 'UPDATE_TENANT',
      by: walk.operator,
      method: 'PUT',
      path: `/operator/tenants/${name}`,
      body: after,
      record: () => ({ target: name, tenantId: id, metadata: { before: { email_domains: null }, after } }),
    });
  },
  async INVITE_ADMIN(walk) {
    const { id, name } = await tenantOf(walk);
    const email = `second@${name}.example`;
    await walk.act({
      action: 'INVITE_ADMIN',
      by: walk.operator,
      path: `/operator/tenants/${name}/invitations`,
      body: { admin_email: email },
      status: 201,
      record: () => ({ target: name, tenantId: id, metadata: { admin_email: email } }),
    });
  },
  SUSPEND_TENANT: async (walk) => await take(walk, 'SUSPEND_TENANT', await tenantOf(walk)),
  async RESUME_TENANT(walk) {
    const tenant = await tenantOf(walk);
    await take(walk, 'SUSPEND_TENANT', tenant);
    await take(walk, 'RESUME_TENANT', tenant);
  },
  async REQUEST_TENANT_REMOVAL(walk) {
    const tenant = await tenantOf(walk);
    await take(walk, 'SUSPEND_TENANT', tenant);
    await take(walk, 'REQUEST_TENANT_REMOVAL', tenant);
  },
};
