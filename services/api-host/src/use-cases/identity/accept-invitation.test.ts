import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import type { AcceptInvitationRequest } from '@sluice/contract';
import type { OpenInvitation } from '@sluice/store/administration';
import type { Actor, ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAcceptInvitation, createFindInvitation } from './accept-invitation.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const ann = storedUser('ann@example.com', [], { has_password: false });
const OF_ANN = { email: ann.email, userId: ann.id, roles: [], by: 'admin' } as unknown as OpenInvitation;
const OF_ANYONE = { email: null, userId: null, roles: ['admin', 'gone'], by: 'operator' } as unknown as OpenInvitation;

interface Given {
  readonly invitation?: OpenInvitation;
  /** Called while the password is hashed, before the transaction. */
  readonly onHash?: (open: Map<string, OpenInvitation>) => void;
  readonly recordFails?: Error;
}

/** One open invitation, whose token is `token`. */
function fixture({ invitation = OF_ANN, onHash, recordFails }: Given = {}) {
  const { rows, open: openIn, database } = createInMemoryAdministration({ users: [ann], roles: [storedRole('admin')] });
  const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
  const open = new Map([[keyOf(hashOpaqueToken('token')), invitation]]);
  const passwords = new Map<string, string | null>();
  const calls: string[] = [];
  const within = (tx: TenantTransaction) => ({
    ...tx,
    users: {
      ...tx.users,
      setPassword: async (id: string, { passwordHash }: { passwordHash: string | null }) =>
        void passwords.set(id, passwordHash),
    },
    invitations: {
      find: async (hash: Uint8Array) => open.get(keyOf(hash)),
      remove: async (hash: Uint8Array) => void open.delete(keyOf(hash)),
    },
    async record(...record: Parameters<TenantTransaction['record']>) {
      if (recordFails !== undefined) throw recordFails;
      await tx.record(...record);
    },
  });
  const port = {
    read: (by: Actor, work: (found: unknown) => unknown) => work(within(openIn(by))),
    change: (by: Actor, work: (found: never) => Promise<unknown>) =>
      database.change(by, (tx) => {
        calls.push('transaction');
        return work(within(tx) as never);
      }),
  } as unknown as ResourceDatabase;
  const accept = createAcceptInvitation({
    database: port,
    passwords: {
      async hash(password) {
        calls.push('hash');
        onHash?.(open);
        return `hash of ${password}`;
      },
    },
    findInvitation: createFindInvitation({ database: port }),
  });
  const send = (change: Partial<AcceptInvitationRequest> = {}) =>
    accept(caller, { token: 'token', password: 'secret', ...change } as AcceptInvitationRequest);
  return { rows, open, passwords, calls, send };
}

describe('an invitation of a user', () => {
  it('sets the password, is used up, and is recorded with the inviter', async () => {
    const { send, rows, open, passwords } = fixture();
    expect(await send()).toBe(ann.email);
    expect([...passwords]).toEqual([[ann.id, 'hash of secret']]);
    expect(open.size).toBe(0);
    expect(rows.records).toMatchObject([
      {
        action: 'ACCEPT_INVITATION',
        user: ann.email,
        target: ann.email,
        metadata: { user_id: ann.id, invited_by: 'admin' },
      },
    ]);
    await expect(send()).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [{ token: 'other' }, 'not_found'],
    [{ email: 'eve@example.com' }, 'invalid_request'],
  ])('hashes no password, because that is slow, for the request %j', async (change, code) => {
    const { send, calls } = fixture();
    await expect(send(change)).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  it('is rejected if another request used it while the password was hashed', async () => {
    const { send, calls, passwords } = fixture({ onHash: (open) => open.clear() });
    await expect(send()).rejects.toMatchObject({ code: 'not_found' });
    expect([calls, passwords.size]).toEqual([['hash', 'transaction'], 0]);
  });

  it('fails if it cannot be recorded', async () => {
    await expect(fixture({ recordFails: new Error('no audit') }).send()).rejects.toThrow('no audit');
  });
});

describe('an invitation without an e-mail', () => {
  it('creates the user with those of its roles that still exist', async () => {
    const { send, rows } = fixture({ invitation: OF_ANYONE });
    expect(await send({ email: 'bob@example.com' })).toBe('bob@example.com');
    expect(rows.users.at(-1)).toMatchObject({ email: 'bob@example.com', roles: ['admin'], has_password: true });
  });

  it.each([
    [undefined, 'invalid_request'],
    [ann.email, 'conflict'],
  ])('with the e-mail %s is rejected with %s, and creates no user', async (email, code) => {
    const { send, rows } = fixture({ invitation: OF_ANYONE });
    await expect(send(email === undefined ? {} : { email })).rejects.toMatchObject({ code });
    expect([rows.users.length, rows.records]).toEqual([1, []]);
  });
});
