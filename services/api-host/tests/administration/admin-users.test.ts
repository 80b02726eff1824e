import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { refresh, send } from '../hosts/requests.ts';
import {
  adminTest,
  type CreateUser,
  createUserBy,
  createWithPasswordBy,
  logInWith,
  NEW_PASSWORD,
  nameOf,
  recordsOf,
} from './admin-requests.ts';

const fixture = adminTest();

const create: CreateUser = (body) => createUserBy(fixture.admin.ask)(body);
const createWithPassword = (roles?: readonly string[]) => createWithPasswordBy(fixture.admin.ask, roles);

describe('a user', () => {
  it('is created with a password, read, changed and removed, each with an audit record of the values before and after', async () => {
    const email = nameOf('Zoe');
    const made = await create({ email: ` ${email} `, roles: ['analyst'], password: NEW_PASSWORD });
    expect(made.status).toBe(201);
    const { id } = made.body;
    const stored = email.toLowerCase();
    expect(made.body).toEqual({
      id,
      email: stored,
      roles: ['analyst'],
      disabled: false,
      has_password: true,
      invitation_expires_ts: null,
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
      invitation: null,
    });
    expect([made.headers.etag, made.headers.location]).toEqual(['"1"', `/admin/users/${id}`]);
    expect((await logInWith(fixture.test, { email, password: NEW_PASSWORD })).status).toBe(200);
    const read = await fixture.admin.ask({ path: `/users/${id}` });
    const { invitation: _none, ...user } = made.body;
    expect([read.status, read.body, read.headers.etag]).toEqual([200, user, '"1"']);
    const changed = await fixture.admin.ask({
      method: 'PUT',
      path: `/users/${id}`,
      body: { roles: ['steward', 'auditor'] },
    });
    expect([changed.status, changed.body.roles, changed.headers.etag]).toEqual([200, ['steward', 'auditor'], '"2"']);
    const removed = await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}` });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await fixture.admin.ask({ path: `/users/${id}` })).status).toBe(404);
    const was = { roles: ['analyst'], disabled: false };
    const is = { roles: ['steward', 'auditor'], disabled: false };
    const records = await Promise.all([made, read, changed, removed].map((answer) => recordsOf(fixture.test, answer)));
    expect(records).toEqual([
      [['CREATE_USER', stored, { user_id: id, before: null, after: was }]],
      [['READ_USERS', stored, { user_id: id }]],
      [['UPDATE_USER', stored, { user_id: id, before: was, after: is }]],
      [['DELETE_USER', stored, { user_id: id, before: is, after: null }]],
    ]);
  });

  it('has an e-mail address that is unique in its tenant, regardless of case', async () => {
    const email = nameOf('taken');
    expect((await create({ email })).status).toBe(201);
    for (const again of [email, email.toUpperCase(), `${email} `]) {
      const refused = await create({ email: again });
      expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
    }
    expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/users', body: { email } })).status).toBe(201);
    const race = nameOf('race');
    const made = await Promise.all(Array.from({ length: 8 }, () => create({ email: race })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('rejects a change or removal that is based on an older version', async () => {
    const { id } = await createWithPassword();
    const put = (ifMatch: string) =>
      fixture.admin.ask({ method: 'PUT', path: `/users/${id}`, body: { roles: ['auditor'] }, ifMatch });
    expect((await put('"1"')).headers.etag).toBe('"2"');
    for (const tag of ['"1"', '"3"', 'W/"2"', 'x']) {
      expect((await put(tag)).status).toBe(412);
      expect((await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}`, ifMatch: tag })).status).toBe(412);
      const reset = await fixture.admin.ask({
        method: 'POST',
        path: `/users/${id}/reset-password`,
        body: {},
        ifMatch: tag,
      });
      expect(reset.status).toBe(412);
    }
    expect((await put('"2"')).headers.etag).toBe('"2"');
    expect((await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}`, ifMatch: '"2"' })).status).toBe(204);
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
  it('replaces the password at once and ends sessions', async () => {
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

describe('the list', () => {
  it('is ordered by e-mail address, in pages with a total, filtered by substring and role', async () => {
    for (const name of ['bea', 'Abe', 'cal']) {
      await fixture.otherTenantAdmin.ask({
        method: 'POST',
        path: '/users',
        body: { email: `${name}@list.example`, roles: ['auditor'] },
      });
    }
    const emails = async (query: string) => {
      const { body } = await fixture.otherTenantAdmin.ask({ path: `/users${query}` });
      return [body.total, body.data.map(({ email }: { email: string }) => email)];
    };
    expect(await emails('?q=LIST.ex')).toEqual([3, ['abe@list.example', 'bea@list.example', 'cal@list.example']]);
    expect(await emails('?q=list.ex&from=1&size=1')).toEqual([3, ['bea@list.example']]);
    expect(await emails('?q=list.ex&from=9')).toEqual([3, []]);
    expect(await emails('?q=ea%40&role=auditor')).toEqual([1, ['bea@list.example']]);
    expect(await emails('?q=ea%40&role=admin')).toEqual([0, []]);
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
