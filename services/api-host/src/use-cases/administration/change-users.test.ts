import { describe, expect, it } from '@jest/globals';
import type { Caller, Permission } from '@sluice/contract';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAccountTransactions } from './account-transactions.ts';
import { createCreateUser, createRemoveUser, createResetPassword, createUpdateUser } from './change-users.ts';

const caller = {
  principal: { tenant: { id: 't', name: 'acme' }, kind: 'user', id: 'me', name: 'me@example.com' },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;
const admin = storedUser('admin@example.com', ['admin']);
const ann = storedUser('ann@example.com', ['analyst'], { version: 3 });
const SHOWN = { url: 'https://api.example.com/auth/invitation/acme?token=x', token: 'x', expires_ts: 1 };

interface Given {
  readonly recordFails?: Error;
}

/** A tenant with an admin and an analyst. Calls outside the transaction are in `prepared`. */
function fixture({ recordFails }: Given = {}) {
  const roles = [storedRole('admin', ['admin'] as Permission[]), storedRole('analyst')];
  const { rows, administration, store } = createInMemoryAdministration({ users: [admin, ann], roles });
  const prepared: string[] = [];
  const passwords = new Map<string, string | null>();
  const within = {
    ...administration,
    users: {
      ...administration.users,
      setPassword: async (id: string, { passwordHash }: { passwordHash: string | null }) =>
        void passwords.set(id, passwordHash),
      remove: async ({ id }: { id: string }) => {
        rows.users = rows.users.filter((user) => user.id !== id);
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
  const dependencies = {
    transactions,
    passwords: {
      async hash(password: string) {
        prepared.push('hash');
        return `hash of ${password}`;
      },
    },
    makeInvitation: () => {
      prepared.push('invite');
      return { shown: SHOWN, stored: { tokenHash: new Uint8Array(32), expires: new Date(1) } };
    },
  };
  return {
    rows,
    prepared,
    passwords,
    create: createCreateUser(dependencies),
    update: createUpdateUser(dependencies),
    resetPassword: createResetPassword(dependencies),
    remove: createRemoveUser(dependencies),
  };
}

const baseUrl = 'https://api.example.com';
const bob = { email: 'bob@example.com', roles: ['analyst'], baseUrl };
const target = { id: ann.id, version: 3 };

describe('a new user', () => {
  it('with a password has no invitation, and its record has neither', async () => {
    const { create, rows, prepared } = fixture();
    const { user, invitation } = await create(caller, { ...bob, password: 'secret' });
    expect([user.has_password, invitation, rows.invited, prepared]).toEqual([true, null, [], ['hash']]);
    expect(rows.records).toMatchObject([
      { action: 'CREATE_USER', user: 'me@example.com', target: bob.email, metadata: { before: null } },
    ]);
    expect(rows.records[0]?.metadata).not.toHaveProperty('invited');
    expect(JSON.stringify(rows.records)).not.toContain('secret');
  });

  it('without a password is invited, and the record says so without the token', async () => {
    const { create, rows } = fixture();
    const { user, invitation } = await create(caller, { ...bob, password: undefined });
    expect([invitation, rows.invited]).toEqual([SHOWN, [user.id]]);
    expect(rows.records).toMatchObject([{ metadata: { invited: true } }]);
    expect(JSON.stringify(rows.records)).not.toContain('token=x');
  });

  it.each([
    [{ email: ann.email }, 'conflict'],
    [{ roles: ['analyst', 'missing'] }, 'invalid_request'],
  ])('is rejected for %j, and nothing is left', async (change, code) => {
    const { create, rows } = fixture();
    await expect(create(caller, { ...bob, ...change, password: undefined })).rejects.toMatchObject({ code });
    expect([rows.users.length, rows.invited, rows.records]).toEqual([2, [], []]);
  });
});

describe('a change of a user', () => {
  it('is recorded with the state before and after, also if it changes nothing', async () => {
    const { update, rows } = fixture();
    await update(caller, { target, change: { disabled: true } });
    await update(caller, { target: { id: ann.id, version: undefined }, change: { roles: ['analyst'] } });
    const disabled = { roles: ['analyst'], disabled: true };
    expect(rows.records).toMatchObject([
      { action: 'UPDATE_USER', metadata: { before: { disabled: false }, after: disabled } },
      { action: 'UPDATE_USER', metadata: { before: disabled, after: disabled } },
    ]);
    expect(rows.users.find(({ id }) => id === ann.id)?.version).toBe(4);
  });

  it('is rejected if it would leave the tenant without an admin, and nothing is recorded', async () => {
    const { update, remove, rows } = fixture();
    const ofAdmin = { id: admin.id, version: undefined };
    for (const attempt of [
      () => update(caller, { target: ofAdmin, change: { disabled: true } }),
      () => update(caller, { target: ofAdmin, change: { roles: ['analyst'] } }),
      () => remove(caller, ofAdmin),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'conflict' });
    expect([rows.users.length, rows.records]).toEqual([2, []]);
  });
});

describe('a new password', () => {
  it('ends open invitations; an invitation instead removes the password', async () => {
    const { resetPassword, rows, passwords } = fixture();
    rows.invited = [ann.id];
    await resetPassword(caller, { target, password: 'secret', baseUrl });
    expect([passwords.get(ann.id), rows.invited]).toEqual(['hash of secret', []]);
    expect((await resetPassword(caller, { target, password: undefined, baseUrl })).invitation).toBe(SHOWN);
    expect([passwords.get(ann.id), rows.invited]).toEqual([null, [ann.id]]);
    expect(rows.records.map(({ action, metadata }) => [action, metadata?.['invited']])).toEqual([
      ['RESET_PASSWORD', false],
      ['RESET_PASSWORD', true],
    ]);
  });
});

describe.each(['update', 'resetPassword', 'remove'] as const)('%s', (name) => {
  const send = (made: ReturnType<typeof fixture>, wanted: { id: string; version: number | undefined }) => {
    if (name === 'remove') return made.remove(caller, wanted);
    if (name === 'update') return made.update(caller, { target: wanted, change: { disabled: true } });
    return made.resetPassword(caller, { target: wanted, password: 'secret', baseUrl });
  };

  it.each([
    [{ id: 'unknown', version: undefined }, 'not_found'],
    [{ id: ann.id, version: 2 }, 'precondition_failed'],
  ])('of %j is rejected and records nothing', async (wanted, code) => {
    const made = fixture();
    await expect(send(made, wanted)).rejects.toMatchObject({ code });
    expect(made.rows.records).toEqual([]);
  });

  it('fails and changes no account if it cannot be recorded', async () => {
    const made = fixture({ recordFails: new Error('no audit') });
    await expect(send(made, target)).rejects.toThrow('no audit');
    expect(made.rows.users).toEqual([admin, ann]);
  });
});
