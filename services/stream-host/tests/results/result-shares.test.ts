import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { type BuiltUser, type ReceivedResponse, send, until } from '@sluice/testkit';
import { createShopDatabase, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, bearer, type Credential, clientToken, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';

let folder: string;
let results: string;
let hosts: TestHosts;
let ann: Credential;
let bob: BuiltUser;
let admin: Credential;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-shares-'));
  results = join(folder, 'results');
  hosts = await startHosts({
    RESULT_FOLDER: results,
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
  });
  ann = basicOf(hosts.ann);
  bob = await hosts.build.user(hosts.acme, { roles: ['analyst', 'steward'] });
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin', 'analyst'] }));
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const SQL = 'SELECT * FROM items ORDER BY id';

async function keepQuery(body: Readonly<Record<string, unknown>> = {}, by = ann): Promise<string> {
  const answer = await post(`${hosts.url}/query`, { sql: SQL, keep: '1h', ...body }, by);
  expect((await eventsOf(answer)).at(-1)).toMatchObject({ type: 'complete', kept_until: expect.any(Number) });
  return queryIdOf(answer);
}

const at = (id: string, path: string, headers: Credential, method = 'GET', url = hosts.url) =>
  send(`${url}/query/${id}${path}`, { method, headers });
const rowsOf = (id: string, headers: Credential) => at(id, '/rows', headers);
const factsOf = (id: string, headers: Credential) => at(id, '/result', headers);
const remove = (id: string, headers: Credential) => at(id, '/result', headers, 'DELETE');
const share = (id: string, shares: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  send(`${hosts.url}/query/${id}/share`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ shares }),
  });
const withUser = (user: BuiltUser) => [{ kind: 'user', name: user.email }];

interface AuditRow {
  readonly action: string;
  readonly user_name: string;
  readonly target: string;
  readonly metadata: unknown;
}
const recordsOf = (id: string, ...actions: string[]): Promise<AuditRow[]> =>
  hosts.rows<AuditRow>(
    'select action, user_name, target, metadata from audit_log where query_id = $1 and action = any ($2) order by occurred',
    [id, actions],
  );

async function filesOf(id: string): Promise<readonly string[]> {
  const names = await readdir(results, { recursive: true });
  return names.filter((name) => name.endsWith(id));
}

/** Statuses of the requests that view or change a kept result. */
async function statusesOf(id: string, headers: Credential): Promise<readonly number[]> {
  const answers = [await factsOf(id, headers), await rowsOf(id, headers), await share(id, [], headers)];
  return [...answers, await remove(id, headers)].map(({ status }) => status);
}
const ALL_404 = [404, 404, 404, 404];

describe('the facts of a kept result', () => {
  it('are those of the execution, with the statement and the shares for the account that ran it', async () => {
    const before = Date.now() - 60_000;
    const id = await keepQuery({ time_zone: 'Europe/Berlin', size: 2 });
    await share(id, [...withUser(bob), { kind: 'role', name: 'auditor' }]);
    const facts = await factsOf(id.toUpperCase(), ann);
    expect([facts.status, facts.body]).toEqual([
      200,
      {
        query_id: id,
        sql: SQL,
        columns: [
          { name: 'id', type: 'bigint' },
          { name: 'name', type: 'varchar' },
          { name: 'price', type: 'decimal(10,2)' },
        ],
        rows: 2,
        limited: true,
        bytes: expect.any(Number),
        time_zone: 'Europe/Berlin',
        as_of: expect.any(Number),
        expires_ts: expect.any(Number),
        ran_by: hosts.ann.email,
        is_own: true,
        shares: [
          { kind: 'role', name: 'auditor' },
          { kind: 'user', name: bob.email },
        ],
        formats: expect.arrayContaining(['csv', 'json', 'ndjson', 'xlsx', 'parquet']),
      },
    ]);
    expect(facts.body.as_of).toBeGreaterThan(before);
    expect(facts.body.expires_ts).toBeGreaterThan(before + 3_600_000);
    const seen = (await factsOf(id, basicOf(bob))).body;
    expect(seen).toEqual({ ...facts.body, sql: null, shares: null, is_own: false });
  });

  it('are in the history, until the result is deleted', async () => {
    const id = await keepQuery();
    const listed = async () => {
      const { body } = await send(`${hosts.url}/query/history?size=1`, { headers: ann });
      return body.data[0];
    };
    const { expires_ts: expires } = (await factsOf(id, ann)).body;
    expect(await listed()).toMatchObject({ query_id: id, kept_until: expires });
    await remove(id, ann);
    expect(await listed()).toMatchObject({ query_id: id, kept_until: null });
  });
});

