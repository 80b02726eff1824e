import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import { busyProcesses, OPERATOR_TOKEN, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  post,
  type StartedQuery,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

const PASSWORD = 'a password of many characters';

let hosts: TestHosts;
let admin: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '3' });
  const root = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  admin = idtoken((await logIn(hosts, root)).id_token);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

const callAdmin = async (method: string, path: string, body?: unknown) => {
  const answer = await send(`${hosts.api.url}/admin${path}`, {
    method,
    headers: { ...admin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
  return answer.body;
};

const operate = (name: string, step: string) =>
  send(`${hosts.api.url}/operator/tenants/${name}/${step}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  });

const createUser = async (roles: readonly string[]): Promise<BuiltUser> => {
  const email = `made-${Math.random().toString(36).slice(2)}@example.com`;
  const { id } = await callAdmin('POST', '/users', { email, roles, password: PASSWORD });
  return { id, email, password: PASSWORD };
};

const createClient = async (roles: readonly string[] = ['service']) => {
  const clientId = `made-${Math.random().toString(36).slice(2)}`;
  const made = await callAdmin('POST', '/service-accounts', { client_id: clientId, roles });
  return { id: made.id as string, clientId, secret: made.client_secret as string };
};

/** Makes a change while the queries run, and returns the body of each after its end. */
async function bodiesAfter(started: readonly StartedQuery[], change: () => Promise<unknown>): Promise<string[]> {
  await change();
  const texts = await Promise.all(started.map(({ text }) => text));
  await until(async () => ((await busyProcesses(hosts.stream.context.workers.pids)).length === 0 ? true : undefined), {
    what: 'the end of all computing',
  });
  return texts;
}

const statusOf = async (credential: Credential): Promise<number> =>
  (await post(`${hosts.url}/query`, { sql: 'SELECT 1 AS x' }, credential)).status;

describe('an admin change on the API host stops running queries, for', () => {
  it('a disabled user with any credential', async () => {
    const user = await createUser(['analyst']);
    const tokens = await logIn(hosts, user);
    const credentials = [basicOf(user), idtoken(tokens.id_token), bearer(tokens.access_token)];
    const started = await Promise.all(credentials.map((credential) => startQuery(hosts.url, ENDLESS, credential)));
    const texts = await bodiesAfter(started, () => callAdmin('PUT', `/users/${user.id}`, { disabled: true }));
    for (const text of texts) expect(text).toContain('its account was disabled');
    for (const credential of credentials) expect(await statusOf(credential)).toBe(401);
    const { status } = await send(`${hosts.api.url}/domains`, { headers: idtoken(tokens.id_token) });
    expect(status).toBe(401);
  });

  it('a removed user', async () => {
    const user = await createUser(['analyst']);
    const started = [await startQuery(hosts.url, ENDLESS, basicOf(user))];
    const [text] = await bodiesAfter(started, () => callAdmin('DELETE', `/users/${user.id}`));
    expect(text).toContain('"code":"QUERY_CANCELLED"');
    expect(await statusOf(basicOf(user))).toBe(401);
  });

  it('a user who loses a role', async () => {
    const user = await createUser(['analyst']);
    const { id_token } = await logIn(hosts, user);
    const started = [await startQuery(hosts.url, ENDLESS, idtoken(id_token))];
    const [text] = await bodiesAfter(started, () => callAdmin('PUT', `/users/${user.id}`, { roles: ['auditor'] }));
    expect(text).toContain('lost the permission to run queries');
    expect(await statusOf(idtoken(id_token))).toBe(403);
  });

  it('members of a role that loses query:run or is removed', async () => {
    for (const [name, change] of [
      ['narrowed', () => callAdmin('PUT', '/roles/narrowed', { permissions: ['datamap:read'] })],
      ['removed', () => callAdmin('DELETE', '/roles/removed')],
    ] as const) {
      await callAdmin('POST', '/roles', { name, permissions: ['query:run'] });
      const user = await createUser([name]);
      const client = await createClient([name]);
      const token = await clientToken(hosts, client);
      const started = [
        await startQuery(hosts.url, ENDLESS, basicOf(user)),
        await startQuery(hosts.url, ENDLESS, bearer(token)),
      ];
      for (const text of await bodiesAfter(started, change))
        expect(text).toContain('lost the permission to run queries');
      expect([await statusOf(basicOf(user)), await statusOf(bearer(token))]).toEqual([403, 403]);
    }
  });

  it('a user whose password is reset, in sessions and with Basic', async () => {
    const user = await createUser(['analyst']);
    const { id_token } = await logIn(hosts, user);
    const started = [
      await startQuery(hosts.url, ENDLESS, idtoken(id_token)),
      await startQuery(hosts.url, ENDLESS, basicOf(user)),
    ];
    const password = `${PASSWORD} again`;
    const path = `/users/${user.id}/reset-password`;
    const [ofSession, ofBasic] = await bodiesAfter(started, () => callAdmin('POST', path, { password }));
    expect(ofSession).toContain('its session ended');
    expect(ofBasic).toContain('the password of its account was changed');
    expect([await statusOf(idtoken(id_token)), await statusOf(basicOf(user))]).toEqual([401, 401]);
    expect(await statusOf(basicOf({ ...user, password }))).toBe(200);
  });

  it('a disabled service account', async () => {
    const client = await createClient();
    const token = await clientToken(hosts, client);
    const started = [await startQuery(hosts.url, ENDLESS, bearer(token))];
    const path = `/service-accounts/${client.id}`;
    const [text] = await bodiesAfter(started, () => callAdmin('PUT', path, { disabled: true }));
    expect(text).toContain('its account was disabled');
    expect(await statusOf(bearer(token))).toBe(401);
  });

  it('a revoked secret, but not for the secret that replaces it', async () => {
    const client = await createClient();
    const old = await startQuery(hosts.url, ENDLESS, bearer(await clientToken(hosts, client)));
    const added = await callAdmin('POST', `/service-accounts/${client.id}/secrets`);
    const fresh = await clientToken(hosts, { ...client, secret: added.client_secret });
    const kept = await startQuery(hosts.url, ENDLESS, bearer(fresh));
    const { secrets } = await callAdmin('GET', `/service-accounts/${client.id}`);
    await callAdmin('DELETE', `/service-accounts/${client.id}/secrets/${secrets[0].secret_id}`);
    expect(await old.text).toContain('its session ended');
    const { body } = await send(`${hosts.url}/query/${kept.queryId}`, { headers: bearer(fresh) });
    expect(body.state).toBe('RUNNING');
    kept.disconnect();
  });
});

it('applies a changed grant to the next download and not to a running one', async () => {
  // Larger than all buffers between host and client, so that the download runs until it is read.
  const sql = "SELECT i, repeat('x', 1000) AS text FROM range(20000) t (i)";
  const id = await createItem(hosts, admin, { id: 'granted', queries: { one: sql } });
  const grantPath = `/grants/${id}/role/analyst`;
  const { id_token } = await logIn(hosts, await createUser(['analyst']));
  const download = () =>
    fetch(`${hosts.url}/marketplace/${id}/download/csv`, { method: 'POST', headers: idtoken(id_token) });
  await callAdmin('DELETE', grantPath);
  expect((await download()).status).toBe(403);
  await callAdmin('POST', '/grants', { item_id: id, kind: 'role', name: 'analyst' });
  const begun = await download();
  expect(begun.status).toBe(200);
  await callAdmin('DELETE', grantPath);
  expect((await download()).status).toBe(403);
  expect((await begun.text()).trimEnd().split('\n')).toHaveLength(20_001);
});

it('keeps the creator of a grant when another admin adds grants', async () => {
  const id = await createItem(hosts, admin, { id: 'kept', queries: { one: 'SELECT 1 AS a' } });
  const given = await callAdmin('GET', `/grants/${id}/role/analyst`);
  const other = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const names = ['analyst', 'steward'];
  const put = await send(`${hosts.url}/marketplace/${id}/grants`, {
    method: 'PUT',
    headers: { ...idtoken((await logIn(hosts, other)).id_token), 'content-type': 'application/json' },
    body: JSON.stringify({ grants: names.map((name) => ({ kind: 'role', name })) }),
  });
  expect(put.status).toBe(200);
  const { data } = await callAdmin('GET', `/grants?item=${id}`);
  expect(data).toEqual([given, expect.objectContaining({ name: 'steward', granted_by: other.email })]);
});

it('stops all queries of a tenant that the operator suspends, and serves it again after resume', async () => {
  const tenant = await hosts.build.tenant();
  const user = await hosts.build.user(tenant);
  const client = await hosts.build.client(tenant);
  const { id_token, access_token } = await logIn(hosts, user, tenant.name);
  const started = [
    await startQuery(hosts.url, ENDLESS, bearer(access_token)),
    await startQuery(hosts.url, ENDLESS, bearer(await clientToken(hosts, client, tenant.name))),
  ];
  const texts = await bodiesAfter(started, () => operate(tenant.name, 'suspend'));
  for (const text of texts) expect(text).toContain('its tenant was suspended');
  expect(await statusOf(bearer(access_token))).toBe(403);
  expect((await send(`${hosts.api.url}/domains`, { headers: idtoken(id_token) })).status).toBe(403);
  expect((await operate(tenant.name, 'resume')).status).toBe(200);
  expect(await statusOf(bearer(access_token))).toBe(200);
});
