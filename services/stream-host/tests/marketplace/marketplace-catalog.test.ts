import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let steward: Credential;
let ann: Credential;
let otherTenantAdmin: Credential;
let datamap: string;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  steward = basicOf(await hosts.build.user(hosts.acme, { roles: ['steward'] }));
  ann = basicOf(hosts.ann);
  const globexAdmin = await hosts.build.user(hosts.globex, { roles: ['admin'] });
  otherTenantAdmin = { ...basicOf(globexAdmin), host: 'globex-stream.localhost' };
  datamap = await publishDatamap(hosts, hosts.acme, 'SELECT * FROM items');
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const item = (id: string, more: object = {}): object => ({
  id,
  title: `Title ${id}`,
  queries: [{ name: 'all items', datamap_id: datamap }],
  ...more,
});

describe('the marketplace', () => {
  it('shows items that a steward creates from published datamaps to all users of the tenant', async () => {
    const body = item('shop-items', { description: 'What the shop sells', tags: ['Shop', 'nuts & bolts'] });
    const made = await ask('POST', '/marketplace', { credential: steward, body });
    expect([made.status, made.headers['etag'], made.headers['location']]).toEqual([
      201,
      '"1"',
      '/marketplace/shop-items',
    ]);
    const seen = await ask('GET', '/marketplace/shop-items', { credential: ann });
    expect(seen.body).toMatchObject({
      id: 'shop-items',
      title: 'Title shop-items',
      version: 1,
      tags: ['Shop', 'nuts & bolts'],
      queries: [{ name: 'all items', datamap_id: datamap, is_published: true }],
      download_count: 0,
      is_granted: false,
    });
    expect(seen.text).not.toContain('SELECT');
  });

  it('finds items with all words in title, description and tags, in pages sorted by title', async () => {
    await ask('POST', '/marketplace', { credential: steward, body: item('b-two', { tags: ['Blue moon'] }) });
    await ask('POST', '/marketplace', { credential: steward, body: item('b-one', { description: 'blue % sky' }) });
    const found = async (query: string): Promise<unknown> => {
      const answer = await ask('GET', `/marketplace?${query}`, { credential: ann });
      return [answer.body.total, answer.body.data.map(({ id }: { id: string }) => id)];
    };
    expect(await found('q=BLUE')).toEqual([2, ['b-one', 'b-two']]);
    expect(await found('q=moon%20blue')).toEqual([1, ['b-two']]);
    expect(await found('q=%25')).toEqual([1, ['b-one']]);
    expect(await found('q=blue&from=1&size=1')).toEqual([2, ['b-two']]);
    const streets = item('streets', { title: 'Straßen', tags: ['Größe', 'GRÖSSE', 'grösse'] });
    expect((await ask('POST', '/marketplace', { credential: steward, body: streets })).body.tags).toEqual(['Größe']);
    for (const q of ['strassen', 'STRAẞEN', 'Straße', 'grösse']) {
      expect([q, await found(`q=${encodeURI(q)}`)]).toEqual([q, [1, ['streets']]]);
    }
  });

  it('increments the version at each change and records the previous state', async () => {
    await ask('POST', '/marketplace', { credential: steward, body: item('changing') });
    const { id: _, ...change } = item('changing', { title: 'Changed' }) as { id: string };
    const changed = await ask('PUT', '/marketplace/changing', { credential: admin, body: change });
    expect(changed.body).toMatchObject({ title: 'Changed', version: 2 });
    const [record] = await hosts.rows<{ metadata: { before: object; after: object } }>(
      `select metadata from audit_log where action = 'UPDATE_MARKETPLACE_ITEM' and target = 'changing'`,
    );
    expect(record?.metadata).toMatchObject({
      before: { title: 'Title changing' },
      after: { title: 'Changed', version: 2 },
    });
    expect((await ask('DELETE', '/marketplace/changing', { credential: steward })).status).toBe(204);
    expect((await ask('GET', '/marketplace/changing', { credential: ann })).status).toBe(404);
  });

  it('returns 412 for a change of an older version', async () => {
    await ask('POST', '/marketplace', { credential: steward, body: item('guarded') });
    const { id: _, ...change } = item('guarded', { title: 'Guarded' }) as { id: string };
    const write = (method: string, tag: string) =>
      ask(method, '/marketplace/guarded', {
        credential: steward,
        headers: { 'if-match': tag },
        ...(method === 'PUT' ? { body: change } : {}),
      });
    expect([(await write('PUT', '"1"')).status, (await write('PUT', '"1"')).status]).toEqual([200, 412]);
    const answers = [await write('DELETE', '"1"'), await write('DELETE', 'W/"2"'), await write('PUT', 'two')];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [412, 'precondition_failed'],
      [412, 'precondition_failed'],
      [412, 'precondition_failed'],
    ]);
    expect((await ask('GET', '/marketplace/guarded', { credential: ann })).headers['etag']).toBe('"2"');
    expect((await write('DELETE', '"2"')).status).toBe(204);
  });

  it('returns 404 for items of another tenant', async () => {
    await ask('POST', '/marketplace', { credential: steward, body: item('secret') });
    expect((await ask('GET', '/marketplace/secret', { credential: otherTenantAdmin })).status).toBe(404);
    expect((await ask('POST', '/marketplace/secret/download/csv', { credential: otherTenantAdmin })).status).toBe(404);
    expect((await ask('GET', '/marketplace', { credential: otherTenantAdmin })).body).toEqual({ total: 0, data: [] });
  });

  it.each([
    ['an invalid id', { id: 'Über/../x' }, 'id must be'],
    ['no query', { queries: [] }, 'at least one'],
    [
      '101 queries',
      { queries: Array.from({ length: 101 }, (_, at) => ({ name: `q${at}`, datamap_id: 'x' })) },
      'at most 100',
    ],
    ['an unknown datamap', { queries: [{ name: 'a', datamap_id: 'nope' }] }, 'no published datamap nope'],
    [
      'two queries with the same name',
      { queries: ['a', 'A'].map((name) => ({ name, datamap_id: 'x' })) },
      'queries must not name A twice',
    ],
    ['an unknown domain', { domains: ['nope'] }, 'no domain nope'],
    ['an unknown owner', { owner: 'nobody@acme.example' }, 'no user or client'],
    ['a NUL in its title', { title: 'a\u0000' }, 'NUL'],
    ['an unknown key', { sql: 'SELECT 1' }, 'sql'],
  ])('rejects an item with %s', async (_, more, message) => {
    const answer = await ask('POST', '/marketplace', { credential: admin, body: item('refused', more) });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(answer.body)).toContain(message);
  });

  it('accepts an item with 40 queries', async () => {
    const queries = Array.from({ length: 40 }, (_, at) => ({ name: `query ${at}`, datamap_id: datamap }));
    const made = await ask('POST', '/marketplace', { credential: admin, body: item('forty', { queries }) });
    expect([made.status, made.body.queries.length]).toEqual([201, 40]);
  });

  it('lets only its owner and admins change an item, and only datamap:write create one', async () => {
    await ask('POST', '/marketplace', { credential: steward, body: item('owned') });
    const { id: _, ...change } = item('owned') as { id: string };
    expect((await ask('PUT', '/marketplace/owned', { credential: ann, body: change })).status).toBe(403);
    expect((await ask('GET', '/marketplace/owned/grants', { credential: ann })).status).toBe(403);
    expect((await ask('POST', '/marketplace', { credential: ann, body: item('mine') })).status).toBe(403);
    expect((await ask('POST', '/marketplace', { credential: admin, body: item('owned') })).status).toBe(409);
    const given = { ...change, owner: hosts.ann.email };
    expect((await ask('PUT', '/marketplace/owned', { credential: steward, body: given })).status).toBe(403);
    expect((await ask('PUT', '/marketplace/owned', { credential: admin, body: given })).body.owner).toBe(
      hosts.ann.email,
    );
    expect((await ask('PUT', '/marketplace/owned', { credential: ann, body: change })).status).toBe(200);
  });
});

