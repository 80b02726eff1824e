import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { send } from '../hosts/requests.ts';
import {
  adminTest,
  type CreateUser,
  createUserBy,
  createWithPasswordBy,
  expectForAdminsAlone,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  logInWith,
  nameOf,
  recordsOf,
} from './admin-requests.ts';

const fixture = adminTest();

const create: CreateUser = (body) => createUserBy(fixture.admin.ask)(body);
const createWithPassword = (roles?: readonly string[]) => createWithPasswordBy(fixture.admin.ask, roles);

describe('invalid requests about users', () => {
  it('return 400 with every problem', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['body.email']],
      [
        { email: 'no-mail', roles: 'admin', password: 'short', color: 1 },
        ['body.email', 'body.roles', 'body.password', 'body.color'],
      ],
      [{ email: 'a@b', roles: ['Admin', 1] }, ['body.roles[0]', 'body.roles[1]']],
      [{ email: 'a@b', roles: ['admin', 'admin'] }, ['body.roles']],
      [{ email: 'a@b', roles: ['nobody', 'analyst', 'neither'] }, ['body.roles[0]', 'body.roles[2]']],
      [{ email: 'a:b@c' }, ['body.email']],
      [{ email: 'a@b@c' }, ['body.email']],
      [{ email: `${'x'.repeat(320)}@b` }, ['body.email']],
      [{ email: 'a@b', password: `a password\nof two lines` }, ['body.password']],
      [{ email: 'a@b', password: 'x'.repeat(1025) }, ['body.password']],
      [[], ['body']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await fixture.admin.ask({ method: 'POST', path: '/users', body });
      expect([status, answer.details?.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    const { id } = await createWithPassword();
    for (const body of [
      {},
      { disabled: 'yes' },
      { disabled: null },
      { email: 'b@c' },
      { roles: null },
      { roles: ['nobody'] },
    ]) {
      expect((await fixture.admin.ask({ method: 'PUT', path: `/users/${id}`, body })).status).toBe(400);
    }
    for (const query of ['size=0', 'size=1001', 'from=-1', 'page=1', 'role=NO', 'q=%00', 'size=1&size=2']) {
      expect((await fixture.admin.ask({ path: `/users?${query}` })).status).toBe(400);
    }
  });

  it('never return 5xx, whatever the body', async () => {
    const { id } = await createWithPassword();
    for (const value of HOSTILE_VALUES) {
      for (const body of [
        { email: value },
        { email: nameOf('x'), roles: value },
        { email: nameOf('x'), password: value },
      ]) {
        expect((await create(body)).status).toBeLessThan(500);
      }
      for (const body of [{ roles: value }, { disabled: value }]) {
        expect((await fixture.admin.ask({ method: 'PUT', path: `/users/${id}`, body })).status).toBeLessThan(500);
      }
    }
    for (const text of HOSTILE_TEXTS.filter((each) => each.isWellFormed())) {
      const place = encodeURIComponent(text).slice(0, 4000);
      for (const path of [`/users/${place}x`, `/users?q=${place}`, `/users?role=${place}`]) {
        expect((await fixture.admin.ask({ path })).status).toBeLessThan(500);
      }
    }
  });

  it('return 403 without the permission admin, and 404 for missing objects and objects of other tenants', async () => {
    const { id } = await createWithPassword();
    const requests = [
      { path: '/users' },
      { path: `/users/${id}` },
      { method: 'POST', path: '/users', body: { email: nameOf('x') } },
      { method: 'PUT', path: `/users/${id}`, body: { roles: ['admin'] } },
      { method: 'POST', path: `/users/${id}/reset-password`, body: {} },
      { method: 'DELETE', path: `/users/${id}` },
    ];
    await expectForAdminsAlone(fixture.test, requests);
    for (const [ask, place] of [
      [fixture.otherTenantAdmin.ask, id],
      [fixture.admin.ask, randomUUID()],
      [fixture.admin.ask, 'no-uuid'],
    ] as const) {
      for (const { method = 'GET', path, body } of requests.filter((each) => each.path.includes(id))) {
        const answer = await ask({ method, path: path.replace(id, place), ...(body === undefined ? {} : { body }) });
        expect([answer.status, answer.body.message]).toEqual([404, 'There is no such user.']);
      }
    }
    expect((await fixture.admin.ask({ path: `/users/${id}` })).status).toBe(200);
  });

  it('keep the last admin who can log in, whichever operation would remove the role', async () => {
    const mine = `/users/${fixture.admin.id}`;
    const others = (await fixture.admin.ask({ path: '/users?role=admin&size=1000' })).body.data;
    for (const { id } of others)
      if (id !== fixture.admin.id) await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}` });
    // A user with an open invitation does not count.
    await create({ email: nameOf('invited'), roles: ['admin'] });
    const ways = [
      { method: 'PUT', path: mine, body: { disabled: true } },
      { method: 'PUT', path: mine, body: { roles: ['steward'] } },
      { method: 'POST', path: `${mine}/reset-password`, body: {} },
      { method: 'DELETE', path: mine },
      { method: 'DELETE', path: '/roles/admin' },
      { method: 'PUT', path: '/roles/admin', body: { permissions: ['query:run'] } },
    ];
    for (const way of ways) {
      const refused = await fixture.admin.ask(way);
      expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
      expect(refused.body.message).toContain('without an admin who can log in');
      expect(await recordsOf(fixture.test, refused)).toEqual([]);
    }
    expect((await fixture.admin.ask({ path: mine })).body).toMatchObject({ roles: ['admin'], disabled: false });
    const second = await createWithPassword(['admin']);
    const { body } = await logInWith(fixture.test, second);
    const races = await Promise.all([
      fixture.admin.ask({ method: 'PUT', path: `/users/${second.id}`, body: { disabled: true } }),
      send(`${fixture.test.url}/admin${mine}`, {
        method: 'PUT',
        headers: { idtoken: body.id_token, 'content-type': 'application/json' },
        body: JSON.stringify({ disabled: true }),
      }),
    ]);
    expect(races.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
