import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ROLES, type TenantRecord } from '@sluice/contract';
import type { OperatorStore } from '@sluice/store/administration';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
  type TenantRows,
} from '../../../tests/administration/in-memory-administration.ts';
import {
  createCreateTenant,
  createInviteAdmin,
  createRequestTenantRemoval,
  createResumeTenant,
  createSetEmailDomains,
  createSuspendTenant,
} from './change-tenants.ts';

const operator = { address: '192.0.2.1', requestId: 'r' };
const SHOWN = { url: 'https://api.example.com/auth/invitation/acme?token=x', token: 'x', expires_ts: 1 };
const baseUrl = 'https://api.example.com';

interface Given {
  readonly rows?: Partial<TenantRows>;
  readonly state?: TenantRecord['state'];
  readonly recordFails?: Error;
}

/** The tenant acme, whose changes are rolled back when they throw. */
function fixture({ rows: initial, state = 'active', recordFails }: Given = {}) {
  const roles = [storedRole('admin', ['admin']), storedRole('analyst')];
  const { rows, administration, store } = createInMemoryAdministration({ roles, ...initial });
  let tenant = { id: 't', name: 'acme', state, email_domains: null } as unknown as TenantRecord;
  const steps: string[] = [];
  const invited: { userId: string | null; roles: readonly string[] }[] = [];
  const hold = {
    administration: {
      ...administration,
      invitations: {
        insert: async (invitation: (typeof invited)[number]) => void invited.push(invitation),
        removeOf: async (userId: string | null) => {
          for (const [index, each] of [...invited.entries()].reverse())
            if (each.userId === userId) invited.splice(index, 1);
        },
      },
      record: async (record: never) => {
        if (recordFails !== undefined) throw recordFails;
        rows.records.push(record);
      },
    },
    apply: async (step: string) => {
      steps.push(step);
      return { ...tenant, state: step === 'resume' ? 'active' : 'suspended' };
    },
    setEmailDomains: async (domains: readonly string[] | null) => {
      rows.emailDomains = [...(domains ?? [])];
      tenant = { ...tenant, email_domains: domains } as TenantRecord;
      return tenant;
    },
  };
  const run = (work: (found: TenantRecord, held: never) => Promise<unknown>) =>
    store.change('t', () => work(tenant, hold as never));
  const port = {
    create: (_name: string, work: never) => run(work),
    change: async (name: string, work: never) => (name === 'acme' ? run(work) : undefined),
  } as unknown as OperatorStore;
  const makeInvitation = () => ({ shown: SHOWN, stored: { tokenHash: new Uint8Array(32), expires: new Date(1) } });
  const dependencies = { operator: port, makeInvitation };
  return {
    rows,
    steps,
    invited,
    create: createCreateTenant(dependencies),
    invite: createInviteAdmin(dependencies),
    setEmailDomains: createSetEmailDomains(dependencies),
    suspend: createSuspendTenant(dependencies),
    resume: createResumeTenant(dependencies),
    remove: createRequestTenantRemoval(dependencies),
  };
}

const input = { tenantName: 'acme', adminEmail: 'ann@example.com', baseUrl };

describe('a new tenant', () => {
  it('has its e-mail domains before its admin is invited, and one record without the token', async () => {
    const { create, rows, invited } = fixture();
    const { invitation } = await create(operator, { ...input, emailDomains: ['example.com'] });
    expect(invitation).toBe(SHOWN);
    expect(rows.users).toMatchObject([{ email: 'ann@example.com', roles: ['admin'], has_password: false }]);
    expect(invited).toMatchObject([{ userId: rows.users[0]?.id, roles: [] }]);
    expect(rows.records).toMatchObject([
      {
        action: 'CREATE_TENANT',
        user: 'operator',
        target: 'acme',
        metadata: { admin_email: 'ann@example.com', email_domains: ['example.com'] },
        requestId: 'r',
      },
    ]);
    expect(JSON.stringify(rows.records)).not.toContain('token');
  });

  it('is rejected if its domains forbid its admin, with the field', async () => {
    const { create, rows } = fixture();
    await expect(create(operator, { ...input, emailDomains: ['other.example'] })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.admin_email' }],
    });
    expect([rows.users, rows.records]).toEqual([[], []]);
  });
});

