import { describe, expect, it } from '@jest/globals';
import { ProblemError, type Tenant } from '@sluice/contract';
import { createCredentialVerifier } from './credential-verifier.ts';
import type { AccountStatus, SessionStatus } from './ports.ts';
import type { SecretAttempt } from './secret-attempt.ts';

const ACME: Tenant = { id: 't1', name: 'acme', state: 'active', settings: {} };
const ANN: AccountStatus = {
  kind: 'user',
  id: 'id of ann',
  name: 'ann@example.com',
  disabled: false,
  roles: ['analyst'],
  permissions: ['query:run'],
};
const CONTEXT = {
  accepted: ['basic', 'bearer'],
  tenant: ACME,
  origin: { address: '192.0.2.1', requestId: 'r' },
} as const;

const create = (status: Partial<SessionStatus> | undefined, tenantNameDefault?: string) => {
  const attempts: SecretAttempt[] = [];
  const uses: string[] = [];
  const live: SessionStatus = { tenant: ACME, account: ANN, sessionLive: true, keyRevoked: false };
  const verifier = createCredentialVerifier({
    tokens: {
      async verify(_token, use) {
        uses.push(use);
        return { tenantName: 'acme', accountId: ANN.id, sessionId: 'session', keyId: 'k1' };
      },
    },
    authStatus: { ofSession: async () => status && { ...live, ...status } },
    secrets: {
      async verify(attempt) {
        attempts.push(attempt);
        return { tenant: ACME, account: ANN, secretHash: 'hash', secretId: 's1' };
      },
    },
    tenantNameDefault,
  });
  return { verifier, attempts, uses };
};

describe('createCredentialVerifier', () => {
  it('returns the account of a token with its present roles and permissions', async () => {
    const { verifier, uses } = create({});
    expect(await verifier.verify({ kind: 'bearer', token: 'x' }, CONTEXT)).toMatchObject({
      tenant: ACME,
      id: 'id of ann',
      name: 'ann@example.com',
      roles: ['analyst'],
      permissions: new Set(['query:run']),
      sessionId: 'session',
    });
    await verifier.verify({ kind: 'idtoken', token: 'x' }, CONTEXT);
    expect(uses).toEqual(['access', 'id']);
  });

  it.each<readonly [string, Partial<SessionStatus> | undefined]>([
    ['the tenant is unknown', undefined],
    ['the account is unknown', { account: undefined }],
    ['the account is disabled', { account: { ...ANN, disabled: true } }],
    ['the session has ended', { sessionLive: false }],
    ['the key is revoked', { keyRevoked: true }],
  ])('rejects a token if %s', async (_name, status) => {
    const verified = create(status).verifier.verify({ kind: 'bearer', token: 'x' }, CONTEXT);
    await expect(verified).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('has ended'),
    });
  });

  it('rejects a token of another tenant than the address', async () => {
    const tenant = { ...ACME, name: 'globex' };
    const verified = create({}).verifier.verify({ kind: 'bearer', token: 'x' }, { ...CONTEXT, tenant });
    await expect(verified).rejects.toThrow('another tenant');
  });

  it('verifies Basic in the tenant of the address, else in the default tenant, else not at all', async () => {
    const basic = { kind: 'basic', name: 'ann', secret: 'secret' } as const;
    const { verifier, attempts } = create({}, 'fallback');
    expect(await verifier.verify(basic, CONTEXT)).toMatchObject({ id: 'id of ann', secretId: 's1' });
    await verifier.verify(basic, { ...CONTEXT, tenant: undefined });
    expect(attempts.map(({ tenantName, method }) => [tenantName, method])).toEqual([
      ['acme', 'basic'],
      ['fallback', 'basic'],
    ]);
    const without = create({}).verifier.verify(basic, { ...CONTEXT, tenant: undefined });
    await expect(without).rejects.toBeInstanceOf(ProblemError);
    await expect(without).rejects.toThrow('names no tenant');
  });
});
