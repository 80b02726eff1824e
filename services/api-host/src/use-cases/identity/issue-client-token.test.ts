import { describe, expect, it } from '@jest/globals';
import { ProblemError, type Scope } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import type { AuthenticatedClient } from './authenticate-client.ts';
import { createIssueClientToken } from './issue-client-token.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const { signal } = new AbortController();
const credential = { method: 'client_secret', clientId: 'etl', clientSecret: 'secret' } as const;
const account = {
  kind: 'client',
  id: 'c',
  name: 'etl',
  roles: ['service'],
  permissions: ['query:run'],
  disabled: false,
} as const;
const BY_SECRET: AuthenticatedClient = { method: 'client_secret', account, secretHash: 'hash' };

function fixture(client: AuthenticatedClient | ProblemError = BY_SECRET) {
  const attempts: unknown[] = [];
  const sessions: Record<string, unknown>[] = [];
  const issue = createIssueClientToken({
    authenticateClient: async (_caller, attempt) => {
      attempts.push(attempt);
      if (client instanceof ProblemError) throw client;
      return client;
    },
    sessions: { create: async (session: object) => void sessions.push({ ...session }) } as never,
    signer: { keyId: () => 'k', lifetimeSeconds: () => 300, sign: async (kind: string) => `${kind} token` } as never,
    tokenLifetimeMs: 300_000,
    sessionsMax: 4,
    now: () => 1_000_000,
  });
  return { attempts, sessions, issue: (scope?: Scope) => issue(caller, { credential, scope, signal }) };
}

describe('client credentials', () => {
  it('get an access token without a refresh token, whose session outlives it by an hour', async () => {
    const { attempts, sessions, issue } = fixture();
    expect(await issue()).toEqual({
      token: { access_token: 'access token', token_type: 'Bearer', expires_in: 300 },
      clientId: 'etl',
    });
    expect(attempts).toEqual([{ credential, signal }]);
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

  it('get a session that ends with their secret', async () => {
    const { sessions, issue } = fixture({ ...BY_SECRET, endsMs: 1_000_001 });
    await issue();
    expect(sessions).toMatchObject([{ expires: new Date(1_000_001) }]);
  });

  it('get a session within the requested scope', async () => {
    const { sessions, issue } = fixture();
    expect((await issue(['query:run'])).token.scope).toBe('query:run');
    expect(sessions).toMatchObject([{ scope: ['query:run'], audit: { metadata: { scope: ['query:run'] } } }]);
  });

  it('get no session for a scope that they do not have', async () => {
    const { sessions, issue } = fixture();
    await expect(issue(['query:run', 'admin'])).rejects.toMatchObject({ code: 'invalid_scope' });
    expect(sessions).toEqual([]);
  });

  it('that are wrong get no session', async () => {
    const { sessions, issue } = fixture(new ProblemError('unauthorized', 'Wrong.'));
    await expect(issue()).rejects.toThrow('Wrong.');
    expect(sessions).toEqual([]);
  });
});
