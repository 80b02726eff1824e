import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createChangePassword } from './change-password.ts';

const ann = buildCaller('ann');
const caller = { ...ann, principal: { ...ann.principal, sessionId: 's' } };
const { signal } = new AbortController();
const origin = { requestId: 'r', address: '192.0.2.1' };
const input = { currentPassword: 'current', newPassword: 'next', origin, signal };

interface Given {
  readonly rejected?: ProblemError;
  /** Hash that the user has when the transaction begins. */
  readonly storedHash?: string;
}

function fixture({ rejected, storedHash = 'verified' }: Given = {}) {
  const attempts: unknown[] = [];
  const changes: unknown[] = [];
  const tx = {
    by: 'ann@example.com',
    users: {
      find: async () => ({ has_password: true }),
      replacePassword: async (id: string, to: { verifiedHash: string }) => {
        if (to.verifiedHash !== storedHash) return false;
        changes.push([id, to]);
        return true;
      },
    },
    sessions: {
      endOthers: async (...ended: unknown[]) => {
        changes.push(ended);
        return ['other'];
      },
    },
    record: async (...record: unknown[]) => void changes.push(record),
  };
  const run = (_by: unknown, work: (within: never) => Promise<unknown>) => work(tx as never);
  const change = createChangePassword({
    database: { read: run, change: run } as never,
    secrets: {
      verify: async (attempt: unknown) => {
        attempts.push(attempt);
        if (rejected !== undefined) throw rejected;
        return { secretHash: 'verified' };
      },
    } as never,
    passwords: { hash: async (password) => `hash of ${password}` },
  });
  return { attempts, changes, change: () => change(caller, input) };
}

describe('a change of a password by its user', () => {
  it('verifies the current one as an attempt of this session, and keeps only this session', async () => {
    const { attempts, changes, change } = fixture();
    await change();
    expect(attempts).toEqual([
      {
        tenantName: 'acme',
        method: 'password_change',
        name: 'ann@example.com',
        secret: 'current',
        origin,
        session: { sessionId: 's', accountId: 'ann' },
        signal,
      },
    ]);
    expect(changes).toEqual([
      ['ann', { verifiedHash: 'verified', passwordHash: 'hash of next', by: 'ann@example.com' }],
      [{ kind: 'user', id: 'ann' }, 's', 'password changed'],
      ['CHANGE_PASSWORD', 'ann@example.com', { user_id: 'ann', ended_sessions: 1 }],
    ]);
  });

  it('is rejected, and ends no session, when the password was reset while the new one was hashed', async () => {
    const { changes, change } = fixture({ storedHash: 'reset meanwhile' });
    await expect(change()).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.current_password' }],
    });
    expect(changes).toEqual([]);
  });

  it('passes on that it is throttled', async () => {
    const { changes, change } = fixture({ rejected: new ProblemError('too_many_requests', 'Try again in 5 s.') });
    await expect(change()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(changes).toEqual([]);
  });
});
