import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/store/database';
import { createAccountStore, createTenantStore } from '@sluice/store/identity';
import { send, until } from '@sluice/testkit';
import { busyProcesses, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  finalReceipt,
  idtoken,
  listOf,
  logIn,
  probeWorker,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS, LONG, UNINTERRUPTIBLE } from '@sluice/testkit/statements';

let hosts: TestHosts;
let database: Database;
let auditor: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '2' });
  database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 2 });
  auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

/** No engine computes for a query that has ended, and none is left in the list: its outcome is written after the engine has stopped. */
afterEach(async () => {
  await until(async () => ((await busyProcesses(hosts.stream.context.workers.pids)).length === 0 ? true : undefined), {
    what: 'the end of all computing',
  });
  await until(() => (hosts.stream.context.running.size === 0 ? true : undefined), {
    what: 'the end of all queries',
  });
});

const setTenantState = (id: string, state: 'active' | 'suspended'): Promise<void> =>
  createTenantStore(database).setState(id, state);

describe('a running query ends with an error event that names the reason', () => {
  it('after the logout of its session', async () => {
    const { id_token } = await logIn(hosts, hosts.ann);
    const started = await startQuery(hosts.url, ENDLESS, idtoken(id_token));
    await send(`${hosts.api.url}/auth/logout/acme`, { headers: { idtoken: id_token } });
    const receipt = await finalReceipt(hosts.url, started.queryId, { credential: auditor });
    expect(receipt).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED' } });
    const text = await started.text;
    expect(text).toContain('"code":"QUERY_CANCELLED"');
    expect(text).toContain('its session ended');
    expect(text).not.toContain('"complete"');
  });

  it('after its account is disabled, with any credential', async () => {
    const user = await hosts.build.user(hosts.acme);
    const client = await hosts.build.client(hosts.acme);
    const tokens = await logIn(hosts, user);
    const started = [
      await startQuery(hosts.url, ENDLESS, basicOf(user)),
      await startQuery(hosts.url, ENDLESS, bearer(tokens.access_token)),
      await startQuery(hosts.url, ENDLESS, bearer(await clientToken(hosts, client))),
    ];
    const accounts = createAccountStore(database);
    await accounts.disable({ tenantId: hosts.acme.id, kind: 'user', id: user.id });
    await accounts.disable({ tenantId: hosts.acme.id, kind: 'client', id: client.id });
    for (const { queryId, text } of started) {
      await finalReceipt(hosts.url, queryId, { credential: auditor });
      expect(await text).toMatch(/its account was disabled/);
    }
  });

  it('after its caller loses query:run', async () => {
    const user = await hosts.build.user(hosts.acme);
    const started = await startQuery(hosts.url, ENDLESS, basicOf(user));
    const account = { tenantId: hosts.acme.id, kind: 'user', id: user.id } as const;
    await createAccountStore(database).setRoles(account, ['auditor']);
    await finalReceipt(hosts.url, started.queryId, { credential: auditor });
    expect(await started.text).toContain('its caller lost the permission to run queries');
  });

  it('after its tenant is suspended, whose callers then get 403', async () => {
    const tenant = await hosts.build.tenant();
    const user = await hosts.build.user(tenant);
    const { access_token } = await logIn(hosts, user, tenant.name);
    const started = await startQuery(hosts.url, ENDLESS, bearer(access_token));
    await setTenantState(tenant.id, 'suspended');
    expect(await started.text).toContain('its tenant was suspended');
    const refused = await send(`${hosts.url}/query/${started.queryId}`, { headers: bearer(access_token) });
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
    await setTenantState(tenant.id, 'active');
    const receipt = await finalReceipt(hosts.url, started.queryId, {
      credential: bearer(access_token),
    });
    expect(receipt).toMatchObject({ state: 'CANCELLED' });
  });

  it('when the engine cannot be interrupted: its process is killed and replaced', async () => {
    const ann = basicOf(hosts.ann);
    const started = await startQuery(hosts.url, UNINTERRUPTIBLE, ann);
    await send(`${hosts.url}/query/${started.queryId}`, { method: 'DELETE', headers: { ...ann } });
    expect(await started.text).toContain('"code":"QUERY_CANCELLED"');
    expect(await probeWorker(hosts.url, ann)).toBe(true);
  });

  it('with TIME_LIMIT after the time limit of its tenant', async () => {
    const tenant = await hosts.build.tenant({ settings: { queryTimeLimitMs: 1000 } });
    const user = await hosts.build.user(tenant);
    const { id_token } = await logIn(hosts, user, tenant.name);
    const started = await startQuery(hosts.url, ENDLESS, idtoken(id_token));
    expect(await started.text).toMatch(/"error":"The query exceeded its time limit of 1 s.","code":"TIME_LIMIT"/);
    const receipt = await finalReceipt(hosts.url, started.queryId, {
      credential: idtoken(id_token),
    });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'TIME_LIMIT' } });
  });

  it('when another host records the cancel', async () => {
    const ann = basicOf(hosts.ann);
    const started = await startQuery(hosts.url, ENDLESS, ann);
    await hosts.rows('update queries set cancel_requested = true where query_id = $1', [started.queryId]);
    await finalReceipt(hosts.url, started.queryId, { credential: ann });
    expect(await started.text).toContain('cancelled by its caller');
  });
});

describe('a client that disconnects', () => {
  it('has its query cancelled before and during the rows', async () => {
    const ann = basicOf(hosts.ann);
    for (const sql of [ENDLESS, LONG, UNINTERRUPTIBLE]) {
      const started = await startQuery(hosts.url, sql, ann);
      started.disconnect();
      const receipt = await finalReceipt(hosts.url, started.queryId, { credential: ann });
      expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null, error: { code: 'QUERY_CANCELLED' } });
    }
  });

  it('twenty times in a row leaves all workers usable and no record open', async () => {
    const ann = basicOf(hosts.ann);
    for (let round = 0; round < 20; round += 1) (await startQuery(hosts.url, LONG, ann)).disconnect();
    expect(await probeWorker(hosts.url, ann)).toBe(true);
    await until(() => (hosts.stream.context.running.size === 0 ? true : undefined), {
      what: 'the end of all queries',
    });
    const open = await hosts.rows('select query_id from queries where ended is null');
    expect(open).toEqual([]);
    const double = await hosts.rows(
      'select query_id from audit_log where record_id is not null group by query_id having count(*) > 1',
    );
    expect(double).toEqual([]);
  });
});

describe('the revocation of a key', () => {
  it('ends the queries of its sessions and no others', async () => {
    const { id_token } = await logIn(hosts, hosts.ann);
    const bob = await hosts.build.user(hosts.acme);
    const ofKey = await startQuery(hosts.url, ENDLESS, idtoken(id_token));
    const ofPassword = await startQuery(hosts.url, ENDLESS, basicOf(bob));
    await hosts.rows(
      `insert into revoked_keys (kid) select key_id from sessions
       where sid = (select session_id from queries where query_id = $1)`,
      [ofKey.queryId],
    );
    expect(await ofKey.text).toContain('the key of its session was revoked');
    expect((await listOf(hosts.url, basicOf(bob))).map(({ query_id }) => query_id)).toEqual([ofPassword.queryId]);
    ofPassword.disconnect();
  });
});
