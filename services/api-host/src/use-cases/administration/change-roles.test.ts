import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@sluice/contract';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAccountTransactions } from './account-transactions.ts';
import { createCreateRole, createRemoveRole, createUpdateRole } from './change-roles.ts';

const caller = {
  principal: { tenant: { id: 't', name: 'acme' }, kind: 'user', id: 'me', name: 'me@example.com' },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;

/** A tenant whose admin has the role admin. The role reader has version 1. */
function fixture(recordFails?: Error) {
  const users = [storedUser('admin@example.com', ['admin', 'reader'])];
  const roles = [
    storedRole('admin', ['admin']),
    { ...storedRole('reader', ['datamap:read', 'query:run']), user_count: 1 },
  ];
  const { rows, administration, store } = createInMemoryAdministration({ users, roles });
  const within = {
    ...administration,
    roles: {
      ...administration.roles,
      async remove(name: string) {
        rows.roles = rows.roles.filter((role) => role.name !== name);
        rows.users = rows.users.map((user) => ({ ...user, roles: user.roles.filter((role) => role !== name) }));
      },
    },
    record: async (record: never) => {
      if (recordFails !== undefined) throw recordFails;
      rows.records.push(record);
    },
  };
  const transactions = createAccountTransactions({
    administration: { change: (tenantId, work) => store.change(tenantId, () => work(within as never)) },
  });
  return {
    rows,
    create: createCreateRole({ transactions }),
    update: createUpdateRole({ transactions }),
    remove: createRemoveRole({ transactions }),
  };
}

const permissionsOf = ({ rows }: ReturnType<typeof fixture>, wanted: string) =>
  rows.roles.find(({ name }) => name === wanted)?.permissions;

describe('a role', () => {
  it('is created once, with a record', async () => {
    const { create, rows } = fixture();
    await create(caller, { name: 'auditor', permissions: ['audit:read'] });
    expect(rows.records).toMatchObject([
      { action: 'CREATE_ROLE', target: 'auditor', metadata: { before: null, after: ['audit:read'] } },
    ]);
    await expect(create(caller, { name: 'auditor', permissions: [] })).rejects.toMatchObject({ code: 'conflict' });
    expect(rows.records).toHaveLength(1);
  });

  it('keeps its version if a change has the same permissions in another order, and is recorded nevertheless', async () => {
    const { update, rows } = fixture();
    const same = await update(caller, { name: 'reader', permissions: ['query:run', 'datamap:read'], version: 1 });
    expect(same.version).toBe(1);
    const other = await update(caller, { name: 'reader', permissions: ['query:run'], version: 1 });
    expect(other.version).toBe(2);
    expect(rows.records.map(({ action, metadata }) => [action, metadata?.['after']])).toEqual([
      ['UPDATE_ROLE', ['query:run', 'datamap:read']],
      ['UPDATE_ROLE', ['query:run']],
    ]);
  });

  it('is removed from its accounts, whose number is recorded', async () => {
    const { remove, rows } = fixture();
    await remove(caller, { name: 'reader', version: 1 });
    expect(rows.users[0]?.roles).toEqual(['admin']);
    expect(rows.records).toMatchObject([
      { action: 'DELETE_ROLE', target: 'reader', metadata: { after: null, users: 1, service_accounts: 0 } },
    ]);
  });

  it('is neither changed nor removed if no admin would be left', async () => {
    const made = fixture();
    const target = { name: 'admin', version: undefined };
    await expect(made.update(caller, { ...target, permissions: [] })).rejects.toMatchObject({ code: 'conflict' });
    await expect(made.remove(caller, target)).rejects.toMatchObject({ code: 'conflict' });
    expect([permissionsOf(made, 'admin'), made.rows.records]).toEqual([['admin'], []]);
  });
});

describe.each(['update', 'remove'] as const)('%s', (name) => {
  const send = (made: ReturnType<typeof fixture>, target: { name: string; version: number }): Promise<unknown> =>
    name === 'remove' ? made.remove(caller, target) : made.update(caller, { ...target, permissions: ['query:run'] });

  it.each([
    [{ name: 'unknown', version: 1 }, 'not_found'],
    [{ name: 'reader', version: 2 }, 'precondition_failed'],
  ])('of %j is rejected and records nothing', async (target, code) => {
    const made = fixture();
    await expect(send(made, target)).rejects.toMatchObject({ code });
    expect(made.rows.records).toEqual([]);
  });

  it('fails and keeps the role if it cannot be recorded', async () => {
    const made = fixture(new Error('no audit'));
    await expect(send(made, { name: 'reader', version: 1 })).rejects.toThrow('no audit');
    expect(permissionsOf(made, 'reader')).toEqual(['datamap:read', 'query:run']);
  });
});
