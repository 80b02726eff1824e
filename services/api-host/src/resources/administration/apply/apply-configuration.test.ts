import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import type { Caller, Configuration } from '@sluice/contract';
import {
  createInMemoryAdministration,
  storedProvider,
  storedRole,
  storedUser,
  type TenantRows,
} from '../../../../tests/administration/in-memory-administration.ts';
import { applyConfiguration } from './apply-configuration.ts';

const caller: Caller = {
  principal: {
    tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
    kind: 'user',
    id: 'me',
    name: 'me@example.com',
    roles: ['admin'],
    permissions: new Set(['admin'] as const),
    authenticatedAtMs: 0,
  },
  requestId: 'r',
  address: '192.0.2.1',
  userAgent: undefined,
};
const INVITATION = { url: 'https://api.example.com/auth/invitation/acme?token=x', token: 'x', expires_ts: 1 };

/** Applies files to one tenant, each in its own transaction. */
function fixture(rows: Partial<TenantRows> = {}, secrets: Readonly<Record<string, string>> = {}) {
  const memory = createInMemoryAdministration({ roles: [storedRole('analyst', ['query:run'])], ...rows });
  const apply = (wanted: Configuration) =>
    memory.database.change(caller, (tx) =>
      applyConfiguration(tx, caller, {
        wanted,
        makeInvitation: () => ({ shown: INVITATION, stored: { tokenHash: new Uint8Array(32), expires: new Date(1) } }),
        secretOf: (clientId) => {
          const secret = secrets[clientId];
          const rest = { selector: '', label: null, expires: null };
          return secret === undefined ? undefined : { secret, stored: { hash: `hash of ${secret}`, ...rest } };
        },
        clientKeys: { checkKeys: () => undefined, checkAddress: () => undefined },
        describeSql: () => Promise.reject(new TypeError('no SQL in these files')),
        box: createSecretBox({ current: new Uint8Array(32) }),
        sessionSettingsMax: { idle_minutes: 600, absolute_hours: 10 },
        signal: new AbortController().signal,
      }),
    );
  return { rows: memory.rows, apply };
}

const FILE = {
  roles: [{ name: 'reader', permissions: ['datamap:read'] }],
  users: [
    { email: 'ann@example.com', roles: ['reader', 'analyst'] },
    { email: 'bob@example.com', disabled: true },
  ],
  service_accounts: [{ client_id: 'etl', roles: ['analyst'], disabled: true }],
  identity_provider: { issuer: 'https://idp.example.com', client_id: 'sluice', client_secret: null },
  domains: [{ name: 'Sales', description: 'What we sell' }],
} as const satisfies Record<string, unknown>;
const file = FILE as unknown as Configuration;

const summaryOf = (changes: Awaited<ReturnType<typeof applyConfiguration>>) =>
  changes.map(({ kind, name, action }) => `${action} ${kind} ${name}`);

describe('a file that is applied to an empty tenant', () => {
  it('creates everything in an order in which later entries may use earlier ones', async () => {
    const { apply, rows } = fixture({}, { etl: 'secret' });
    const changes = await apply(file);
    expect(summaryOf(changes)).toEqual([
      'create role reader',
      'create user ann@example.com',
      'create user bob@example.com',
      'create service_account etl',
      'create identity_provider https://idp.example.com',
      'create domain Sales',
    ]);
    expect(changes.every(({ before, after }) => before === null && after !== null)).toBe(true);
    expect(rows.users).toMatchObject([
      { email: 'ann@example.com', roles: ['reader', 'analyst'], disabled: false, has_password: false },
      { email: 'bob@example.com', roles: [], disabled: true, has_password: false },
    ]);
    expect(rows.clients).toMatchObject([{ client_id: 'etl', roles: ['analyst'], disabled: true }]);
  });

  it('returns an invitation for each new user, and a secret for each new service account', async () => {
    const changes = await fixture({}, { etl: 'secret' }).apply(file);
    expect(changes.map(({ invitation, client_secret }) => [invitation, client_secret])).toEqual([
      [null, null],
      [INVITATION, null],
      [INVITATION, null],
      [null, 'secret'],
      [null, null],
      [null, null],
    ]);
  });

  it('writes a record for each change, also for accounts that are created disabled', async () => {
    const { apply, rows } = fixture({}, { etl: 'secret' });
    await apply(file);
    expect(rows.records.map(({ action }) => action)).toEqual([
      'CREATE_ROLE',
      'CREATE_USER',
      'CREATE_USER',
      'UPDATE_USER',
      'CREATE_SERVICE_ACCOUNT',
      'UPDATE_SERVICE_ACCOUNT',
      'UPDATE_IDENTITY_PROVIDER',
      'CREATE_DOMAIN',
    ]);
    expect(JSON.stringify(rows.records)).not.toContain('hash of');
  });
});

