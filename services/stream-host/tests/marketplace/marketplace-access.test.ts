import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, logIn } from '@sluice/testkit/requests';
import pg from 'pg';

const GRANTS_MAX = 1_000;

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let adminToken: string;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  const user = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  admin = basicOf(user);
  adminToken = (await logIn(hosts, user)).id_token;
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const QUERIES = { one: 'SELECT 1 AS a' };
const putGrants = (id: string, grants: readonly object[]) =>
  ask('PUT', `/marketplace/${id}/grants`, { credential: admin, body: { grants } });
const countGrants = async (id: string): Promise<number> =>
  (await ask('GET', `/marketplace/${id}/grants`, { credential: admin })).body.grants.length;
const fill = (id: string, count: number) =>
  hosts.rows(
    `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, granted_by)
     select $1, $2, 'user', 'filler' || n || '@example.com', 'test' from generate_series(1, $3::int) n`,
    [hosts.acme.id, id, count],
  );

/** Creates an access request of ann and returns the paths of its decisions. */
async function askFor(id: string): Promise<{ readonly approve: string; readonly state: () => Promise<string> }> {
  const path = `/marketplace/${id}/access-requests`;
  const made = await ask('POST', path, { credential: ann, body: { reason: 'For the yearly report' } });
  expect(made.status).toBe(201);
  const state = async () => (await ask('GET', path, { credential: ann })).body.data[0].state as string;
  return { approve: `${path}/${made.body.request_id}/approve`, state };
}

describe('the grants of an item', () => {
  it('are replaced only if they are those that the caller has read', async () => {
    const id = await createItem(hosts, admin, { id: 'versioned', queries: QUERIES });
    const path = `/marketplace/${id}/grants`;
    const put = (tag: string, name: string, query = '') =>
      ask('PUT', `${path}${query}`, {
        credential: admin,
        body: { grants: [{ kind: 'role', name }] },
        headers: { 'if-match': tag },
      });
    await putGrants(id, []);
    const first = (await ask('GET', path, { credential: admin })).headers['etag'] ?? '';
    const stored = await put(first, 'analyst');
    expect([stored.status, stored.headers['etag']]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect((await ask('GET', path, { credential: admin })).headers['etag']).toBe(stored.headers['etag']);
    const outdated = await put(first, 'steward');
    expect([outdated.status, outdated.body.error]).toEqual([412, 'precondition_failed']);
    expect((await put('*', 'steward', '?dry_run=true')).status).toBe(200);
    expect((await ask('GET', path, { credential: admin })).body.grants).toMatchObject([{ name: 'analyst' }]);
    const unknown = await put('*', 'nobody', '?dry_run=true');
    expect([unknown.status, unknown.body.details]).toMatchObject([400, [{ message: 'there is no role nobody' }]]);
  });
});

describe('an approval', () => {
  it('returns 409 at the maximum of grants and leaves the request undecided', async () => {
    const id = await createItem(hosts, admin, { id: 'full', queries: QUERIES });
    await putGrants(id, []);
    await fill(id, GRANTS_MAX);
    const { approve, state } = await askFor(id);
    const refused = await ask('POST', approve, { credential: admin, body: {} });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('at most 1000 grants')]);
    expect([await state(), await countGrants(id)]).toEqual(['PENDING', GRANTS_MAX]);
    await hosts.rows(`update marketplace_grants set subject = $2 where item_id = $1 and subject like 'filler7@%'`, [
      id,
      hosts.ann.email,
    ]);
    expect((await ask('POST', approve, { credential: admin, body: {} })).status).toBe(200);
    expect([await state(), await countGrants(id)]).toEqual(['APPROVED', GRANTS_MAX]);
  });

  it('with an expiry in the past returns 400 and grants nothing', async () => {
    const id = await createItem(hosts, admin, { id: 'past', queries: QUERIES });
    await putGrants(id, []);
    const { approve, state } = await askFor(id);
    for (const expires_ts of [0, Math.floor(Date.now() / 1000), Date.now() - 1]) {
      const refused = await ask('POST', approve, { credential: admin, body: { expires_ts } });
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'body.expires_ts']);
    }
    expect([await state(), await countGrants(id)]).toEqual(['PENDING', 0]);
  });

  it('is decided exactly once by concurrent approvals and refusals', async () => {
    const id = await createItem(hosts, admin, { id: 'many-deciders', queries: QUERIES });
    await putGrants(id, []);
    const { approve, state } = await askFor(id);
    const paths = [approve, approve, approve.replace(/approve$/, 'refuse'), approve];
    const answers = await Promise.all(paths.map((path) => ask('POST', path, { credential: admin, body: {} })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await countGrants(id)).toBe((await state()) === 'APPROVED' ? 1 : 0);
  });
});

