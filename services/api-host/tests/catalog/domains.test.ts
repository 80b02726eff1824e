import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '../hosts/requests.ts';
import { startTestHost, type TestHost } from '../hosts/start-test-host.ts';
import {
  auditRecords,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedTable,
  storedMetadata,
} from './catalog-seed.ts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let otherTenantAdmin: LoggedIn;

beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  otherTenantAdmin = await logInAs(test, ['steward'], test.globex);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

interface Asked {
  readonly method: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly as?: LoggedIn;
  readonly ifMatch?: string;
}

const ask = ({ method, path = '', body, as = steward, ifMatch }: Asked): Promise<ReceivedResponse> =>
  send(`${test.url}/domains${path}`, {
    method,
    headers: {
      idtoken: as.idToken,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const create = async (name: string, description?: string): Promise<ReceivedResponse> =>
  ask({ method: 'POST', body: { name, ...(description === undefined ? {} : { description }) } });

describe('a domain', () => {
  it('is created, read, changed and removed, each with an audit record of the values before and after', async () => {
    const made = await create(' Sales ', 'What we sell');
    expect(made.status).toBe(201);
    const { id } = made.body;
    const expected = { id, name: 'Sales', description: 'What we sell', object_count: 0, updated_by: steward.email };
    expect(made.body).toEqual({ ...expected, created_ts: expect.any(Number), updated_ts: expect.any(Number) });
    expect([made.headers.etag, made.headers.location]).toEqual(['"1"', `/domains/${id}`]);
    const read = await get(test, analyst, `/domains/${id}`);
    expect([read.status, read.body, read.headers.etag]).toEqual([200, made.body, '"1"']);
    const changed = await ask({ method: 'PUT', path: `/${id}`, body: { name: 'sales', description: '' } });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ id, name: 'sales', description: null, created_ts: made.body.created_ts });
    const removed = await ask({ method: 'DELETE', path: `/${id}` });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await get(test, analyst, `/domains/${id}`)).status).toBe(404);
    const was = { name: 'Sales', description: 'What we sell' };
    const is = { name: 'sales', description: null };
    const records = await Promise.all([made, read, changed, removed].map((answer) => auditRecords(test, answer)));
    expect(records.map(([record]) => [record?.action, record?.target, record?.metadata])).toEqual([
      ['CREATE_DOMAIN', 'Sales', { domain_id: id, before: null, after: was }],
      ['READ_DOMAINS', 'Sales', { domain_id: id }],
      ['UPDATE_DOMAIN', 'sales', { domain_id: id, before: was, after: is }],
      ['DELETE_DOMAIN', 'sales', { domain_id: id, before: is, after: null }],
    ]);
    expect(records.every(({ length }) => length === 1)).toBe(true);
  });

  it('has a name that is unique regardless of case and Unicode form', async () => {
    const first = (await create('Finance')).body;
    const second = (await create('Caf\u00e9')).body;
    for (const name of ['finance', 'FINANCE', ' Finance ', 'cafe\u0301']) {
      expect([(await create(name)).status, (await create(name)).body.error]).toEqual([409, 'conflict']);
    }
    const taken = await ask({ method: 'PUT', path: `/${second.id}`, body: { name: 'FINANCE' } });
    expect(taken.status).toBe(409);
    const other = await ask({ method: 'POST', body: { name: 'Finance' }, as: otherTenantAdmin });
    expect(other.status).toBe(201);
    const same = await ask({ method: 'PUT', path: `/${first.id}`, body: { name: 'FINANCE' } });
    expect([same.status, same.body.name]).toEqual([200, 'FINANCE']);
    const attempts = await Promise.all(Array.from({ length: 10 }, () => create('Race')));
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it('rejects a change or removal that is based on an older version', async () => {
    const { id } = (await create('Versions')).body;
    const put = (ifMatch: string, name = 'Versions') => ask({ method: 'PUT', path: `/${id}`, body: { name }, ifMatch });
    expect((await put('"1"')).headers.etag).toBe('"2"');
    for (const tag of ['"1"', '"3"', 'W/"2"', '2', '"x"', '"1", "2"']) {
      const refused = await put(tag, 'lost');
      expect([refused.status, refused.body.error]).toEqual([412, 'precondition_failed']);
      expect((await ask({ method: 'DELETE', path: `/${id}`, ifMatch: tag })).status).toBe(412);
    }
    expect((await put('*')).headers.etag).toBe('"3"');
    const race = await Promise.all(Array.from({ length: 10 }, () => put('"3"')));
    expect(race.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    expect((await ask({ method: 'DELETE', path: `/${id}`, ifMatch: '"4"' })).status).toBe(204);
  });

  it('cannot be removed while it is in use', async () => {
    const { id } = (await create('Carried')).body;
    const fact = await seedTable(test, test.acme, { name: 'carrier' });
    const carrier = { type: 'TABLE', id: 'demo.vega.carrier' };
    await importMetadata(test, steward, importOf({ ...carrier, add_domains: [id.toUpperCase()] }));
    expect((await storedMetadata(test, fact)).domains).toEqual([id]);
    expect((await get(test, steward, `/domains/${id}`)).body.object_count).toBe(1);
    expect((await ask({ method: 'DELETE', path: `/${id}` })).body.error).toBe('conflict');
    await importMetadata(test, steward, importOf({ ...carrier, remove_domains: [id] }));
    expect((await ask({ method: 'DELETE', path: `/${id}` })).status).toBe(204);
  });
});

describe('the list', () => {
  it('is ordered by name, in pages with a total, within the tenant', async () => {
    const names = ['beta', 'Alpha', 'gamma'];
    for (const name of names) await ask({ method: 'POST', body: { name: `list ${name}` }, as: otherTenantAdmin });
    const { body } = await get(test, otherTenantAdmin, '/domains');
    const listed: string[] = body.data.map(({ name }: { name: string }) => name);
    expect(listed.filter((name) => name.startsWith('list'))).toEqual(['list Alpha', 'list beta', 'list gamma']);
    expect(body.total).toBe(listed.length);
    const page = (await get(test, otherTenantAdmin, '/domains?from=1&size=1')).body;
    expect([page.total, page.data.map(({ name }: { name: string }) => name)]).toEqual([body.total, [listed[1]]]);
    const own = (await get(test, analyst, '/domains?size=1000')).body.data;
    expect(own.some(({ name }: { name: string }) => name.startsWith('list'))).toBe(false);
  });
});

describe('invalid requests', () => {
  it('return 400 with every problem', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['body.name']],
      [{ name: ' ', description: 1, color: 'red' }, ['body.name', 'body.description', 'body.color']],
      [{ name: 'x'.repeat(257) }, ['body.name']],
      [{ name: 'a\0' }, ['body.name']],
      [{ name: null }, ['body.name']],
      [[], ['body']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await ask({ method: 'POST', body });
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    for (const query of ['size=0', 'size=1001', 'size=x', 'from=-1', 'from=1.5', 'page=2', 'size=1&size=2']) {
      expect((await get(test, analyst, `/domains?${query}`)).status).toBe(400);
    }
  });

  it('return 403 without the permission, and 404 for missing objects and objects of other tenants', async () => {
    const { id } = (await create('Refused')).body;
    for (const request of [
      { method: 'POST', body: { name: 'x' } },
      { method: 'PUT', path: `/${id}`, body: { name: 'x' } },
      { method: 'DELETE', path: `/${id}` },
    ]) {
      const answer = await ask({ ...request, as: analyst });
      expect([answer.status, (await auditRecords(test, answer))[0]?.action]).toEqual([403, 'ACCESS_DENIED']);
    }
    for (const [as, path] of [
      [otherTenantAdmin, `/${id}`],
      [steward, `/${randomUUID()}`],
      [steward, '/no-uuid'],
    ] as const) {
      for (const method of ['GET', 'DELETE']) expect((await ask({ method, path, as })).status).toBe(404);
      expect((await ask({ method: 'PUT', path, as, body: { name: 'x' } })).status).toBe(404);
    }
    expect((await send(`${test.url}/domains`)).status).toBe(401);
  });
});
