import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@sluice/contract';
import { send } from '@sluice/testkit';
import type { ExpectedRecord, ScenarioRunner, Scenarios } from './scenario-runner.ts';

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
const take = (runner: ScenarioRunner, action: AuditAction, { id, name }: MadeTenant) =>
  runner.act({
    action,
    by: runner.operator,
    ...(action === 'REQUEST_TENANT_REMOVAL'
      ? { method: 'DELETE', path: `/operator/tenants/${name}`, status: 202 }
      : { method: 'POST', path: `/operator/tenants/${name}/${action === 'SUSPEND_TENANT' ? 'suspend' : 'resume'}` }),
    record: () => ({ target: name, tenantId: id, metadata: {} }),
  });

/** Actions of the operator, who has no session, in the tenant's log. */
export const operatorScenarios: Scenarios = {
  async READ_TENANT(runner) {
    const { id, name } = await tenantOf(runner);
    await runner.act({
      action: 'READ_TENANT',
      by: runner.operator,
      path: `/operator/tenants/${name}`,
      record: () => ({ target: name, tenantId: id, metadata: {} }),
    });
  },
  async CREATE_TENANT(runner) {
    await tenantOf(runner);
    await tenantOf(runner, { email_domains: ['corp.example'] });
  },
  async UPDATE_TENANT(runner) {
    const { id, name } = await tenantOf(runner);
    const after = { email_domains: [`${name}.example`] };
    await runner.act({
      action: 'UPDATE_TENANT',
      by: runner.operator,
      method: 'PUT',
      path: `/operator/tenants/${name}`,
      body: after,
      record: () => ({ target: name, tenantId: id, metadata: { before: { email_domains: null }, after } }),
    });
  },
  async INVITE_ADMIN(runner) {
    const { id, name } = await tenantOf(runner);
    const email = `second@${name}.example`;
    await runner.act({
      action: 'INVITE_ADMIN',
      by: runner.operator,
      path: `/operator/tenants/${name}/invitations`,
      body: { admin_email: email },
      status: 201,
      record: () => ({ target: name, tenantId: id, metadata: { admin_email: email } }),
    });
  },
  SUSPEND_TENANT: async (runner) => await take(runner, 'SUSPEND_TENANT', await tenantOf(runner)),
  async RESUME_TENANT(runner) {
    const tenant = await tenantOf(runner);
    await take(runner, 'SUSPEND_TENANT', tenant);
    await take(runner, 'RESUME_TENANT', tenant);
  },
  async REQUEST_TENANT_REMOVAL(runner) {
    const tenant = await tenantOf(runner);
    await take(runner, 'SUSPEND_TENANT', tenant);
    await take(runner, 'REQUEST_TENANT_REMOVAL', tenant);
  },
  READ_KEYS: async ({ act, operator }) =>
    await act({ action: 'READ_KEYS', by: operator, path: '/operator/keys', record: () => ofKeys({}) }),
  async ROTATE_KEYS(runner) {
    const kid = await nextKid(runner);
    await runner.act({
      action: 'ROTATE_KEYS',
      by: runner.operator,
      method: 'POST',
      path: '/operator/keys/rotate',
      record: () => ofKeys({ kid, immediate: false }),
    });
  },
  async REVOKE_KEY(runner) {
    const kid = await nextKid(runner);
    await runner.act({
      action: 'REVOKE_KEY',
      by: runner.operator,
      method: 'POST',
      path: `/operator/keys/${kid}/revoke`,
      record: () => ({ target: kid, metadata: { kid }, isInEachTenant: true }),
    });
  },
};

const ofKeys = (metadata: ExpectedRecord['metadata']): ExpectedRecord => ({
  target: 'signing keys',
  metadata,
  isInEachTenant: true,
});

/** Returns the key that signs after the present one. */
async function nextKid({ hosts, operator }: ScenarioRunner): Promise<string> {
  const { body } = await send(`${hosts.api.url}/operator/keys`, { headers: operator.credential });
  return body.data.find(({ state }: { readonly state: string }) => state === 'next').kid;
}