describe('a deleted result', () => {
  it('cannot be viewed any more, has no bytes, and its deletion is recorded once', async () => {
    const id = await keepQuery();
    await share(id, withUser(bob));
    expect(await filesOf(id)).toHaveLength(1);
    expect((await remove(id, basicOf(bob))).status).toBe(404);
    expect((await remove(id, admin)).status).toBe(404);
    expect((await remove(id, {})).status).toBe(401);
    const removed = await remove(id, ann);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await filesOf(id)).toEqual([]);
    expect(await hosts.rows('select 1 from kept_results where query_id = $1', [id])).toEqual([]);
    expect(await hosts.rows('select 1 from result_shares where query_id = $1', [id])).toEqual([]);
    for (const caller of [ann, basicOf(bob)]) expect(await statusesOf(id, caller)).toEqual(ALL_404);
    expect(await recordsOf(id, 'DELETE_RESULT')).toEqual([
      { action: 'DELETE_RESULT', user_name: hosts.ann.email, target: id, metadata: {} },
    ]);
  });

  it('loses its key also when the store fails, and its bytes later', async () => {
    const id = await keepQuery();
    await rename(results, `${results}-away`);
    await writeFile(results, 'not a folder');
    try {
      expect((await remove(id, ann)).status).toBe(204);
    } finally {
      await rm(results);
      await rename(`${results}-away`, results);
    }
    expect(await filesOf(id)).toHaveLength(1);
    expect(await hosts.rows('select state, wrapped_key from kept_results where query_id = $1', [id])).toEqual([
      { state: 'REMOVED', wrapped_key: null },
    ]);
    expect(await statusesOf(id, ann)).toEqual(ALL_404);
    await hosts.stream.context.resultPurge?.purge();
    expect(await filesOf(id)).toEqual([]);
    expect(await hosts.rows('select 1 from kept_results where query_id = $1', [id])).toEqual([]);
  });
});