describe('an invitation of an admin', () => {
  it('without an e-mail has the role, and replaces the earlier one', async () => {
    const { invite, invited, rows } = fixture();
    for (let times = 0; times < 2; times += 1) await invite(operator, { ...input, adminEmail: undefined });
    expect(invited).toMatchObject([{ userId: null, roles: ['admin'] }]);
    expect(rows.records.map(({ action, metadata }) => [action, metadata])).toEqual([
      ['INVITE_ADMIN', {}],
      ['INVITE_ADMIN', {}],
    ]);
  });

  it('enables an existing user, who keeps the other roles', async () => {
    const users = [storedUser('ann@example.com', ['analyst'], { disabled: true })];
    const { invite, rows } = fixture({ rows: { users } });
    await invite(operator, input);
    expect(rows.users).toMatchObject([{ roles: ['analyst', 'admin'], disabled: false }]);
  });

  it.each([
    ['the role that may administer, if admin may not', [storedRole('admin'), storedRole('root', ['admin'])], 'root'],
    ['the default role, which is restored if none may administer', [storedRole('admin')], 'admin'],
    ['the default role, which is created again', [], 'admin'],
  ])('gives %s', async (_name, roles, role) => {
    const { invite, rows } = fixture({ rows: { roles } });
    await invite(operator, input);
    expect(rows.users[0]?.roles).toEqual([role]);
    const { permissions } = rows.roles.find(({ name }) => name === role) ?? {};
    expect(permissions).toEqual(role === 'root' ? ['admin'] : DEFAULT_ROLES['admin']);
  });
});

describe('the state of a tenant', () => {
  it.each([
    ['suspend', 'suspend', 'SUSPEND_TENANT', 'active'],
    ['resume', 'resume', 'RESUME_TENANT', 'suspended'],
    ['remove', 'request removal', 'REQUEST_TENANT_REMOVAL', 'suspended'],
  ] as const)('%s is applied and recorded', async (name, step, action, state) => {
    const { rows, steps, ...made } = fixture({ state });
    await made[name](operator, 'acme');
    expect([steps, rows.records.map((record) => record.action)]).toEqual([[step], [action]]);
  });

  it('is not removed before it is suspended', async () => {
    const { remove, steps, rows } = fixture();
    await expect(remove(operator, 'acme')).rejects.toMatchObject({ code: 'conflict' });
    expect([steps, rows.records]).toEqual([[], []]);
  });
});

it('records the e-mail domains before and after a change', async () => {
  const { setEmailDomains, rows } = fixture();
  await setEmailDomains(operator, { tenantName: 'acme', emailDomains: ['example.com'] });
  expect(rows.records).toMatchObject([
    {
      action: 'UPDATE_TENANT',
      metadata: { before: { email_domains: null }, after: { email_domains: ['example.com'] } },
    },
  ]);
});

describe.each(['invite', 'setEmailDomains', 'suspend', 'resume', 'remove'] as const)('%s', (name) => {
  const send = (made: ReturnType<typeof fixture>, tenantName: string): Promise<unknown> => {
    if (name === 'invite') return made.invite(operator, { ...input, tenantName });
    if (name === 'setEmailDomains') return made.setEmailDomains(operator, { tenantName, emailDomains: null });
    return made[name](operator, tenantName);
  };

  it('of an unknown tenant is not_found', async () => {
    await expect(send(fixture(), 'globex')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('fails and changes no account if it cannot be recorded', async () => {
    const made = fixture({ state: 'suspended', recordFails: new Error('no audit') });
    await expect(send(made, 'acme')).rejects.toThrow('no audit');
    expect(made.rows.users).toEqual([]);
  });
});
