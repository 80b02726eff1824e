import { describe, expect, it } from '@jest/globals';
import type { Administration, AdministrationStore } from '@sluice/store/administration';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import {
  createFindRole,
  createFindRoles,
  createFindServiceAccount,
  createFindServiceAccounts,
  createFindUser,
  createFindUsers,
} from './find-accounts.ts';

const caller = buildCaller('me', ['admin']);
const ann = storedUser('ann@example.com');

function fixture(auditFails?: Error) {
  const { rows, administration } = createInMemoryAdministration({ users: [ann], roles: [storedRole('analyst')] });
  const pages: object[] = [];
  const list = async (page: object) => {
    pages.push(page);
    return { total: 0, data: [] };
  };
  const within = {
    ...administration,
    users: { ...administration.users, list },
    clients: { ...administration.clients, list },
    record: async (record: never) => {
      if (auditFails !== undefined) throw auditFails;
      rows.records.push(record);
    },
  } as unknown as Administration;
  const dependencies = {
    administration: { read: (_tenantId, work) => work(within) } satisfies Pick<AdministrationStore, 'read'>,
  };
  return {
    rows,
    pages,
    users: createFindUsers(dependencies),
    user: createFindUser(dependencies),
    roles: createFindRoles(dependencies),
    role: createFindRole(dependencies),
    clients: createFindServiceAccounts(dependencies),
    client: createFindServiceAccount(dependencies),
  };
}

describe('reads of accounts and roles', () => {
  it('list 100 by default, and record the page and its filters', async () => {
    const { users, clients, roles, pages, rows } = fixture();
    await users(caller, { email: 'ann' } as never);
    await clients(caller, { from: 10, size: 5 });
    expect((await roles(caller)).map(({ name }) => name)).toEqual(['analyst']);
    expect(pages).toEqual([
      { email: 'ann', from: 0, size: 100 },
      { from: 10, size: 5 },
    ]);
    expect(rows.records).toMatchObject([
      { action: 'READ_USERS', target: 'users', metadata: pages[0] },
      { action: 'READ_SERVICE_ACCOUNTS', target: 'service_accounts', metadata: pages[1] },
      { action: 'READ_ROLES', target: 'roles' },
    ]);
  });

  it('record the name of a single one', async () => {
    const { user, role, client, rows } = fixture();
    const { id } = await createInMemoryAdministration()
      .administration.clients.insert({
        clientId: 'etl',
        roles: [],
        secretHash: 'h',
        by: 'me',
      })
      .then((stored) => {
        if (stored === undefined) throw new Error('not stored');
        rows.clients.push(stored);
        return stored;
      });
    await user(caller, ann.id);
    await role(caller, 'analyst');
    await client(caller, id);
    expect(rows.records).toMatchObject([
      { action: 'READ_USERS', target: 'ann@example.com', metadata: { user_id: ann.id } },
      { action: 'READ_ROLES', target: 'analyst' },
      { action: 'READ_SERVICE_ACCOUNTS', target: 'etl', metadata: { account_id: id } },
    ]);
  });

  it.each(['user', 'role', 'client'] as const)('report an unknown %s as not_found and record nothing', async (what) => {
    const made = fixture();
    await expect(made[what](caller, 'unknown')).rejects.toMatchObject({ code: 'not_found' });
    expect(made.rows.records).toEqual([]);
  });

  it('return nothing that they cannot record', async () => {
    const { users, user } = fixture(new Error('no audit'));
    await expect(users(caller, {})).rejects.toThrow('no audit');
    await expect(user(caller, ann.id)).rejects.toThrow('no audit');
  });
});