describe('grants', () => {
  it('of concurrent PUT requests are those of one request', async () => {
    const id = await createItem(hosts, admin, { id: 'put-at-once', queries: QUERIES });
    const roles = ['admin', 'analyst', 'auditor', 'service', 'steward'];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(roles.map((name) => putGrants(id, [{ kind: 'role', name }])));
      expect(answers.map(({ status }) => status)).toEqual(roles.map(() => 200));
      expect(await countGrants(id)).toBe(1);
    }
  });

  it('and requests never fail with 500 while the item is removed', async () => {
    const headers = { idtoken: adminToken, 'content-type': 'application/json' };
    const grant = (id: string) =>
      send(`${hosts.api.url}/admin/grants`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ item_id: id, kind: 'role', name: 'steward' }),
      });
    for (let round = 0; round < 12; round += 1) {
      const id = await createItem(hosts, admin, { id: `removed-${round}`, queries: QUERIES });
      const path = `/marketplace/${id}/access-requests`;
      const answers = await Promise.all([
        ask('POST', path, { credential: ann, body: { reason: 'Please' } }),
        putGrants(id, [{ kind: 'role', name: 'analyst' }]),
        grant(id),
        ask('DELETE', `/marketplace/${id}`, { credential: admin }),
        putGrants(id, [{ kind: 'role', name: 'service' }]),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    }
  });
});

describe('a change that waits for another transaction', () => {
  const WAITING = `
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

  const countWaiting = async () => Number((await hosts.rows<{ waiting: number }>(WAITING))[0]?.waiting);

  /** Starts a change while another transaction holds the item, runs `meanwhile`, commits that transaction and returns the change's answer. */
  async function changeDuring(
    held: string,
    change: () => Promise<ReceivedResponse>,
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<ReceivedResponse> {
    const holder = new pg.Client({ connectionString: hosts.testDatabase.ownerUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(held);
      const changing = change();
      await until(async () => (await countWaiting()) === 1 || undefined, { what: 'the change to wait' });
      await meanwhile();
      await holder.query('commit');
      return await changing;
    } finally {
      await holder.end();
    }
  }

  /** Creates an item of its own owner, and the statement by which an admin transfers it. */
  async function transferred(id: string) {
    const owner = basicOf(await hosts.build.user(hosts.acme, { roles: ['steward'] }));
    await createItem(hosts, owner, { id, queries: QUERIES });
    const transfer = `update marketplace_items set owner_id = '${hosts.ann.id}', owner_name = '${hosts.ann.email}' where item_id = '${id}'`;
    return { owner, transfer };
  }

  it('is denied to a former owner', async () => {
    const { owner, transfer } = await transferred('transferred');
    const { body } = await ask('GET', '/marketplace/transferred', { credential: owner });
    const item = { title: 'Old', queries: body.queries.map(({ name, datamap_id }: never) => ({ name, datamap_id })) };
    const put = () => ask('PUT', '/marketplace/transferred', { credential: owner, body: item });
    expect((await changeDuring(transfer, put)).status).toBe(403);
    const after = await ask('GET', '/marketplace/transferred', { credential: admin });
    expect(after.body).toMatchObject({ owner: hosts.ann.email, title: 'Title of transferred' });
  });

  it('does not approve a request in the name of a former owner', async () => {
    const { owner, transfer } = await transferred('approved-late');
    const { approve, state } = await askFor('approved-late');
    const answer = await changeDuring(transfer, () => ask('POST', approve, { credential: owner, body: {} }));
    expect([answer.status, await state()]).toEqual([403, 'PENDING']);
  });

  it('grants nothing to a role or user that is removed meanwhile', async () => {
    await createItem(hosts, admin, { id: 'granted-late', queries: QUERIES });
    const user = await hosts.build.user(hosts.acme, { roles: ['analyst'] });
    const headers = { idtoken: adminToken, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'brief', permissions: ['datamap:read'] });
    expect((await send(`${hosts.api.url}/admin/roles`, { method: 'POST', headers, body })).status).toBe(201);
    const removals: Promise<ReceivedResponse>[] = [];
    const remove = async () => {
      let ended = 0;
      for (const path of ['roles/brief', `users/${user.id}`]) {
        const removal = send(`${hosts.api.url}/admin/${path}`, { method: 'DELETE', headers });
        removals.push(removal.finally(() => (ended += 1)));
      }
      await until(async () => ended + (await countWaiting()) === 3 || undefined, { what: 'the removals' });
    };
    const grants = [
      { kind: 'role', name: 'brief' },
      { kind: 'user', name: user.email },
    ];
    await changeDuring(
      `select 1 from marketplace_items where item_id = 'granted-late' for no key update`,
      () => putGrants('granted-late', grants),
      remove,
    );
    expect((await Promise.all(removals)).map(({ status }) => status)).toEqual([204, 204]);
    expect(await countGrants('granted-late')).toBe(0);
  });
});

it('hides the columns of an unpublished datamap', async () => {
  const datamap = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS a');
  await hosts.rows(
    `insert into datamap_fields (tenant_id, fact_id, position, name, type, data_type, java_type, column_size, decimal_digits)
     values ($1, $2, 1, 'draft_column', 'integer', 4, 'java.lang.Integer', 10, 0)`,
    [hosts.acme.id, datamap],
  );
  const body = { id: 'withdrawn', title: 'Withdrawn', queries: [{ name: 'a', datamap_id: datamap }] };
  const made = await ask('POST', '/marketplace', { credential: admin, body });
  expect(made.body.queries[0].columns).toEqual([{ name: 'draft_column', type: 'integer', description: null }]);
  await hosts.rows(`update datamaps set state = 'IN_PROGRESS' where fact_id = $1`, [datamap]);
  for (const path of ['/marketplace/withdrawn', '/marketplace?q=withdrawn']) {
    const seen = await ask('GET', path, { credential: ann });
    expect([seen.status, seen.text]).toEqual([200, expect.not.stringContaining('draft_column')]);
  }
});
