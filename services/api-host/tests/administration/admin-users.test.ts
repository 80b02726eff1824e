import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import {
  adminTest,
  type CreateUser,
  createUserBy,
  createWithPasswordBy,
  logInWith,
  NEW_PASSWORD,
  nameOf,
  recordsOf,
} from '@sluice/testkit/fixtures';
import { refresh } from '@sluice/testkit/requests';
import { describeAdminResource } from './describe-admin-resource.ts';

// A test looks for secrets in the rows and log lines of all tenants.
const fixture = adminTest({});

const create: CreateUser = (body) => createUserBy(fixture.admin.ask)(body);
const createWithPassword = (roles?: readonly string[]) => createWithPasswordBy(fixture.admin.ask, roles);

describeAdminResource(fixture, {
  what: 'user',
  path: '/users',
  newBody: () => ({ email: nameOf('x'), roles: ['analyst'], password: NEW_PASSWORD }),
  changes: () => [{ roles: ['auditor'] }, { roles: [] }, { roles: ['steward'], disabled: true }],
  pathOf: ({ id }) => `/users/${id}`,
  versions: ['"1"', '"2"'],
  versioned: (path) => [{ method: 'POST', path: `${path}/reset-password`, body: {} }],
  missing: () => [`/users/${randomUUID()}`, '/users/no-uuid'],
  textParameters: ['q', 'role'],
  life() {
    const email = nameOf('Zoe');
    const stored = email.toLowerCase();
    const was = { roles: ['analyst'], disabled: false };
    const is = { roles: ['steward', 'auditor'], disabled: false };
    const shown = ({ id }: { id: string }) => ({
      id,
      email: stored,
      roles: ['analyst'],
      disabled: false,
      has_password: true,
      invitation_expires_ts: null,
      last_login_ts: expect.any(Number),
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
    });
    return {
      body: { email: ` ${email} `, roles: ['analyst'], password: NEW_PASSWORD },
      created: (made) => ({ ...shown(made), last_login_ts: null, invitation: null }),
      shown,
      change: { roles: is.roles },
      changed: { roles: is.roles },
      async afterCreation() {
        expect((await logInWith(fixture.test, { email, password: NEW_PASSWORD })).status).toBe(200);
        const noted = 'select 1 from users where email = $1 and last_login is not null';
        await until(async () => (await fixture.test.rows(noted, [stored])).length === 1 || undefined, {
          what: 'the time of the login',
        });
      },
      records: ({ id }) => [
        ['CREATE_USER', stored, { user_id: id, before: null, after: was }],
        ['READ_USERS', stored, { user_id: id }],
        ['UPDATE_USER', stored, { user_id: id, before: was, after: is }],
        ['DELETE_USER', stored, { user_id: id, before: is, after: null }],
      ],
    };
  },
  invalid: () => ({
    creations: [
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
    ],
    changes: [{}, { disabled: 'yes' }, { disabled: null }, { email: 'b@c' }, { roles: null }, { roles: ['nobody'] }],
    queries: [
      'size=0',
      'size=1001',
      'from=-1',
      'page=1',
      'role=NO',
      'q=%00',
      'size=1&size=2',
      'state=gone',
      'sort_key=roles',
      'sort_value=up',
    ],
  }),
  listed: {
    bodies: ['bea', 'Abe', 'cal'].map((name) => ({ email: `${name}@list.example`, roles: ['auditor'] })),
    keys: ['abe@list.example', 'bea@list.example', 'cal@list.example'],
    keyOf: ({ email }) => email,
    isPaged: true,
  },
});

