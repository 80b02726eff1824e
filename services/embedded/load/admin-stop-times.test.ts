import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { busyProcesses, OPERATOR_TOKEN, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, bearer, type Credential, clientToken, idtoken, logIn, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

// What each change causes is tested in tests/queries/administration.test.ts, beside other tests. These times need a quiet machine.
const STOPPED_MS = 5_000;
const COMPUTING_MS = 3_000;

let hosts: TestHosts;
let admin: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '3' });
  const root = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  admin = idtoken((await logIn(hosts, root)).id_token);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

async function change(method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await send(`${hosts.api.url}/admin${path}`, {
    method,
    headers: { ...admin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
}

const suspend = async (tenant: string): Promise<void> => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  await send(`${hosts.api.url}/operator/tenants/${tenant}/suspend`, { method: 'POST', headers });
};

/** Asserts that queries of these credentials end in time after a change. */
async function assertStopped(credentials: readonly Credential[], make: () => Promise<void>): Promise<void> {
  const started = await Promise.all(credentials.map((credential) => startQuery(hosts.url, ENDLESS, credential)));
  await make();
  const begun = performance.now();
  for (const text of await Promise.all(started.map((query) => query.text))) expect(text).toContain('"type":"error"');
  expect(performance.now() - begun).toBeLessThan(STOPPED_MS);
  await until(async () => ((await busyProcesses(hosts.stream.context.workers.pids)).length === 0 ? true : undefined), {
    what: 'the end of all computing',
    withinMs: COMPUTING_MS,
  });
}

describe('an admin change on the API host stops running queries within 5 s, for', () => {
  it.each<[string, (user: BuiltUser) => Promise<void>]>([
    ['a disabled user', ({ id }) => change('PUT', `/users/${id}`, { disabled: true })],
    ['a removed user', ({ id }) => change('DELETE', `/users/${id}`)],
    ['a user who loses a role', ({ id }) => change('PUT', `/users/${id}`, { roles: ['auditor'] })],
    [
      'a user whose password is reset',
      ({ id }) => change('POST', `/users/${id}/reset-password`, { password: 'a password of many characters' }),
    ],
  ])('%s', async (_who, make) => {
    const user = await hosts.build.user(hosts.acme);
    const { id_token } = await logIn(hosts, user);
    await assertStopped([basicOf(user), idtoken(id_token)], () => make(user));
  });

  it('members of a role that loses query:run, and of one that is removed', async () => {
    for (const [name, make] of [
      ['narrowed', () => change('PUT', '/roles/narrowed', { permissions: ['datamap:read'] })],
      ['removed', () => change('DELETE', '/roles/removed')],
    ] as const) {
      await change('POST', '/roles', { name, permissions: ['query:run'] });
      await assertStopped([basicOf(await hosts.build.user(hosts.acme, { roles: [name] }))], make);
    }
  });

  it('a disabled service account', async () => {
    const client = await hosts.build.client(hosts.acme);
    const disable = () => change('PUT', `/service-accounts/${client.id}`, { disabled: true });
    await assertStopped([bearer(await clientToken(hosts, client))], disable);
  });

  it('all callers of a suspended tenant', async () => {
    const tenant = await hosts.build.tenant();
    const { access_token } = await logIn(hosts, await hosts.build.user(tenant), tenant.name);
    const client = await hosts.build.client(tenant);
    const credentials = [bearer(access_token), bearer(await clientToken(hosts, client, tenant.name))];
    await assertStopped(credentials, () => suspend(tenant.name));
  });
});
