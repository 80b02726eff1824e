import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '@sluice/contract';
import { send } from '@sluice/testkit';
import { adminTest, logInWith, NEW_PASSWORD, recordsOf } from '@sluice/testkit/fixtures';
import { describeAdminResource } from './describe-admin-resource.ts';

const fixture = adminTest();

const create = (name: string, permissions: readonly string[] = ['datamap:read']) =>
  fixture.admin.ask({ method: 'POST', path: '/roles', body: { name, permissions } });
const change = (name: string, permissions: readonly string[]) =>
  fixture.admin.ask({ method: 'PUT', path: `/roles/${name}`, body: { permissions } });

describeAdminResource(fixture, {
  what: 'role',
  path: '/roles',
  newBody: () => ({ name: `r-${randomUUID()}`, permissions: ['query:run'] }),
  changes: () => [{ permissions: ['audit:read'] }, { permissions: [] }, { permissions: ['datamap:read'] }],
  pathOf: ({ name }) => `/roles/${name}`,
  versions: ['"1"', '"2"'],
  missing: () => ['/roles/missing'],
  textParameters: [],
  life() {
    const was = ['datamap:read'];
    const is = ['datamap:read', 'audit:read'];
    return {
      body: { name: 'reader', permissions: was },
      created: () => ({
        name: 'reader',
        permissions: was,
        user_count: 0,
        service_account_count: 0,
        updated_ts: expect.any(Number),
        updated_by: fixture.admin.email,
      }),
      change: { permissions: is },
      changed: { permissions: is },
      records: () => [
        ['CREATE_ROLE', 'reader', { before: null, after: was }],
        ['READ_ROLES', 'reader', {}],
        ['UPDATE_ROLE', 'reader', { before: was, after: is }],
        ['DELETE_ROLE', 'reader', { before: is, after: null, users: 0, service_accounts: 0 }],
      ],
    };
  },
  invalid: () => ({
    creations: [
      [{}, ['body.name', 'body.permissions']],
      [{ name: 'Upper', permissions: 'all', color: 1 }, ['body.name', 'body.permissions', 'body.color']],
      [{ name: 'x', permissions: ['root', 'query:run'] }, ['body.permissions[0]']],
      [{ name: 'x', permissions: ['query:run', 'query:run'] }, ['body.permissions']],
      [{ name: 'x'.repeat(65), permissions: [] }, ['body.name']],
      [{ name: '-x', permissions: [] }, ['body.name']],
    ],
    changes: [{}, { permissions: ['root'] }, { permissions: null }, { permissions: [], name: 'x' }],
    queries: [],
  }),
  listed: {
    bodies: ['list-b', 'list-a', 'list-c'].map((name) => ({ name, permissions: [] })),
    keys: ['list-a', 'list-b', 'list-c'],
    keyOf: ({ name }) => name,
    isPaged: false,
  },
});

describe('a role', () => {
  it('applies immediately to its users, and is taken from all of them when it is removed', async () => {
    await create('checker', ['audit:read']);
    const email = 'checker@example.com';
    const user = { email, roles: ['checker', 'analyst'], password: NEW_PASSWORD };
    const { id } = (await fixture.admin.ask({ method: 'POST', path: '/users', body: user })).body;
    const client = { client_id: 'checker', roles: ['checker'] };
    const account = (await fixture.admin.ask({ method: 'POST', path: '/service-accounts', body: client })).body;
    const { body: tokens } = await logInWith(fixture.test, { email, password: NEW_PASSWORD });
    const audit = async () =>
      (await send(`${fixture.test.url}/test/api-audit`, { headers: { idtoken: tokens.id_token } })).status;
    expect(await audit()).toBe(200);
    await change('checker', []);
    expect(await audit()).toBe(403);
    await change('checker', ['audit:read']);
    expect(await audit()).toBe(200);
    expect((await fixture.admin.ask({ path: '/roles/checker' })).body).toMatchObject({
      user_count: 1,
      service_account_count: 1,
    });
    const removed = await fixture.admin.ask({ method: 'DELETE', path: '/roles/checker' });
    expect((await recordsOf(fixture.test, removed))[0]?.[2]).toMatchObject({ users: 1, service_accounts: 1 });
    expect(await audit()).toBe(403);
    const left = await fixture.admin.ask({ path: `/users/${id}` });
    expect([left.body.roles, left.headers.etag]).toEqual([['analyst'], '"2"']);
    expect((await fixture.admin.ask({ path: `/service-accounts/${account.id}` })).body.roles).toEqual([]);
    // A later role with the same name has no users.
    await create('checker', ['audit:read']);
    expect(await audit()).toBe(403);
  });

  it('keeps its version if a change has the same permissions in another order, and the change is recorded', async () => {
    await create('ordered', ['query:run', 'datamap:read']);
    const same = await change('ordered', ['datamap:read', 'query:run']);
    expect([same.status, same.headers.etag]).toEqual([200, '"1"']);
    expect(await recordsOf(fixture.test, same)).toEqual([
      ['UPDATE_ROLE', 'ordered', { before: ['query:run', 'datamap:read'], after: ['datamap:read', 'query:run'] }],
    ]);
  });

  it('may have the name of a role of another tenant', async () => {
    expect((await create('taken')).status).toBe(201);
    const body = { name: 'taken', permissions: [] };
    expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/roles', body })).status).toBe(201);
  });

  it('may have every permission', async () => {
    expect((await change('analyst', Object.keys(PERMISSIONS))).status).toBe(200);
  });
});

it('rejects the removed permission query:write by name, and ignores it in a stored role', async () => {
  const body = { name: 'writer', permissions: ['query:run', 'query:write'] };
  const answer = await fixture.admin.ask({ method: 'POST', path: '/roles', body });
  const applied = await fixture.admin.ask({ method: 'POST', path: '/apply', body: { roles: [body] } });
  const message = 'query:write was removed, because all statements are read-only; leave it out';
  expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'body.permissions[1]', message }]]);
  expect([applied.status, applied.body.details]).toEqual([
    400,
    [{ path: 'body.roles[0].permissions[1]', message, line: 1 }],
  ]);
  await fixture.test.rows(`insert into roles (tenant_id, name, permissions) values ($1, 'writer', $2)`, [
    fixture.test.acme.tenantId,
    ['query:write', 'query:run'],
  ]);
  expect((await fixture.admin.ask({ path: '/roles/writer' })).body.permissions).toEqual(['query:run']);
  await fixture.admin.ask({ method: 'DELETE', path: '/roles/writer' });
});

it('is listed by name, within its tenant, with the default roles', async () => {
  await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/roles', body: { name: 'foreign', permissions: [] } });
  const { body } = await fixture.admin.ask({ path: '/roles' });
  const names: string[] = body.data.map(({ name }: { name: string }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(['admin', 'analyst', 'auditor', 'service', 'steward']));
  expect(names).not.toContain('foreign');
});
