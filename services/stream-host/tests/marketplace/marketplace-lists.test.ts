import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let steward: Credential;
let stewardName: string;
let ann: Credential;
let otherTenantAdmin: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  const owner = await hosts.build.user(hosts.acme, { roles: ['steward'] });
  stewardName = owner.email;
  steward = basicOf(owner);
  ann = basicOf(hosts.ann);
  otherTenantAdmin = {
    ...basicOf(await hosts.build.user(hosts.globex, { roles: ['admin'] })),
    host: 'globex-stream.localhost',
  };
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const get = async (path: string, credential: Credential) => (await ask('GET', path, { credential })).body;

describe('the list of items', () => {
  it('is filtered by tag and owner, and counts the values of what it finds', async () => {
    const datamap = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS a');
    const queries = [{ name: 'a', datamap_id: datamap }];
    for (const [id, credential, tags] of [
      ['red-one', steward, ['red', 'Shared']],
      ['red-two', admin, ['red']],
      ['blue-one', steward, ['blue', 'Shared']],
    ] as const)
      await ask('POST', '/marketplace', { credential, body: { id, title: id, tags, queries } });
    const found = await get('/marketplace?tag=red&facets=true', ann);
    expect([found.total, found.data.map(({ id }: { id: string }) => id)]).toEqual([2, ['red-one', 'red-two']]);
    expect(found.facets).toMatchObject({
      tags: [
        { value: 'red', count: 2 },
        { value: 'Shared', count: 1 },
      ],
      domains: [],
    });
    const own = await get(`/marketplace?tag=Shared&owner=${encodeURIComponent(stewardName)}&q=blue`, ann);
    expect([own.total, own.facets]).toEqual([1, undefined]);
    expect((await get('/marketplace?domain=nope', ann)).total).toBe(0);
    expect((await ask('GET', '/marketplace?facets=yes', { credential: ann })).status).toBe(400);
    expect((await get('/marketplace?facets=true', otherTenantAdmin)).facets).toEqual({
      tags: [],
      domains: [],
      owners: [],
    });
  });

  it('has the names of domains, also for users who may not read the list of domains', async () => {
    const datamap = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS a');
    const [domain] = await hosts.rows<{ id: string }>(
      `insert into domains (tenant_id, domain_id, name, name_key, updated_by)
      values ($1, gen_random_uuid(), 'Umsätze', 'umsätze', 'test') returning domain_id as id`,
      [hosts.acme.id],
    );
    const id = domain?.id ?? '';
    const body = { id: 'named', title: 'named', domains: [id], queries: [{ name: 'a', datamap_id: datamap }] };
    expect((await ask('POST', '/marketplace', { credential: steward, body })).body.domain_names).toEqual(['Umsätze']);
    const consumer = basicOf(await hosts.build.user(hosts.acme, { roles: [] }));
    expect(await get('/marketplace/named', consumer)).toMatchObject({ domains: [id], domain_names: ['Umsätze'] });
    const found = await get(`/marketplace?domain=${id}&facets=true`, consumer);
    expect(found.data[0]).toMatchObject({ domain_names: ['Umsätze'] });
    expect(found.facets.domains).toEqual([{ value: id, name: 'Umsätze', count: 1 }]);
  });

  it('is filtered by the datamap that an item needs', async () => {
    const [used, unused] = await Promise.all(
      ['SELECT 1 AS a', 'SELECT 2 AS a'].map((sql) => publishDatamap(hosts, hosts.acme, sql)),
    );
    const queries = ['a', 'b'].map((name) => ({ name, datamap_id: used }));
    await ask('POST', '/marketplace', { credential: steward, body: { id: 'needs-it', title: 'Needs it', queries } });
    await hosts.rows(`update datamaps set state = 'ARCHIVED' where fact_id = $1`, [used]);
    const found = await get(`/marketplace?datamap=${used}&facets=true`, ann);
    expect([found.total, found.data.map(({ id }: { id: string }) => id)]).toEqual([1, ['needs-it']]);
    expect(found.facets.owners).toEqual([{ value: stewardName, count: 1 }]);
    for (const other of [unused, 'nope', '%27'])
      expect((await get(`/marketplace?datamap=${other}`, ann)).total).toBe(0);
    expect((await get(`/marketplace?datamap=${used}`, otherTenantAdmin)).total).toBe(0);
  });
});

