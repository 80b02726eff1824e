import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { bearer, type Credential, clientToken, idtoken, logIn, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let admin: Credential;
beforeAll(async () => {
  // The test is a proxy that names the client.
  const settings = { TRUSTED_PROXIES: '127.0.0.1' };
  hosts = await startHosts(settings, { apiSettings: settings });
  const root = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  admin = idtoken((await logIn(hosts, root)).id_token);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

const callAdmin = async (method: string, path: string, body: object) => {
  const headers = { ...admin, 'content-type': 'application/json' };
  const answer = await send(`${hosts.api.url}/admin${path}`, { method, headers, body: JSON.stringify(body) });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};

const create = async (access: object = {}) => {
  const clientId = `made-${randomUUID().slice(0, 8)}`;
  const made = await callAdmin('POST', '/service-accounts', { client_id: clientId, roles: ['service'], ...access });
  return {
    id: made.id as string,
    path: `/service-accounts/${made.id}`,
    clientId,
    secret: made.client_secret as string,
  };
};

const from = (address: string) => ({ 'x-forwarded-for': address });
const INSIDE = from('203.0.113.9');
const OUTSIDE = from('198.51.100.9');

/** Sends the same request to both hosts. */
const both = async (token: string, headers: object): Promise<number[]> =>
  Promise.all(
    [hosts.url, hosts.api.url].map(
      async (url) => (await send(`${url}/me`, { headers: { ...bearer(token), ...headers } })).status,
    ),
  );

const ofRequest = ({ headers }: ReceivedResponse) =>
  hosts.rows<{ action: string; metadata: object; address: string }>(
    'select action, metadata, address from audit_log where request_id = $1',
    [headers['x-request-id']],
  );

describe('networks of a service account', () => {
  it('are checked at each request of its tokens on both hosts, with a record', async () => {
    const client = await create();
    const token = await clientToken(hosts, client);
    expect(await both(token, OUTSIDE)).toEqual([200, 200]);
    await callAdmin('PUT', client.path, { allowed_networks: ['203.0.113.0/24'] });
    expect(await both(token, OUTSIDE)).toEqual([403, 403]);
    expect(await both(token, INSIDE)).toEqual([200, 200]);
    const headers = { ...bearer(token), ...OUTSIDE, 'content-type': 'application/json' };
    const refused = await send(`${hosts.url}/query`, { method: 'POST', headers, body: '{"sql": "SELECT 1"}' });
    expect([refused.status, refused.body.error, refused.body.message]).toEqual([
      403,
      'access_denied',
      `${client.clientId} may not send requests from 198.51.100.9. An admin can add the network to the allowed networks of the service account.`,
    ]);
    expect(await ofRequest(refused)).toEqual([
      { action: 'ACCESS_DENIED', metadata: { reason: 'address' }, address: '198.51.100.9' },
    ]);
  });

  it('hold for a ticket of the account too', async () => {
    const client = await create({ allowed_networks: ['203.0.113.0/24', '127.0.0.1'] });
    const headers = { ...bearer(await clientToken(hosts, client)), 'content-type': 'application/json' };
    const body = JSON.stringify({ method: 'POST', path: '/query/download/csv', body: { sql: 'SELECT 1 AS a' } });
    const ticket = async () => (await send(`${hosts.url}/tickets`, { method: 'POST', headers, body })).body.url;
    expect((await send(`${hosts.url}${await ticket()}`, { headers: OUTSIDE })).status).toBe(403);
    expect((await send(`${hosts.url}${await ticket()}`, { headers: INSIDE })).status).toBe(200);
  });
});

it('scopes of a service account narrow its roles on both hosts', async () => {
  const client = await create();
  const token = await clientToken(hosts, client);
  await callAdmin('PUT', client.path, { scopes: ['datamap:read'] });
  for (const url of [hosts.url, hosts.api.url]) {
    const { body } = await send(`${url}/me`, { headers: bearer(token) });
    expect(body.permissions).toEqual(['datamap:read']);
  }
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const refused = await send(`${hosts.url}/query`, { method: 'POST', headers, body: '{"sql": "SELECT 1"}' });
  expect(refused.status).toBe(403);
});

it('scopes without query:run stop a running query of the service account', async () => {
  const client = await create({ scopes: ['query:run'] });
  const running = await startQuery(hosts.url, ENDLESS, bearer(await clientToken(hosts, client)));
  await callAdmin('PUT', client.path, { scopes: ['datamap:read'] });
  expect(await running.text).toContain('permission');
});

it('networks without the address of a running query of the service account stop it, and no other', async () => {
  const client = await create();
  const credential = bearer(await clientToken(hosts, client));
  const [outside, inside] = await Promise.all(
    [OUTSIDE, INSIDE].map((address) => startQuery(hosts.url, ENDLESS, { ...credential, ...address })),
  );
  await callAdmin('PUT', client.path, { allowed_networks: ['203.0.113.0/24'] });
  expect(await outside?.text).toContain('may no longer send requests from its address');
  expect((await send(`${hosts.url}/query`, { headers: { ...credential, ...INSIDE } })).body.data).toHaveLength(1);
  await callAdmin('PUT', client.path, { scopes: ['datamap:read'] });
  expect(await inside?.text).toContain('permission');
});

it('an expired secret ends its tokens and running queries on both hosts', async () => {
  const client = await create();
  const added = await callAdmin('POST', `${client.path}/secrets`, { expires_ts: Date.now() + 3000 });
  const token = await clientToken(hosts, { ...client, secret: added.client_secret });
  const running = await startQuery(hosts.url, ENDLESS, bearer(token));
  expect(await both(token, {})).toEqual([200, 200]);
  await until(async () => ((await both(token, {})).every((status) => status === 401) ? true : undefined), {
    what: 'the rejection of the token',
  });
  expect(Date.now()).toBeGreaterThan(added.expires_ts);
  expect(await running.text).toContain('its session ended');
  const again = await send(`${hosts.api.url}/auth/acme/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${client.clientId}&client_secret=${added.client_secret}`,
  });
  expect([again.status, again.body.error]).toEqual([401, 'invalid_client']);
});