describe('grants', () => {
  const download = (id: string) => ask('POST', `/marketplace/${id}/download/csv`, { credential: ann });

  it('open an item to a role until they expire', async () => {
    const id = await createItem(hosts, admin, { id: 'granted', queries: { one: 'SELECT 1 AS a' } });
    expect((await download(id)).text).toBe('a\n1\n');
    const past = Date.now() - 1;
    const expired = { grants: [{ kind: 'role', name: 'analyst', expires_ts: past }] };
    await hosts.rows('update marketplace_grants set expires = to_timestamp($2::float8 / 1000) where item_id = $1', [
      id,
      past,
    ]);
    const refused = await download(id);
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
    const path = `/marketplace/${id}/grants`;
    expect((await ask('GET', path, { credential: admin })).body).toEqual(expired);
    expect((await ask('PUT', path, { credential: admin, body: expired })).status).toBe(200);
    const [grant] = expired.grants;
    const other = {
      grants: [
        { kind: 'role', name: 'steward' },
        { ...grant, expires_ts: past - 1 },
      ],
    };
    const put = await ask('PUT', path, { credential: admin, body: other });
    expect([put.status, put.body.details]).toEqual([
      400,
      [{ path: 'body.grants[1].expires_ts', message: 'expires_ts must be in the future, in epoch milliseconds' }],
    ]);
  });

  it('are rejected for unknown grantees and for duplicates', async () => {
    const id = await createItem(hosts, admin, { id: 'refusing', queries: { one: 'SELECT 1 AS a' } });
    const put = (grants: object[]) => ask('PUT', `/marketplace/${id}/grants`, { credential: admin, body: { grants } });
    const unknown = await put([
      { kind: 'role', name: 'wizard' },
      { kind: 'user', name: 'x@y.z' },
    ]);
    expect([unknown.status, unknown.body.details.length]).toEqual([400, 2]);
    expect(
      (
        await put([
          { kind: 'role', name: 'analyst' },
          { kind: 'role', name: 'analyst' },
        ])
      ).status,
    ).toBe(400);
  });

  it('are created by an approved request and expire', async () => {
    const id = await createItem(hosts, admin, { id: 'asked-for', queries: { one: 'SELECT 1 AS a' } });
    await ask('PUT', `/marketplace/${id}/grants`, { credential: admin, body: { grants: [] } });
    const path = `/marketplace/${id}/access-requests`;
    const made = await ask('POST', path, { credential: ann, body: { reason: 'For the yearly report' } });
    expect([made.status, made.body.state]).toEqual([201, 'PENDING']);
    expect((await ask('POST', path, { credential: ann, body: { reason: 'again' } })).status).toBe(409);
    expect((await ask('POST', path, { credential: ann, body: { reason: ' ' } })).status).toBe(400);
    const approve = `${path}/${made.body.request_id}/approve`;
    expect((await ask('POST', approve, { credential: ann, body: {} })).status).toBe(403);
    const expires_ts = Date.now() + 3_600_000;
    const approved = await ask('POST', approve, { credential: admin, body: { expires_ts } });
    expect(approved.body).toMatchObject({ state: 'APPROVED', expires_ts });
    expect((await ask('POST', approve, { credential: admin, body: {} })).status).toBe(409);
    expect((await download(id)).status).toBe(200);
    await hosts.rows(`update marketplace_grants set expires = now() where item_id = $1`, [id]);
    expect((await download(id)).status).toBe(403);
    expect((await ask('GET', path, { credential: ann })).body.data).toHaveLength(1);
    const actions = await hosts.rows<{ action: string }>(
      `select action from audit_log where target = $1 and action like '%ACCESS' order by occurred`,
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(['REQUEST_ACCESS', 'APPROVE_ACCESS']);
  });

  it('are not created by a refused request', async () => {
    const id = await createItem(hosts, admin, { id: 'withheld', queries: { one: 'SELECT 1 AS a' } });
    await ask('PUT', `/marketplace/${id}/grants`, { credential: admin, body: { grants: [] } });
    const path = `/marketplace/${id}/access-requests`;
    const { body } = await ask('POST', path, { credential: ann, body: { reason: 'Please' } });
    const refuse = (requestId: string) =>
      ask('POST', `${path}/${requestId}/refuse`, { credential: admin, body: { note: 'Not yours' } });
    expect((await refuse(body.request_id)).body).toMatchObject({ state: 'REFUSED', note: 'Not yours' });
    expect((await refuse('nope')).status).toBe(404);
    expect((await download(id)).status).toBe(403);
  });
});