describe('a shared result', () => {
  it('can be viewed by the role, user and service account that it is shared with, and each view is recorded', async () => {
    const id = await keepQuery();
    const client = await hosts.build.client(hosts.acme);
    const viewers: readonly (readonly [object, string, Credential])[] = [
      [{ kind: 'user', name: bob.email.toUpperCase() }, bob.email, basicOf(bob)],
      [{ kind: 'role', name: 'steward' }, bob.email, basicOf(bob)],
      [{ kind: 'client', name: client.clientId }, client.clientId, bearer(await clientToken(hosts, client))],
    ];
    const own = (await rowsOf(id, ann)).body;
    for (const [entry, name, viewer] of viewers) {
      expect([entry, (await rowsOf(id, viewer)).status]).toEqual([entry, 404]);
      expect((await share(id, [entry])).status).toBe(200);
      expect([entry, (await rowsOf(id, viewer)).body]).toEqual([entry, own]);
      const last = (await recordsOf(id, 'READ_RESULT')).at(-1);
      expect(last).toMatchObject({ user_name: name, target: id });
      expect((await share(id, [], viewer)).status).toBe(404);
      await share(id, []);
    }
    expect(await rowsOf(id, basicOf(bob))).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('replaces the shares before, and its record has both', async () => {
    const id = await keepQuery();
    const first = await share(id, [{ kind: 'role', name: 'steward' }, ...withUser(bob)]);
    const stored = [
      { kind: 'role', name: 'steward' },
      { kind: 'user', name: bob.email },
    ];
    expect([first.status, first.body]).toEqual([200, { shares: stored }]);
    expect((await share(id, [{ kind: 'role', name: 'analyst' }])).body).toEqual({
      shares: [{ kind: 'role', name: 'analyst' }],
    });
    expect(await recordsOf(id, 'SHARE_RESULT')).toMatchObject([
      { user_name: hosts.ann.email, target: id, metadata: { before: [], after: stored } },
      { metadata: { before: stored, after: [{ kind: 'role', name: 'analyst' }] } },
    ]);
  });

  it('keeps its shares when a name is unknown or disabled, and the response names each such entry', async () => {
    const id = await keepQuery();
    const gone = await hosts.build.user(hosts.acme);
    const client = await hosts.build.client(hosts.acme);
    await hosts.rows('update users set disabled = true where id = $1', [gone.id]);
    await hosts.rows('update clients set disabled = true where id = $1', [client.id]);
    await share(id, withUser(bob));
    const foreign = await hosts.build.user(hosts.globex);
    const rejected = await share(id, [
      ...withUser(hosts.ann),
      ...withUser(gone),
      { kind: 'role', name: 'no such role' },
      { kind: 'client', name: client.clientId },
      ...withUser(foreign),
    ]);
    expect([rejected.status, rejected.body.error]).toEqual([400, 'invalid_request']);
    expect(rejected.body.details).toEqual([
      { path: 'body.shares[1].name', message: `there is no user ${gone.email}, or the user is disabled` },
      { path: 'body.shares[2].name', message: 'there is no role no such role' },
      {
        path: 'body.shares[3].name',
        message: `there is no service account ${client.clientId}, or it is disabled`,
      },
      { path: 'body.shares[4].name', message: `there is no user ${foreign.email}, or the user is disabled` },
    ]);
    expect((await factsOf(id, ann)).body.shares).toEqual(withUser(bob));
    expect(await recordsOf(id, 'SHARE_RESULT')).toHaveLength(1);
  });

  it.each([
    [undefined],
    [null],
    ['x'],
    [[{ kind: 'group', name: 'x' }]],
    [[{ kind: 'user' }]],
    [[{ kind: 'user', name: ' ' }]],
    [[{ kind: 'user', name: 'a'.repeat(321) }]],
    [[{ kind: 'user', name: 'a\0' }]],
    [
      [
        { kind: 'user', name: 'x' },
        { kind: 'user', name: 'X' },
      ],
    ],
    [Array.from({ length: 101 }, (_, index) => ({ kind: 'role', name: `r${index}` }))],
  ])('is not changed by the shares %j', async (shares) => {
    const answer = await share(randomUUID(), shares);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('is not there for a viewer who lost the role or the account, and forbidden without query:run', async () => {
    const id = await keepQuery();
    const viewer = await hosts.build.user(hosts.acme, { roles: ['analyst', 'steward'] });
    const credential = basicOf(viewer);
    const setRoles = (roles: string) => hosts.rows('update users set roles = $2 where id = $1', [viewer.id, roles]);
    await share(id, [{ kind: 'role', name: 'steward' }]);
    expect((await rowsOf(id, credential)).status).toBe(200);
    await setRoles('{analyst}');
    expect((await rowsOf(id, credential)).status).toBe(404);
    await share(id, withUser(viewer));
    expect((await rowsOf(id, credential)).status).toBe(200);
    await setRoles('{auditor}');
    await until(async () => ((await rowsOf(id, credential)).status === 403 ? true : undefined), {
      what: 'the loss of query:run',
    });
    await hosts.rows(`update users set roles = '{analyst}', disabled = true where id = $1`, [viewer.id]);
    await until(async () => ((await rowsOf(id, credential)).status === 401 ? true : undefined), {
      what: 'the end of the account',
    });
  });

  it('is not there for others: an admin, an account of another tenant with the same name, or a caller without one', async () => {
    const id = await keepQuery();
    await share(id, [...withUser(bob), { kind: 'role', name: 'analyst' }]);
    const sameName = await hosts.build.user(hosts.globex, { email: bob.email, roles: ['analyst'] });
    expect(await statusesOf(id, { ...basicOf(sameName), host: 'globex-stream.localhost' })).toEqual(ALL_404);
    await share(id, withUser(bob));
    expect(await statusesOf(id, admin)).toEqual(ALL_404);
    expect((await rowsOf(id, {})).status).toBe(401);
    expect((await rowsOf(id, basicOf(bob))).status).toBe(200);
  });

  it('is viewed with the values of its parameters', async () => {
    const id = await keepQuery({
      sql: "SELECT id FROM items WHERE id > $low AND $day > DATE '2020-01-01' AND contains($names, name) ORDER BY id",
      parameters: {
        low: { type: 'integer', value: '0' },
        day: { type: 'date', value: '2026-01-31' },
        names: ['nut', 'bolt, long'],
      },
    });
    await share(id, withUser(bob));
    expect((await rowsOf(id, basicOf(bob))).body.data).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('a shared result whose statement the engine rejects', () => {
  let other: StreamHost;
  beforeAll(async () => {
    // The same data under another name: the tables of the statement have gone.
    const path = await createShopDatabase(hosts.folder, 'store');
    other = await startStreamHost({
      environment: {
        ...hosts.environment,
        STREAM_PORT: '0',
        DUCKDB_CATALOGS: `store=${path}`,
        DUCKDB_DEFAULT_SCHEMA: 'store.main',
      },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
    });
  }, 60_000);
  afterAll(async () => await other?.drain());

  it('is denied to a viewer with a share, on record, and not to the account that ran it', async () => {
    const id = await keepQuery({ sql: 'SELECT name FROM shop.main.items' });
    await share(id, withUser(bob));
    expect((await rowsOf(id, basicOf(bob))).status).toBe(200);
    for (const path of ['/rows', '/result']) {
      const denied = await at(id, path, basicOf(bob), 'GET', other.url);
      expect([denied.status, denied.body.error]).toEqual([403, 'access_denied']);
      expect(denied.body.message).toMatch(/^The engine denies you the statement of this result/);
      expect(denied.text).not.toMatch(/shop|items/);
      const records = await hosts.rows('select action, user_name, target from audit_log where request_id = $1', [
        denied.body.request_id,
      ]);
      const target = path === '/rows' ? 'readRows' : 'getResult';
      expect(records).toEqual([{ action: 'ACCESS_DENIED', user_name: bob.email, target }]);
      expect((await at(id, path, ann, 'GET', other.url)).status).toBe(200);
    }
  });
});

describe('a result that is not there', () => {
  it('returns 404 for a query that is unknown, not kept, running or expired, and for an id of another form', async () => {
    const notKept = queryIdOf(await post(`${hosts.url}/query`, { sql: SQL }, ann));
    const expired = await keepQuery({ keep: '1s' });
    await until(async () => ((await factsOf(expired, ann)).status === 404 ? true : undefined), { what: 'the expiry' });
    const unfinished = await keepQuery();
    await hosts.rows(`update kept_results set state = 'WRITING' where query_id = $1`, [unfinished]);
    for (const id of [notKept, expired, unfinished, randomUUID(), 'no-id'])
      expect([id, await statusesOf(id, ann)]).toEqual([id, ALL_404]);
  });
});
