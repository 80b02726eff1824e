import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '@sluice/contract';
import { send } from '../hosts/requests.ts';
import {
  adminTest,
  expectForAdminsAlone,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  logInWith,
  NEW_PASSWORD,
  recordsOf,
} from './admin-requests.ts';

const fixture = adminTest();

const create = (name: unknown, permissions: unknown = ['datamap:read']) =>
  fixture.admin.ask({ method: 'POST', path: '/roles', body: { name, permissions } });
const change = (name: string, permissions: unknown, ifMatch?: string) =>
  fixture.admin.ask({
    method: 'PUT',
    path: `/roles/${name}`,
    body: { permissions },
    ...(ifMatch === undefined ? {} : { ifMatch }),
  });

describe('a role', () => {
  it('is created, read, changed and removed, each with an audit record of the values before and after', async () => {
    const made = await create('reader', ['datamap:read']);
    expect([made.status, made.headers.etag, made.headers.location]).toEqual([201, '"1"', '/admin/roles/reader']);
    expect(made.body).toEqual({
      name: 'reader',
      permissions: ['datamap:read'],
      user_count: 0,
      service_account_count: 0,
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
    });
    const read = await fixture.admin.ask({ path: '/roles/reader' });
    expect([read.status, read.body]).toEqual([200, made.body]);
    const changed = await change('reader', ['datamap:read', 'audit:read']);
    expect([changed.status, changed.body.permissions, changed.headers.etag]).toEqual([
      200,
      ['datamap:read', 'audit:read'],
      '"2"',
    ]);
    const removed = await fixture.admin.ask({ method: 'DELETE', path: '/roles/reader' });
    expect(removed.status).toBe(204);
    expect((await fixture.admin.ask({ path: '/roles/reader' })).status).toBe(404);
    const records = await Promise.all([made, read, changed, removed].map((answer) => recordsOf(fixture.test, answer)));
    const after = ['datamap:read', 'audit:read'];
    expect(records).toEqual([
      [['CREATE_ROLE', 'reader', { before: null, after: ['datamap:read'] }]],
      [['READ_ROLES', 'reader', {}]],
      [['UPDATE_ROLE', 'reader', { before: ['datamap:read'], after }]],
      [['DELETE_ROLE', 'reader', { before: after, after: null, users: 0, service_accounts: 0 }]],
    ]);
  });

  it('applies at once to its users, and is taken from all of them when it is removed', async () => {
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

  it('has a name that is unique in its tenant', async () => {
    expect((await create('taken')).status).toBe(201);
    const again = await create('taken');
    expect([again.status, again.body.error]).toEqual([409, 'conflict']);
    const other = await fixture.otherTenantAdmin.ask({
      method: 'POST',
      path: '/roles',
      body: { name: 'taken', permissions: [] },
    });
    expect(other.status).toBe(201);
    const race = await Promise.all(Array.from({ length: 8 }, () => create('race')));
    expect(race.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('rejects a change or removal that is based on an older version', async () => {
    await create('versions');
    expect((await change('versions', ['query:run'], '"1"')).headers.etag).toBe('"2"');
    for (const tag of ['"1"', '"3"', 'W/"2"']) {
      expect((await change('versions', [], tag)).status).toBe(412);
      const removal = await fixture.admin.ask({ method: 'DELETE', path: '/roles/versions', ifMatch: tag });
      expect(removal.status).toBe(412);
    }
    const race = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change('versions', index % 2 ? [] : ['datamap:read'], '"2"')),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });
});

it('rejects the removed permission query:write by name, and ignores it in a stored role', async () => {
  const body = { name: 'writer', permissions: ['query:run', 'query:write'] };
  const answer = await fixture.admin.ask({ method: 'POST', path: '/roles', body });
  const applied = await fixture.admin.ask({ method: 'POST', path: '/apply', body: { roles: [body] } });
  const message = 'query:write was removed, because all statements are read-only; leave it out';
  expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'body.permissions[1]', message }]]);
  expect([applied.status, applied.body.details]).toEqual([400, [{ path: 'body.roles[0].permissions[1]', message }]]);
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

describe('invalid requests', () => {
  it('return 400 with every problem', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['body.name', 'body.permissions']],
      [{ name: 'Upper', permissions: 'all', color: 1 }, ['body.name', 'body.permissions', 'body.color']],
      [{ name: 'x', permissions: ['root', 'query:run'] }, ['body.permissions[0]']],
      [{ name: 'x', permissions: ['query:run', 'query:run'] }, ['body.permissions']],
      [{ name: 'x'.repeat(65), permissions: [] }, ['body.name']],
      [{ name: '-x', permissions: [] }, ['body.name']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await fixture.admin.ask({ method: 'POST', path: '/roles', body });
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    expect((await change('analyst', Object.keys(PERMISSIONS))).status).toBe(200);
  });

  it('never return 5xx, whatever the body', async () => {
    for (const value of HOSTILE_VALUES) {
      for (const answer of [await create(value), await create('hostile', value), await change('analyst', value)]) {
        expect(answer.status).toBeLessThan(500);
      }
    }
    for (const text of HOSTILE_TEXTS.filter((each) => each.isWellFormed())) {
      const place = encodeURIComponent(text).slice(0, 4000);
      for (const method of ['GET', 'DELETE']) {
        expect((await fixture.admin.ask({ method, path: `/roles/${place}x` })).status).toBeLessThan(500);
      }
    }
  });

  it('return 403 without the permission admin, and 404 for missing objects and objects of other tenants', async () => {
    await create('hidden');
    await expectForAdminsAlone(fixture.test, [
      { path: '/roles' },
      { path: '/roles/hidden' },
      { method: 'POST', path: '/roles', body: { name: 'mine', permissions: ['admin'] } },
      { method: 'PUT', path: '/roles/hidden', body: { permissions: ['admin'] } },
      { method: 'DELETE', path: '/roles/hidden' },
    ]);
    for (const method of ['GET', 'DELETE']) {
      expect((await fixture.otherTenantAdmin.ask({ method, path: '/roles/hidden' })).status).toBe(404);
    }
    expect(
      (await fixture.otherTenantAdmin.ask({ method: 'PUT', path: '/roles/hidden', body: { permissions: [] } })).status,
    ).toBe(404);
    expect((await fixture.admin.ask({ path: '/roles/hidden' })).status).toBe(200);
  });
});