describe('the end of access', () => {
  it('is the last expiry of the valid grants of the caller', async () => {
    const id = await createItem(hosts, admin, { id: 'ending', queries: { one: 'SELECT 1 AS a' } });
    const inDays = (days: number): number => Date.now() + days * 86_400_000;
    const put = (grants: readonly object[]) =>
      ask('PUT', `/marketplace/${id}/grants`, { credential: admin, body: { grants } });
    const access = async (credential: Credential) => {
      const { is_granted, access_expires_ts } = await get(`/marketplace/${id}`, credential);
      return [is_granted, access_expires_ts];
    };
    expect(await access(ann)).toEqual([true, null]);
    const [soon, later] = [inDays(1), inDays(2)];
    const user = { kind: 'user', name: hosts.ann.email, expires_ts: soon };
    await put([user, { kind: 'role', name: 'analyst', expires_ts: later }]);
    expect(await access(ann)).toEqual([true, later]);
    await put([user, { kind: 'role', name: 'analyst' }]);
    expect(await access(ann)).toEqual([true, null]);
    await put([user]);
    expect(await access(ann)).toEqual([true, soon]);
    await hosts.rows('update marketplace_grants set expires = now() where item_id = $1', [id]);
    expect(await access(ann)).toEqual([false, null]);
    expect(await access(admin)).toEqual([true, null]);
  });
});

describe('the list of access requests', () => {
  it('has your own, and in the inbox those that you may decide', async () => {
    const datamap = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS a');
    const queries = [{ name: 'a', datamap_id: datamap }];
    for (const [id, credential] of [
      ['of-steward', steward],
      ['of-admin', admin],
    ] as const) {
      await ask('POST', '/marketplace', { credential, body: { id, title: `The ${id}`, queries } });
      await ask('POST', `/marketplace/${id}/access-requests`, { credential: ann, body: { reason: `For ${id}` } });
    }
    const list = async (query: string, credential: Credential) => {
      const { total, data } = await get(`/access-requests?${query}`, credential);
      return [total, data.map((each: { item_id: string }) => each.item_id).sort()];
    };
    expect(await list('', ann)).toEqual([2, ['of-admin', 'of-steward']]);
    expect(await list('scope=inbox', ann)).toEqual([0, []]);
    expect(await list('scope=own', steward)).toEqual([0, []]);
    expect(await list('scope=inbox&state=PENDING', steward)).toEqual([1, ['of-steward']]);
    expect(await list('scope=inbox', admin)).toEqual([2, ['of-admin', 'of-steward']]);
    expect(await list('scope=inbox', otherTenantAdmin)).toEqual([0, []]);
    const [request] = (await get('/access-requests?scope=inbox', steward)).data;
    expect(request).toMatchObject({
      item_title: 'The of-steward',
      item_owner: stewardName,
      user: hosts.ann.email,
      reason: 'For of-steward',
      state: 'PENDING',
    });
    const refuse = `/marketplace/of-steward/access-requests/${request.request_id}/refuse`;
    expect((await ask('POST', refuse, { credential: steward, body: { note: 'No' } })).status).toBe(200);
    expect(await list('scope=inbox&state=PENDING', steward)).toEqual([0, []]);
    expect(await list('state=REFUSED', ann)).toEqual([1, ['of-steward']]);
    const [first] = (await get('/access-requests?size=1', ann)).data;
    expect([first.state, (await get('/access-requests?from=1&size=1', ann)).data[0].note]).toEqual(['PENDING', 'No']);
    expect((await ask('GET', '/access-requests?scope=all', { credential: ann })).status).toBe(400);
  });
});