describe('a file that is applied again', () => {
  it('changes nothing and writes no record', async () => {
    const { apply, rows } = fixture({}, { etl: 'secret' });
    await apply(file);
    const before = structuredClone(rows);
    const again = await apply(file);
    expect(new Set(again.map(({ action }) => action))).toEqual(new Set(['none']));
    expect(again.every(({ before: was, after }) => JSON.stringify(was) === JSON.stringify(after))).toBe(true);
    expect(again.every(({ invitation, client_secret }) => invitation === null && client_secret === null)).toBe(true);
    expect(rows).toEqual(before);
  });

  it('updates what differs, and keeps what an entry or the file does not mention', async () => {
    const { apply, rows } = fixture({}, { etl: 'secret' });
    await apply(file);
    rows.records = [];
    const changes = await apply({
      roles: [{ name: 'reader', permissions: ['datamap:read', 'audit:read'] }],
      users: [{ email: 'ann@example.com', disabled: true }],
      domains: [{ name: 'SALES' }],
    } as unknown as Configuration);
    expect(changes).toMatchObject([
      {
        action: 'update',
        before: { permissions: ['datamap:read'] },
        after: { permissions: ['datamap:read', 'audit:read'] },
      },
      {
        action: 'update',
        before: { roles: ['reader', 'analyst'], disabled: false },
        after: { roles: ['reader', 'analyst'], disabled: true },
      },
      { action: 'update', before: { name: 'Sales' }, after: { name: 'SALES', description: 'What we sell' } },
    ]);
    expect(rows.clients).toHaveLength(1);
    expect(rows.provider).toBeDefined();
    expect(rows.records.map(({ action }) => action)).toEqual(['UPDATE_ROLE', 'UPDATE_USER', 'UPDATE_DOMAIN']);
  });

  it('sets the access of a service account, and changes nothing when it is applied twice', async () => {
    const { apply } = fixture({}, { etl: 'secret' });
    const access = { allowed_networks: ['203.0.113.0/24'], scopes: ['query:run'] };
    const entry = { client_id: 'etl', roles: ['analyst'], ...access };
    const wanted = { service_accounts: [entry] } as unknown as Configuration;
    const after = { roles: ['analyst'], disabled: false, ...access };
    expect(await apply(wanted)).toMatchObject([{ action: 'create', after }]);
    expect(await apply(wanted)).toMatchObject([{ action: 'none', before: after, after }]);
    const change = { service_accounts: [{ client_id: 'etl', jwks_uri: 'https://keys.example' }] };
    expect(await apply(change as unknown as Configuration)).toMatchObject([
      { action: 'update', before: after, after: { ...after, jwks_uri: 'https://keys.example' } },
    ]);
  });

  it('treats the order of permissions and roles as equal', async () => {
    const { apply } = fixture({
      roles: [storedRole('a', ['query:run', 'audit:read']), storedRole('b')],
      users: [storedUser('ann@example.com', ['a', 'b'])],
    });
    const changes = await apply({
      roles: [{ name: 'a', permissions: ['audit:read', 'query:run'] }],
      users: [{ email: 'ann@example.com', roles: ['b', 'a'] }],
    } as Configuration);
    expect(summaryOf(changes)).toEqual(['none role a', 'none user ann@example.com']);
  });
});

describe('a file with mistakes', () => {
  it('is rejected with all of them, in their places, and nothing is changed', async () => {
    const { apply, rows } = fixture({ emailDomains: ['example.com'] });
    const before = structuredClone(rows);
    const wanted = {
      roles: [{ name: 'reader', permissions: [] }],
      users: [
        { email: 'ann@example.com', roles: ['reader', 'nobody'] },
        { email: 'eve@other.example' },
        { email: 'bob@example.com', roles: ['reader'] },
      ],
      service_accounts: [{ client_id: 'etl', roles: ['neither', 'analyst', 'nobody'] }],
      identity_provider: {
        issuer: 'https://idp.example.com',
        client_id: 'x',
        client_secret: null,
        groups_claim: 'groups',
        role_mappings: [{ value: 'g', roles: ['missing'] }],
      },
    } as unknown as Configuration;
    await expect(apply(wanted)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { path: 'body.users[0].roles[1]', message: 'there is no role nobody' },
        { path: 'body.users[1].email' },
        { path: 'body.service_accounts[0].roles[0]', message: 'there is no role neither' },
        { path: 'body.service_accounts[0].roles[2]', message: 'there is no role nobody' },
        { path: 'body.identity_provider.role_mappings[0].roles[0]' },
      ],
    });
    expect(rows).toEqual(before);
  });

  it('is rejected for a provider without a secret, unless one is stored for the same client', async () => {
    const request = { issuer: 'https://idp.example.com', client_id: 'sluice' };
    const { apply } = fixture();
    await expect(apply({ identity_provider: request } as Configuration)).rejects.toMatchObject({
      details: [{ path: 'body.identity_provider.client_secret' }],
    });
    const kept = fixture({ provider: storedProvider({ scopes: ['openid', 'profile', 'email'] }) });
    expect(summaryOf(await kept.apply({ identity_provider: request } as Configuration))).toEqual([
      'none identity_provider https://idp.example.com',
    ]);
  });

  it('fails with conflict if another request removed a service account meanwhile', async () => {
    const { apply, rows } = fixture();
    const wanted = { roles: [{ name: 'reader', permissions: [] }], service_accounts: [{ client_id: 'etl' }] };
    await expect(apply(wanted as Configuration)).rejects.toMatchObject({ code: 'conflict' });
    expect(rows.roles.map(({ name }) => name)).toEqual(['analyst']);
  });
});
