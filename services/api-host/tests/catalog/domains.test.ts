import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import {
  type AdminRequest,
  adminTest,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import type { Body } from '../administration/admin-resource.ts';
import { describeAdminResource } from '../administration/describe-admin-resource.ts';

const fixture = adminTest(undefined, { base: '', roles: ['steward'], deniedRoles: ['analyst', 'auditor', 'service'] });
let analyst: LoggedIn;

beforeAll(async () => {
  analyst = await logInAs(fixture.test, ['analyst'], fixture.test.acme);
}, 120_000);

const ask = (request: AdminRequest) => fixture.admin.ask(request);
const create = (name: string) => ask({ method: 'POST', path: '/domains', body: { name } });
const newBody = (): Body => ({ name: `d ${randomUUID()}`, description: 'new' });

describeAdminResource(fixture, {
  what: 'domain',
  path: '/domains',
  isPublic: true,
  newBody,
  changes: () => [newBody(), newBody(), newBody()],
  pathOf: ({ id }) => `/domains/${id}`,
  versions: ['"1"', '"2"'],
  missing: () => [`/domains/${randomUUID()}`, '/domains/no-uuid'],
  textParameters: [],
  life() {
    const was = { name: 'Sales', description: 'What we sell', owner: null };
    const is = { name: 'sales', description: null, owner: null };
    const created = ({ id }: { id: string }) => ({
      id,
      ...was,
      object_count: 0,
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
    });
    return {
      body: { name: ' Sales ', description: 'What we sell' },
      created,
      afterRead: async (made) => {
        const shown = await get(fixture.test, analyst, `/domains/${made.id}`);
        expect([shown.status, shown.body, shown.headers.etag]).toEqual([200, made, '"1"']);
      },
      change: { name: 'sales', description: '' },
      changed: is,
      records: ({ id }) => [
        ['CREATE_DOMAIN', 'Sales', { domain_id: id, before: null, after: was }],
        ['READ_DOMAINS', 'Sales', { domain_id: id }],
        ['UPDATE_DOMAIN', 'sales', { domain_id: id, before: was, after: is }],
        ['DELETE_DOMAIN', 'sales', { domain_id: id, before: is, after: null }],
      ],
    };
  },
  invalid: () => ({
    creations: [
      [{}, ['body.name']],
      [{ name: ' ', description: 1, color: 'red' }, ['body.name', 'body.description', 'body.color']],
      [{ name: 'x'.repeat(257) }, ['body.name']],
      [{ name: 'a\0' }, ['body.name']],
      [{ name: null }, ['body.name']],
      [[], ['body']],
    ],
    changes: [{}, { name: null }, { name: ' ' }, { name: 'x', color: 'red' }],
    queries: ['size=0', 'size=1001', 'size=x', 'from=-1', 'from=1.5', 'page=2', 'size=1&size=2'],
  }),
  listed: {
    bodies: ['beta', 'Alpha', 'gamma'].map((name) => ({ name: `list ${name}` })),
    keys: ['list Alpha', 'list beta', 'list gamma'],
    keyOf: ({ name }) => name,
    isPaged: true,
  },
});

describe('a domain', () => {
  it('has a name that is unique regardless of case and Unicode form', async () => {
    const first = (await create('Finance')).body;
    const second = (await create('Caf\u00e9')).body;
    for (const name of ['finance', 'FINANCE', ' Finance ', 'cafe\u0301']) {
      expect([(await create(name)).status, (await create(name)).body.error]).toEqual([409, 'conflict']);
    }
    const taken = await ask({ method: 'PUT', path: `/domains/${second.id}`, body: { name: 'FINANCE' } });
    expect(taken.status).toBe(409);
    const other = await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/domains', body: { name: 'Finance' } });
    expect(other.status).toBe(201);
    const same = await ask({ method: 'PUT', path: `/domains/${first.id}`, body: { name: 'FINANCE' } });
    expect([same.status, same.body.name]).toEqual([200, 'FINANCE']);
  });

  it('gets a new version with each change, and accepts any version for `*`', async () => {
    const { id } = (await create('Versions')).body;
    const put = (ifMatch: string) =>
      ask({ method: 'PUT', path: `/domains/${id}`, body: { name: 'Versions' }, ifMatch });
    expect((await put('"1"')).headers.etag).toBe('"2"');
    expect((await put('*')).headers.etag).toBe('"3"');
  });

  it('cannot be removed while it is in use', async () => {
    const { id } = (await create('Carried')).body;
    const fact = await seedTable(fixture.test, fixture.test.acme, { name: 'carrier' });
    const carrier = { type: 'TABLE', id: 'demo.vega.carrier' };
    await importMetadata(fixture.test, fixture.admin, importOf({ ...carrier, add_domains: [id.toUpperCase()] }));
    expect((await storedMetadata(fixture.test, fact)).domains).toEqual([id]);
    expect((await get(fixture.test, fixture.admin, `/domains/${id}`)).body.object_count).toBe(1);
    expect((await ask({ method: 'DELETE', path: `/domains/${id}` })).body.error).toBe('conflict');
    await importMetadata(fixture.test, fixture.admin, importOf({ ...carrier, remove_domains: [id] }));
    expect((await ask({ method: 'DELETE', path: `/domains/${id}` })).status).toBe(204);
  });
});

const addItem = (id: string, domainId: string) =>
  fixture.test.rows(
    `insert into marketplace_items
      (tenant_id, item_id, title, domain_ids, owner_kind, owner_id, owner_name, search, updated_by)
    values ($1, $2, 'An item', array[$3], 'user', $4, 'ann', 'an item', 'ann')`,
    [fixture.test.acme.tenantId, id, domainId, randomUUID()],
  );

describe('the owner of a domain', () => {
  it('is a user by e-mail, stays when a change does not name one, and can be removed', async () => {
    const { email } = analyst;
    const made = await ask({
      method: 'POST',
      path: '/domains',
      body: { name: 'Owned', owner: ` ${email.toUpperCase()} ` },
    });
    expect([made.status, made.body.owner]).toEqual([201, email]);
    const put = (body: object) =>
      ask({ method: 'PUT', path: `/domains/${made.body.id}`, body: { name: 'Owned', ...body } });
    expect((await put({ description: 'x' })).body).toMatchObject({ owner: email, description: 'x' });
    expect((await put({ owner: null })).body.owner).toBeNull();
    const unknown = await put({ owner: 'nobody@example.com' });
    expect([unknown.status, unknown.body.details]).toEqual([
      400,
      [{ path: 'body.owner', message: 'is not the e-mail of a user of this tenant' }],
    ]);
  });
});

describe('the objects of a domain', () => {
  it('are its tables, datamaps that the caller may see, and items, in pages', async () => {
    const { id } = (await create('Everything')).body;
    const { acme } = fixture.test;
    await seedTable(fixture.test, acme, { name: 'in domain' });
    const draft = await seedDatamap(fixture.test, acme, { ownerId: randomUUID(), state: 'DRAFT' });
    const published = await seedDatamap(fixture.test, acme, { ownerId: randomUUID() });
    const changed = await importMetadata(
      fixture.test,
      fixture.admin,
      importOf(
        { type: 'TABLE', id: 'demo.vega.in domain', description: 'Rows', domains: [id] },
        ...[draft, published].map((datamap) => ({ type: 'DATAMAP', id: datamap, domains: [id] })),
      ),
    );
    expect(changed.body.failure_count).toBe(0);
    await addItem('an-item', id);
    const table = { type: 'TABLE', id: 'demo.vega.in domain', name: 'in domain', description: 'Rows' };
    const seen = await get(fixture.test, analyst, `/domains/${id}/objects`);
    expect([seen.status, seen.body]).toEqual([
      200,
      {
        total: 3,
        data: [
          { ...table, catalog: 'demo', schema: 'vega' },
          { type: 'DATAMAP', id: published, name: 'A map', catalog: null, schema: null, description: null },
          { type: 'ITEM', id: 'an-item', name: 'An item', catalog: null, schema: null, description: null },
        ],
      },
    ]);
    const page = await get(fixture.test, fixture.admin, `/domains/${id}/objects?from=1&size=2`);
    expect([page.body.total, page.body.data.map(({ type }: { type: string }) => type)]).toEqual([
      4,
      ['DATAMAP', 'DATAMAP'],
    ]);
    expect((await get(fixture.test, analyst, `/domains/${randomUUID()}/objects`)).status).toBe(404);
    expect((await get(fixture.test, analyst, `/domains/${id}/objects?size=0`)).status).toBe(400);
  });

  it('keep the domain from being removed, also an item of the marketplace', async () => {
    const { id } = (await create('Of an item')).body;
    await addItem('only-item', id);
    expect((await ask({ method: 'DELETE', path: `/domains/${id}` })).body.error).toBe('conflict');
    await fixture.test.rows('delete from marketplace_items where tenant_id = $1', [fixture.test.acme.tenantId]);
    expect((await ask({ method: 'DELETE', path: `/domains/${id}` })).status).toBe(204);
  });
});

it('is listed only for callers with a credential', async () => {
  expect((await send(`${fixture.test.url}/domains`)).status).toBe(401);
  expect((await get(fixture.test, analyst, '/domains?size=1000')).status).toBe(200);
});
