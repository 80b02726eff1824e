import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import { type IdentityProviderRequest, ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryAdministration,
  storedProvider,
  storedRole,
  storedUser,
  type TenantRows,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAccountTransactions } from './account-transactions.ts';
import {
  checkIssuer,
  createFindIdentityProvider,
  createPutIdentityProvider,
  createRemoveIdentityProvider,
} from './change-identity-provider.ts';

const caller = buildCaller('me', ['admin']);
const ISSUER = 'https://idp.example.com';
const request: IdentityProviderRequest = { issuer: ISSUER, client_id: 'sluice', client_secret: 'top secret' };
const noProvider = { ...request, issuer: 'https://other.example.com' };

function fixture(rows: Partial<TenantRows> = {}, issuerFails?: Error) {
  const users = [storedUser('me@example.com', ['admin'])];
  const memory = createInMemoryAdministration({ users, roles: [storedRole('admin', ['admin'])], ...rows });
  const calls: string[] = [];
  const within = {
    ...memory.administration,
    identityProvider: {
      ...memory.administration.identityProvider,
      remove: async () => {
        memory.rows.provider = undefined;
      },
    },
  } as Administration;
  const dependencies = {
    transactions: createAccountTransactions({
      administration: {
        change: (tenantId, work) => {
          calls.push('transaction');
          return memory.store.change(tenantId, () => work(within));
        },
      },
    }),
    oidc: {
      async checkIssuer(issuer: string) {
        calls.push(`check ${issuer}`);
        if (issuerFails !== undefined) throw issuerFails;
      },
    },
    box: createSecretBox({ current: new Uint8Array(32) }),
    administration: memory.store,
  };
  return {
    rows: memory.rows,
    calls,
    put: createPutIdentityProvider(dependencies),
    remove: createRemoveIdentityProvider(dependencies),
    find: createFindIdentityProvider(dependencies),
  };
}

describe('an identity provider', () => {
  it('is checked before the transaction, and its secret is stored sealed and recorded nowhere', async () => {
    const { put, rows, calls } = fixture();
    const stored = await put(caller, { request, version: undefined });
    expect(calls).toEqual([`check ${ISSUER}`, 'transaction']);
    expect(stored).toMatchObject({ issuer: ISSUER, version: 1, updatedBy: 'me@example.com' });
    expect(Buffer.from(stored.clientSecretSealed ?? []).includes('top secret')).toBe(false);
    expect(rows.records).toMatchObject([
      {
        action: 'UPDATE_IDENTITY_PROVIDER',
        target: ISSUER,
        metadata: { before: null, after: { issuer: ISSUER }, client_secret_changed: true },
      },
    ]);
    expect(JSON.stringify(rows.records)).not.toContain('top secret');
  });

  it('that is put again without a change keeps its version, and the request is recorded', async () => {
    const { put, rows } = fixture();
    await put(caller, { request, version: undefined });
    const { client_secret: _secret, ...same } = request;
    expect((await put(caller, { request: same, version: 1 })).version).toBe(1);
    expect(rows.records[1]?.metadata).toMatchObject({ client_secret_changed: false });
  });

  it('is rejected with every role of its mappings that does not exist', async () => {
    const { put, rows } = fixture({ roles: [storedRole('admin', ['admin']), storedRole('analyst')] });
    const mappings = [
      { value: 'a', roles: ['analyst', 'missing'] },
      { value: 'b', roles: ['gone'] },
    ];
    await expect(
      put(caller, { request: { ...request, role_mappings: mappings }, version: undefined }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { path: 'body.role_mappings[0].roles[1]', message: 'there is no role missing' },
        { path: 'body.role_mappings[1].roles[0]', message: 'there is no role gone' },
      ],
    });
    expect([rows.provider, rows.records]).toEqual([undefined, []]);
  });

  it.each([
    ['put', undefined, 'not_found'],
    ['put', storedProvider({ issuer: ISSUER }), 'precondition_failed'],
    ['remove', undefined, 'not_found'],
    ['remove', storedProvider({ issuer: ISSUER }), 'precondition_failed'],
  ] as const)('rejects a %s of a version that it has not: %#', async (name, provider, code) => {
    const made = fixture({ provider });
    const sent =
      name === 'put' ? made.put(caller, { request: noProvider, version: 9 }) : made.remove(caller, { version: 9 });
    await expect(sent).rejects.toMatchObject({ code });
    expect([made.rows.provider, made.rows.records]).toEqual([provider, []]);
  });

  it('is removed with a record of what it was', async () => {
    const { remove, rows } = fixture({ provider: storedProvider() });
    await remove(caller, { version: 1 });
    expect(rows.provider).toBeUndefined();
    expect(rows.records).toMatchObject([
      { action: 'DELETE_IDENTITY_PROVIDER', target: ISSUER, metadata: { before: { issuer: ISSUER }, after: null } },
    ]);
  });

  it('is read with a record of the read', async () => {
    const { find, rows } = fixture({ provider: storedProvider() });
    expect((await find(caller)).issuer).toBe(ISSUER);
    expect(rows.records).toMatchObject([{ action: 'READ_IDENTITY_PROVIDER', target: ISSUER }]);
    await expect(fixture().find(caller)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an issuer that cannot be used', () => {
  it('is reported at its path, before a transaction is opened', async () => {
    const { put, calls } = fixture({}, new ProblemError('invalid_request', 'has no metadata'));
    await expect(put(caller, { request, version: undefined })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The request is not valid: body.issuer: issuer has no metadata.',
      details: [{ path: 'body.issuer', message: 'issuer has no metadata' }],
    });
    expect(calls).toEqual([`check ${ISSUER}`]);
  });

  it('because it is down is reported as that', async () => {
    const down = new ProblemError('service_unavailable', 'down');
    const oidc = { checkIssuer: () => Promise.reject(down) };
    await expect(checkIssuer(oidc, ISSUER, 'body.issuer')).rejects.toBe(down);
  });
});
