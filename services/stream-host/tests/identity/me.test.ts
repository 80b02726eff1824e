import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantSettings } from '@sluice/contract';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  startQuery,
  untilRunning,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startHosts({ QUERIES_PER_USER: '3', QUERY_TIME: '20m' });
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const onStream = (credential: Credential) => send(`${hosts.url}/me`, { headers: { ...credential } });
const onApi = (credential: Credential) => send(`${hosts.api.url}/me`, { headers: { ...credential } });
const NO_USE = { queries: 0, tenant_queries: 0, queued: 0, tenant_queued: 0 };

describe('GET /me', () => {
  it('returns the same account, rights and session on both hosts', async () => {
    const user = await hosts.build.user(hosts.acme, { roles: ['steward', 'analyst'] });
    const { id_token: token } = await logIn(hosts, user);
    const answer = await onStream(idtoken(token));
    expect([answer.status, answer.headers['cache-control'], answer.body]).toEqual([
      200,
      'no-store',
      {
        kind: 'user',
        id: user.id,
        user: user.email,
        tenant: 'acme',
        roles: ['analyst', 'steward'],
        permissions: ['datamap:read', 'datamap:write', 'marketplace:download', 'metadata:write', 'query:run'],
        has_password: true,
        session_expires_ts: expect.any(Number),
        limits: {
          query_time_ms: 1_200_000,
          queries_per_user: 3,
          queries_per_tenant: 20,
          rows_max: null,
          bytes_max: null,
          keep_time_ms: 0,
          kept_bytes_max: 10 * 1024 ** 3,
          console_keep: null,
          queued_per_user: 100,
          queued_per_tenant: 500,
          queue_timeout_ms: 10_000,
        },
        use: NO_USE,
      },
    ]);
    expect(answer.body.session_expires_ts).toBeGreaterThan(Date.now());
    const { limits: _limits, ...same } = answer.body;
    expect((await onApi(idtoken(token))).body).toMatchObject(same);
  });

  it('names a service account by its client id, and has no session for Basic', async () => {
    const client = await hosts.build.client(hosts.acme);
    const token = await clientToken(hosts, client);
    expect((await onStream(bearer(token))).body).toMatchObject({
      kind: 'client',
      user: client.clientId,
      has_password: false,
    });
    expect((await onStream(basicOf(hosts.ann))).body).toMatchObject({
      user: hosts.ann.email,
      session_expires_ts: null,
    });
  });

  it('shows the limits of the tenant, and the smaller ones of its admin', async () => {
    const settings = {
      queryTimeLimitMs: 60_000,
      rowsMax: 500,
      bytesMax: 4000,
      ownLimits: { queryTimeLimitMs: 30_000, queriesPerUser: 2, rowsMax: 900 },
    };
    const tenant = await hosts.build.tenant({ name: 'limited', settings });
    const credential = { ...basicOf(await hosts.build.user(tenant)), host: 'limited-stream.localhost' };
    expect((await onStream(credential)).body.limits).toMatchObject({
      query_time_ms: 30_000,
      queries_per_user: 2,
      queries_per_tenant: 20,
      rows_max: 500,
      bytes_max: 4000,
    });
  });

  it.each<readonly [TenantSettings, number, string | null]>([
    [{ keepTimeMaxMs: 3_600_000 }, 3_600_000, '1h'],
    [{ keepTimeMaxMs: 604_800_000 }, 604_800_000, '1d'],
    [{ keepTimeMaxMs: 604_800_000, ownLimits: { consoleKeepMs: 0 } }, 604_800_000, null],
    [{ keepTimeMaxMs: 604_800_000, ownLimits: { consoleKeepMs: 172_800_000 } }, 604_800_000, '2d'],
    [{ keepTimeMaxMs: 604_800_000, ownLimits: { keepTimeMaxMs: 90_000 } }, 90_000, '90s'],
    [{ keepTimeMaxMs: 604_800_000, consoleKeepMs: 3_723_000 }, 604_800_000, '62m'],
  ])('shows how long results are kept, and by the console, with %j', async (settings, keepTime, consoleKeep) => {
    const name = `keeps-${randomBytes(4).toString('hex')}`;
    const tenant = await hosts.build.tenant({ name, settings });
    const user = await hosts.build.user(tenant);
    const { limits } = (await onStream({ ...basicOf(user), host: `${name}-stream.localhost` })).body;
    expect(limits).toMatchObject({ keep_time_ms: keepTime, console_keep: consoleKeep });
  });

  it('counts the running queries of the caller and of its tenant', async () => {
    const ann = basicOf(hosts.ann);
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const started = await startQuery(hosts.url, ENDLESS, ann);
    await untilRunning(hosts.url, ann);
    expect((await onStream(ann)).body.use).toEqual({ ...NO_USE, queries: 1, tenant_queries: 1 });
    expect((await onStream(bob)).body.use).toEqual({ ...NO_USE, tenant_queries: 1 });
    const other = basicOf(await hosts.build.user(hosts.globex));
    expect((await onStream({ ...other, host: 'globex-stream.localhost' })).body.use).toEqual(NO_USE);
    started.disconnect();
    await until(async () => ((await onStream(ann)).body.use.queries === 0 ? true : undefined), {
      what: 'the end of the query',
    });
  });

  it('works for a caller without permissions, returns 401 without a credential, and is not recorded', async () => {
    const idle = basicOf(await hosts.build.user(hosts.acme, { roles: [] }));
    const before = await hosts.rows('select id from audit_log');
    expect((await onStream(idle)).body).toMatchObject({ roles: [], permissions: [] });
    expect((await onStream({})).status).toBe(401);
    expect((await onApi({})).status).toBe(401);
    expect((await send(`${hosts.url}/me?x=1`, { headers: { ...idle } })).status).toBe(400);
    expect(await hosts.rows('select id from audit_log')).toHaveLength(before.length);
  });
});
