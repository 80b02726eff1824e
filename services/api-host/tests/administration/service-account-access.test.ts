import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type Admin, adminOf, recordsOf } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { basicHeader, postForm } from '@sluice/testkit/requests';

let test: TestHost;
let admin: Admin;
beforeAll(async () => {
  // The test is a proxy that names the client.
  test = await startTestHost({ TRUSTED_PROXIES: '127.0.0.1' });
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const from = (address: string) => ({ 'x-forwarded-for': address });
const INSIDE = from('203.0.113.9');
const OUTSIDE = from('198.51.100.9');

const create = async (access: object) => {
  const clientId = `job-${randomUUID().slice(0, 8)}`;
  const body = { client_id: clientId, roles: ['steward'], ...access };
  const made = await admin.ask({ method: 'POST', path: '/service-accounts', body });
  expect([made.status, made.body]).toEqual([201, expect.objectContaining(access)]);
  const { id, client_secret: secret } = made.body;
  return { id, clientId, secret, path: `/service-accounts/${id}` };
};

type Account = Awaited<ReturnType<typeof create>>;

const tokenOf = ({ clientId, secret }: Account, { scope, ...headers }: Record<string, string> = {}) =>
  postForm(
    `${test.url}/auth/acme/oauth2/token`,
    { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...(scope && { scope }) },
    headers,
  );

const who = (token: string, headers: object = {}, host = 'stream') =>
  send(`${test.url}/test/${host}`, { headers: { authorization: `Bearer ${token}`, ...headers } });

const change = (account: Account, body: object) => admin.ask({ method: 'PUT', path: account.path, body });

const ofRequest = ({ headers }: ReceivedResponse) =>
  test.rows<{ action: string; metadata: object; address: string; user_name: string }>(
    'select action, metadata, address, user_name from audit_log where request_id = $1',
    [headers['x-request-id']],
  );

describe('networks of a service account', () => {
  it('are checked at the token endpoint, after the secret', async () => {
    const account = await create({ allowed_networks: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1']) {
      expect((await tokenOf(account, from(address))).status).toBe(200);
    }
    const refused = await tokenOf(account, OUTSIDE);
    expect([refused.status, refused.body]).toEqual([
      401,
      {
        error: 'invalid_client',
        error_description: `${account.clientId} may not sign in from 198.51.100.9. An admin can add the network to the allowed networks of the service account.`,
      },
    ]);
    expect(await ofRequest(refused)).toEqual([
      {
        action: 'LOGIN_FAILED',
        metadata: { method: 'client_secret', reason: 'address' },
        address: '198.51.100.9',
        user_name: account.clientId,
      },
    ]);
    const wrong = await tokenOf({ ...account, secret: 'wrong' }, OUTSIDE);
    expect([wrong.status, wrong.body.error_description]).toEqual([401, 'The client id or secret is wrong.']);
    const authorization = basicHeader(account.clientId, account.secret);
    const form = { grant_type: 'client_credentials' };
    const basic = await postForm(`${test.url}/auth/acme/oauth2/token`, form, { authorization, ...OUTSIDE });
    expect(basic.status).toBe(401);
  });

  it.each(['stream', 'api'])('are checked at each request with a token, as on the %s host', async (host) => {
    const account = await create({ allowed_networks: ['203.0.113.0/24'] });
    const token = (await tokenOf(account, INSIDE)).body.access_token;
    expect((await who(token, INSIDE, host)).status).toBe(200);
    for (const headers of [OUTSIDE, {}]) {
      const refused = await who(token, headers, host);
      expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
      expect(await ofRequest(refused)).toMatchObject([
        { action: 'ACCESS_DENIED', user_name: account.clientId, metadata: { reason: 'address' } },
      ]);
    }
    // A client cannot name another address than the one from which the proxy was reached.
    expect((await who(token, from('203.0.113.9, 198.51.100.9'), host)).status).toBe(403);
  });

  it('apply to tokens that were issued before, and are given up again', async () => {
    const account = await create({});
    const token = (await tokenOf(account)).body.access_token;
    expect((await change(account, { allowed_networks: ['203.0.113.9'] })).body.allowed_networks).toEqual([
      '203.0.113.9',
    ]);
    expect([(await who(token)).status, (await who(token, INSIDE)).status]).toEqual([403, 200]);
    expect((await change(account, { allowed_networks: null })).body.allowed_networks).toBeNull();
    expect((await who(token)).status).toBe(200);
  });
});

describe('scopes of a service account', () => {
  const permissionsOf = async (token: string) => (await who(token)).body.permissions;

  it('narrow its roles, also for tokens that were issued before', async () => {
    const account = await create({ scopes: ['query:run', 'admin'] });
    const token = (await tokenOf(account)).body.access_token;
    expect(await permissionsOf(token)).toEqual(['query:run']);
    await change(account, { scopes: ['query:run', 'datamap:read'] });
    expect((await permissionsOf(token)).sort()).toEqual(['datamap:read', 'query:run']);
    await change(account, { scopes: null });
    expect(await permissionsOf(token)).toHaveLength(5);
    await change(account, { scopes: ['audit:read'] });
    expect((await who(token)).status).toBe(403);
  });

  it('are narrowed further by the scope of a token request', async () => {
    const account = await create({ scopes: ['query:run', 'datamap:read'] });
    const { body } = await tokenOf(account, { scope: 'query:run' });
    expect(body.scope).toBe('query:run');
    expect(await permissionsOf(body.access_token)).toEqual(['query:run']);
    await change(account, { scopes: null });
    expect(await permissionsOf(body.access_token)).toEqual(['query:run']);
  });

  it.each(['query:run metadata:write', 'admin', 'everything'])(
    'refuse a token for %s, which the account does not have',
    async (scope) => {
      const account = await create({ scopes: ['query:run'] });
      const refused = await tokenOf(account, { scope });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
      const [{ count } = { count: '' }] = await test.rows<{ count: string }>(
        'select count(*) from sessions where account_id = $1',
        [account.id],
      );
      expect(count).toBe('0');
    },
  );
});

it('records what a change of the access replaces', async () => {
  const account = await create({ allowed_networks: ['203.0.113.0/24'] });
  const changed = await change(account, { scopes: ['query:run'], allowed_networks: null, may_introspect: true });
  const common = { roles: ['steward'], disabled: false };
  expect(await recordsOf(test, changed)).toEqual([
    [
      'UPDATE_SERVICE_ACCOUNT',
      account.clientId,
      {
        account_id: account.id,
        before: { ...common, allowed_networks: ['203.0.113.0/24'] },
        after: { ...common, scopes: ['query:run'], may_introspect: true },
      },
    ],
  ]);
});

describe('a configuration file', () => {
  const apply = (...service_accounts: object[]) =>
    admin.ask({ method: 'POST', path: '/apply', body: { service_accounts } });
  /** Key of RFC 7515 appendix A.3.1. */
  const jwks = {
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
    ],
  };

  it('sets the access of a service account, and changes nothing when it is applied twice', async () => {
    const access = { allowed_networks: ['203.0.113.0/24'], scopes: ['query:run'], jwks };
    const entry = { client_id: `file-${randomUUID().slice(0, 8)}`, roles: ['service'], ...access };
    const [created] = (await apply(entry)).body.changes;
    expect(created).toMatchObject({ action: 'create', after: { roles: ['service'], disabled: false, ...access } });
    expect(created.client_secret).toEqual(expect.any(String));
    expect((await apply(entry)).body).toMatchObject({ unchanged_count: 1, updated_count: 0 });
    const [changed] = (await apply({ client_id: entry.client_id, jwks_uri: 'https://keys.example/jwks' })).body.changes;
    const { jwks: _jwks, ...kept } = access;
    expect([changed.action, changed.after]).toEqual([
      'update',
      { roles: ['service'], disabled: false, ...kept, jwks_uri: 'https://keys.example/jwks' },
    ]);
    const { body } = await admin.ask({ path: `/service-accounts?q=${entry.client_id}` });
    expect(body.data).toMatchObject([{ ...kept, jwks: null, jwks_uri: 'https://keys.example/jwks' }]);
  });

  it('takes no secrets, and names the place of a wrong key', async () => {
    const client_id = `file-${randomUUID().slice(0, 8)}`;
    const off = { keys: [{ ...jwks.keys[0], x: 'A'.repeat(43) }] };
    for (const [entry, path] of [
      [{ client_id, secrets: [] }, 'body.service_accounts[0].secrets'],
      [{ client_id, jwks_uri: 'https://10.0.0.1/jwks' }, 'body.service_accounts[0].jwks_uri'],
      [{ client_id, jwks: off }, 'body.service_accounts[0].jwks.keys[0]'],
    ] as const) {
      const refused = await apply(entry);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, path]);
    }
    expect((await admin.ask({ path: `/service-accounts?q=${client_id}` })).body.total).toBe(0);
  });
});
