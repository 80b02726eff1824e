import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createIssueClientToken } from './issue-client-token.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const { signal } = new AbortController();
const input = { clientId: 'etl', clientSecret: 'secret', signal };

function fixture(rejected?: ProblemError) {
  const attempts: unknown[] = [];
  const sessions: Record<string, unknown>[] = [];
  const issue = createIssueClientToken({
    secrets: {
      verify: async (attempt: unknown) => {
        attempts.push(attempt);
        if (rejected !== undefined) throw rejected;
        return { account: { kind: 'client', id: 'c', name: 'etl', roles: ['service'] }, secretHash: 'hash' };
      },
    } as never,
    sessions: { create: async (session: object) => void sessions.push({ ...session }) } as never,
    signer: { keyId: () => 'k', lifetimeSeconds: () => 300, sign: async (kind: string) => `${kind} token` } as never,
    tokenLifetimeMs: 300_000,
    sessionsMax: 4,
    now: () => 1_000_000,
  });
  return { attempts, sessions, issue: () => issue(caller, input) };
}

describe('client credentials', () => {
  it('get an access token without a refresh token, whose session outlives it by an hour', async () => {
    const { attempts, sessions, issue } = fixture();
    expect(await issue()).toEqual({ access_token: 'access token', token_type: 'Bearer', expires_in: 300 });
    expect(attempts).toMatchObject([
      { tenantName: 'acme', method: 'client_secret', name: 'etl', secret: 'secret', signal },
    ]);
    expect(sessions).toMatchObject([
      {
        tenantId: 't',
        expires: new Date(1_000_000 + 300_000 + 3_600_000),
        secretHash: 'hash',
        sessionsMax: 4,
        audit: { action: 'ISSUE_TOKEN', metadata: { grant: 'client_credentials' } },
      },
    ]);
  });

  it('get a session of their own each time, so that each token can be revoked', async () => {
    const { sessions, issue } = fixture();
    await issue();
    await issue();
    expect(sessions[0]?.['sid']).not.toBe(sessions[1]?.['sid']);
  });

  it('that are wrong get no session', async () => {
    const { sessions, issue } = fixture(new ProblemError('unauthorized', 'Wrong.'));
    await expect(issue()).rejects.toThrow('Wrong.');
    expect(sessions).toEqual([]);
  });
});
