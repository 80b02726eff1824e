import { describe, expect, it } from '@jest/globals';
import type { CallerReference, Tenant } from '@sluice/contract';
import type { AccountStatus, SessionStatus } from './ports.ts';
import { createRevalidateCaller } from './revalidate-caller.ts';

const ACME: Tenant = { id: 't1', name: 'acme', state: 'active', settings: {} };
const ANN: AccountStatus = {
  kind: 'user',
  id: 'id of ann',
  name: 'ann@example.com',
  disabled: false,
  roles: ['analyst'],
  permissions: ['query:run'],
};
const LIVE: SessionStatus = { tenant: ACME, account: ANN, sessionLive: true, keyRevoked: false };
const caller: CallerReference = { tenantName: 'acme', accountKind: 'user', accountId: ANN.id, sessionId: 'session' };

const revalidate = (status: SessionStatus | undefined, reference = caller) =>
  createRevalidateCaller({ ofCaller: async () => status })(reference, '192.0.2.1');

describe('createRevalidateCaller', () => {
  it('returns the caller with present roles and permissions, and the credential of before', async () => {
    expect(await revalidate(LIVE)).toMatchObject({
      tenant: ACME,
      id: ANN.id,
      roles: ['analyst'],
      permissions: new Set(['query:run']),
      sessionId: 'session',
    });
    const { sessionId: _sessionId, ...reference } = caller;
    const basic = await revalidate(LIVE, { ...reference, secretId: 'secret' });
    expect([basic?.secretId, basic !== undefined && 'sessionId' in basic]).toEqual(['secret', false]);
  });

  it.each<readonly [string, SessionStatus | undefined]>([
    ['an unknown tenant', undefined],
    ['a removed account', { ...LIVE, account: undefined }],
    ['a disabled account', { ...LIVE, account: { ...ANN, disabled: true } }],
    ['an ended session, or a changed password', { ...LIVE, sessionLive: false }],
    ['a revoked key', { ...LIVE, keyRevoked: true }],
  ])('returns undefined for %s', async (_what, status) => {
    expect(await revalidate(status)).toBeUndefined();
  });

  it('returns the caller of a suspended tenant, whose rejection is recorded', async () => {
    const tenant: Tenant = { ...ACME, state: 'suspended' };
    expect((await revalidate({ ...LIVE, tenant }))?.tenant).toBe(tenant);
  });

  it('returns the caller whose networks exclude the address, whose rejection is recorded', async () => {
    const account = { ...ANN, allowedNetworks: ['203.0.113.0/24'] };
    expect((await revalidate({ ...LIVE, account }))?.refusedAddress).toBe('192.0.2.1');
  });

  it('fails when the status cannot be read', async () => {
    const failing = createRevalidateCaller({ ofCaller: () => Promise.reject(new Error('no database')) });
    await expect(failing(caller, '192.0.2.1')).rejects.toThrow('no database');
  });
});