describe('a user', () => {
  it('has an e-mail address that is unique in its tenant, regardless of case', async () => {
    const email = nameOf('taken');
    expect((await create({ email })).status).toBe(201);
    for (const again of [email.toUpperCase(), `${email} `]) {
      const refused = await create({ email: again });
      expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
    }
    expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/users', body: { email } })).status).toBe(201);
  });

  it('keeps its version if a change changes nothing', async () => {
    const { id } = await createWithPassword();
    const put = (ifMatch: string) =>
      fixture.admin.ask({ method: 'PUT', path: `/users/${id}`, body: { roles: ['auditor'] }, ifMatch });
    expect((await put('"1"')).headers.etag).toBe('"2"');
    expect((await put('"2"')).headers.etag).toBe('"2"');
  });

  it('gets 401 with every credential when disabled, and its sessions do not come back', async () => {
    const user = await createWithPassword();
    const { body: tokens } = await logInWith(fixture.test, user);
    const put = (disabled: boolean) =>
      fixture.admin.ask({ method: 'PUT', path: `/users/${user.id}`, body: { disabled } });
    expect((await put(true)).body).toMatchObject({ disabled: true, roles: ['analyst'] });
    const stream = () => send(`${fixture.test.url}/test/stream`, { headers: { idtoken: tokens.id_token } });
    expect((await stream()).status).toBe(401);
    expect((await logInWith(fixture.test, user)).status).toBe(401);
    expect((await refresh(fixture.test.url, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await put(false)).body.disabled).toBe(false);
    expect((await stream()).status).toBe(401);
    expect((await logInWith(fixture.test, user)).status).toBe(200);
  });

  it('loses every permission with its roles, also with an older token', async () => {
    const user = await createWithPassword(['analyst', 'auditor']);
    const { body: tokens } = await logInWith(fixture.test, user);
    const path = '/test/api-audit';
    expect((await send(fixture.test.url + path, { headers: { idtoken: tokens.id_token } })).status).toBe(200);
    await fixture.admin.ask({ method: 'PUT', path: `/users/${user.id}`, body: { roles: [] } });
    expect((await send(fixture.test.url + path, { headers: { idtoken: tokens.id_token } })).status).toBe(403);
  });

  it('leaves no session, grant or request to a later user with the same e-mail address', async () => {
    const { id, email, password } = await createWithPassword();
    const { body: tokens } = await logInWith(fixture.test, { email, password });
    const { tenantId } = fixture.test.acme;
    await fixture.test.rows(
      `insert into marketplace_items (tenant_id, item_id, title, owner_kind, owner_id, owner_name, search, updated_by)
       values ($1, 'traces', 'Traces', 'user', $2, $3, 'traces', $3) on conflict do nothing`,
      [tenantId, fixture.admin.id, fixture.admin.email],
    );
    await fixture.test.rows(
      `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, granted_by) values ($1, 'traces', 'user', $2, 'x')`,
      [tenantId, email],
    );
    await fixture.test.rows(
      `insert into marketplace_requests (tenant_id, request_id, item_id, account_kind, account_id, account_name, reason)
       values ($1, $2, 'traces', 'user', $3, $4, 'please')`,
      [tenantId, randomUUID(), id, email],
    );
    expect((await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}` })).status).toBe(204);
    for (const query of [
      `select 1 from marketplace_grants where subject = '${email}'`,
      `select 1 from marketplace_requests where account_id = '${id}'`,
      `select 1 from sessions where account_id = '${id}'`,
    ]) {
      expect(await fixture.test.rows(query)).toEqual([]);
    }
    expect((await send(`${fixture.test.url}/test/stream`, { headers: { idtoken: tokens.id_token } })).status).toBe(401);
    expect((await create({ email, password: NEW_PASSWORD, roles: ['analyst'] })).status).toBe(201);
    expect((await send(`${fixture.test.url}/test/stream`, { headers: { idtoken: tokens.id_token } })).status).toBe(401);
  });
});

describe('a password reset', () => {
  it('replaces the password immediately and ends sessions', async () => {
    const user = await createWithPassword();
    const { body: tokens } = await logInWith(fixture.test, user);
    const password = `${NEW_PASSWORD} 2`;
    const reset = await fixture.admin.ask({
      method: 'POST',
      path: `/users/${user.id}/reset-password`,
      body: { password },
    });
    expect([reset.status, reset.body.invitation, reset.body.has_password]).toEqual([200, null, true]);
    expect((await send(`${fixture.test.url}/test/stream`, { headers: { idtoken: tokens.id_token } })).status).toBe(401);
    expect((await logInWith(fixture.test, user)).status).toBe(401);
    expect((await logInWith(fixture.test, { ...user, password })).status).toBe(200);
    expect(await recordsOf(fixture.test, reset)).toEqual([
      ['RESET_PASSWORD', user.email, { user_id: user.id, invited: false }],
    ]);
  });

  it('without a new password leaves no password until the invitation is accepted', async () => {
    const user = await createWithPassword();
    const reset = await fixture.admin.ask({ method: 'POST', path: `/users/${user.id}/reset-password`, body: {} });
    expect(reset.body).toMatchObject({ has_password: false, invitation_expires_ts: reset.body.invitation.expires_ts });
    expect((await logInWith(fixture.test, user)).status).toBe(401);
    expect(await recordsOf(fixture.test, reset)).toEqual([
      ['RESET_PASSWORD', user.email, { user_id: user.id, invited: true }],
    ]);
  });
});

describe('the list of users', () => {
  it('is filtered by substring and role', async () => {
    const emails = async (query: string) => {
      const { body } = await fixture.otherTenantAdmin.ask({ path: `/users${query}` });
      return [body.total, body.data.map(({ email }: { email: string }) => email)];
    };
    expect(await emails('?q=LIST.ex')).toEqual([3, ['abe@list.example', 'bea@list.example', 'cal@list.example']]);
    expect(await emails('?q=list.ex&from=1&size=1')).toEqual([3, ['bea@list.example']]);
    expect(await emails('?q=list.ex&from=9')).toEqual([3, []]);
    expect(await emails('?q=bea%40&role=auditor')).toEqual([1, ['bea@list.example']]);
    expect(await emails('?q=bea%40&role=admin')).toEqual([0, []]);
    for (const text of ['%', '_', '\\', "'"]) expect(await emails(`?q=${encodeURIComponent(text)}`)).toEqual([0, []]);
    const own = await fixture.admin.ask({ path: '/users?q=list.example' });
    expect([own.body.total, await recordsOf(fixture.test, own)]).toEqual([
      0,
      [['READ_USERS', 'users', { q: 'list.example', from: 0, size: 100 }]],
    ]);
  });
});

it('contains no password, secret or token', async () => {
  await createWithPassword();
  const invited = await create({ email: nameOf('quiet') });
  const tables = ['audit_log', 'users', 'invitations', 'sessions'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => fixture.test.rows(`select * from ${table}`))));
  for (const secret of [NEW_PASSWORD, invited.body.invitation?.token ?? 'x'.repeat(99)]) {
    expect(dump + fixture.test.logLines.join('')).not.toContain(secret);
  }
});

describe('changes of users and roles', () => {
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
