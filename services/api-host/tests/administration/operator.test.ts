import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operatorOperations } from '@sluice/contract';
import { type ReceivedResponse, send } from '@sluice/testkit';
import {
  askAs,
  HOSTILE_STRINGS,
  HOSTILE_VALUES,
  logInAs,
  logInWith,
  NEW_PASSWORD,
  recordsOf,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postJson } from '@sluice/testkit/requests';

const OPERATOR_TOKEN = 'operator-token-of-more-than-32-characters';

let test: TestHost;
let nowMs = Date.now();
beforeAll(async () => {
  test = await startTestHost({ OPERATOR_TOKEN }, { now: () => nowMs });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const ask = (method: string, path = '', body?: unknown, token = OPERATOR_TOKEN): Promise<ReceivedResponse> =>
  send(`${test.url}/operator/tenants${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const newName = (): string => `t-${randomUUID().slice(0, 8)}`;

const accept = (name: string, body: Record<string, unknown>) =>
  postJson(`${test.url}/auth/invitation/${name}`, { password: NEW_PASSWORD, ...body });

/** A tenant with an admin who is logged in. */
const createWithAdmin = async () => {
  const name = newName();
  const made = await ask('POST', '', { name, admin_email: `Root@${name}.example` });
  await accept(name, { token: made.body.invitation.token });
  const account = { email: `root@${name}.example`, password: NEW_PASSWORD };
  const { body } = await logInWith(test, account, name);
  return { name, made, account, idToken: body.id_token as string };
};

describe('a tenant', () => {
  it('is created with the default roles and an invitation for its first admin', async () => {
    const { name, made, idToken } = await createWithAdmin();
    expect([made.status, made.headers.location]).toEqual([201, `/operator/tenants/${name}`]);
    expect(made.body).toEqual({
      id: expect.any(String),
      name,
      state: 'active',
      created_ts: expect.any(Number),
      removal_requested_ts: null,
      email_domains: null,
      invitation: {
        url: `${test.url}/auth/invitation/${name}?token=${made.body.invitation.token}`,
        token: expect.stringMatching(/^[\w-]{43}$/),
        expires_ts: nowMs + 7 * 86_400_000,
      },
    });
    expect(await recordsOf(test, made)).toEqual([['CREATE_TENANT', name, { admin_email: `root@${name}.example` }]]);
    const roles = await askAs(test, { idToken })({ path: '/roles' });
    expect(roles.body.data.map((role: { name: string }) => role.name)).toEqual([
      'admin',
      'analyst',
      'auditor',
      'service',
      'steward',
    ]);
    const users = await askAs(test, { idToken })({ path: '/users' });
    expect(users.body.data).toHaveLength(1);
    const one = await ask('GET', `/${name}`);
    expect(one.body).toEqual({
      id: made.body.id,
      name,
      state: 'active',
      created_ts: made.body.created_ts,
      removal_requested_ts: null,
      email_domains: null,
    });
    expect(await recordsOf(test, one)).toEqual([['READ_TENANT', name, {}]]);
    const all = await ask('GET');
    const names: string[] = all.body.data.map((tenant: { name: string }) => tenant.name);
    expect(names).toEqual(expect.arrayContaining(['acme', 'globex', name]));
    const recorded = await recordsOf(test, all);
    expect(recorded.map(([action, target]) => `${action} ${target}`).sort()).toEqual(
      names.map((each) => `READ_TENANT ${each}`).sort(),
    );
  });

  it("is created without a named admin: the invitation's recipient enters the address", async () => {
    const name = newName();
    const { body } = await ask('POST', '', { name });
    const { token, url } = body.invitation;
    expect((await send(url)).text).toContain('name="email"');
    const refused = await accept(name, { token });
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'body.email']);
    const email = `first@${name}.example`;
    expect((await accept(name, { token, email })).body.email).toBe(email);
    expect((await accept(name, { token, email: `second@${name}.example` })).status).toBe(404);
    const { body: tokens } = await logInWith(test, { email, password: NEW_PASSWORD }, name);
    const { body: users } = await askAs(test, { idToken: tokens.id_token })({ path: '/users' });
    expect(users.data.map((user: { email: string; roles: string[] }) => [user.email, user.roles])).toEqual([
      [email, ['admin']],
    ]);
    const again = await ask('POST', `/${name}/invitations`, {});
    const taken = await accept(name, { token: again.body.invitation.token, email });
    expect([taken.status, taken.body.error]).toEqual([409, 'conflict']);
  });

  it('has at most one open invitation without a name: a newer one replaces it', async () => {
    const name = newName();
    const tokens = [(await ask('POST', '', { name })).body.invitation.token];
    for (const body of [{}, {}, { admin_email: `named@${name}.example` }, { admin_email: `other@${name}.example` }]) {
      tokens.push((await ask('POST', `/${name}/invitations`, body)).body.invitation.token);
    }
    const [made, again, last, named, other] = tokens;
    for (const token of [made, again, last]) {
      expect((await accept(name, { token, email: `finder@${name}.example` })).status).toBe(404);
    }
    for (const token of [named, other]) expect((await accept(name, { token })).status).toBe(200);
  });

  it('gets a new admin when it has none left', async () => {
    const { name, account, idToken } = await createWithAdmin();
    const admin = askAs(test, { idToken });
    const other = { email: `other@${name}.example`, roles: ['admin'], password: NEW_PASSWORD };
    const { id } = (await admin({ method: 'POST', path: '/users', body: other })).body;
    const mine = (await admin({ path: `/users?q=root` })).body.data[0];
    await test.rows('update users set disabled = true, roles = $2 where id = any ($1)', [[id, mine.id], []]);
    const invited = await ask('POST', `/${name}/invitations`, { admin_email: account.email });
    expect(invited.status).toBe(201);
    expect(await recordsOf(test, invited)).toEqual([['INVITE_ADMIN', name, { admin_email: account.email }]]);
    const password = `${NEW_PASSWORD} again`;
    expect((await accept(name, { token: invited.body.invitation.token, password })).status).toBe(200);
    const { body } = await logInWith(test, { ...account, password }, name);
    expect((await askAs(test, { idToken: body.id_token })({ path: '/users' })).status).toBe(200);
    const otherTenantAdmin = await ask('POST', `/${name}/invitations`, { admin_email: `new@${name}.example` });
    expect((await accept(name, { token: otherTenantAdmin.body.invitation.token })).status).toBe(200);
  });

  it.each([
    [
      'another role that may administer',
      `update roles set permissions = case name when 'auditor' then '{admin}'::text[] else '{}' end`,
      'auditor',
    ],
    ['the default role, which is restored if none may administer', `update roles set permissions = '{}'`, 'admin'],
    ['the default role, which is created again', 'delete from roles', 'admin'],
  ])('gives an invited admin %s, and an existing user keeps the other roles', async (_, damage, role) => {
    const { name, made, account } = await createWithAdmin();
    await test.rows(`${damage} where tenant_id = $1`, [made.body.id]);
    await test.rows(`update users set disabled = true, roles = '{analyst}' where tenant_id = $1`, [made.body.id]);
    const invited = await ask('POST', `/${name}/invitations`, { admin_email: account.email });
    expect(invited.status).toBe(201);
    const users = await test.rows('select roles, disabled from users where tenant_id = $1', [made.body.id]);
    expect(users).toEqual([{ roles: ['analyst', role], disabled: false }]);
    const permissions = await test.rows(
      `select 1 from roles where tenant_id = $1 and name = $2 and 'admin' = any (permissions)`,
      [made.body.id, role],
    );
    expect(permissions).toHaveLength(1);
  });

  it('is suspended and resumed, each with a record in its own audit log', async () => {
    const { name, account, idToken } = await createWithAdmin();
    const suspended = await ask('POST', `/${name}/suspend`);
    expect([suspended.status, suspended.body.state]).toEqual([200, 'suspended']);
    const admin = askAs(test, { idToken });
    expect((await admin({ path: '/users' })).status).toBe(403);
    expect((await logInWith(test, account, name)).status).toBe(403);
    const resumed = await ask('POST', `/${name}/resume`);
    expect([resumed.status, resumed.body.state]).toEqual([200, 'active']);
    expect((await admin({ path: '/users' })).status).toBe(200);
    expect(await recordsOf(test, suspended)).toEqual([['SUSPEND_TENANT', name, {}]]);
    expect(await recordsOf(test, resumed)).toEqual([['RESUME_TENANT', name, {}]]);
    const [record] = await test.rows<{ user_name: string; tenant: string }>(
      `select l.user_name, t.name as tenant from audit_log l join tenants t on t.id = l.tenant_id where request_id = $1`,
      [suspended.headers['x-request-id']],
    );
    expect(record).toEqual({ user_name: 'operator', tenant: name });
  });

  it('waits for its removal by the owner while it is suspended', async () => {
    const { name } = await createWithAdmin();
    const early = await ask('DELETE', `/${name}`);
    expect([early.status, early.body.error]).toEqual([409, 'conflict']);
    await ask('POST', `/${name}/suspend`);
    const asked = await ask('DELETE', `/${name}`);
    expect([asked.status, asked.body.removal_requested_ts]).toEqual([202, expect.any(Number)]);
    expect((await ask('DELETE', `/${name}`)).body).toEqual(asked.body);
    expect(await recordsOf(test, asked)).toEqual([['REQUEST_TENANT_REMOVAL', name, {}]]);
    expect((await ask('POST', `/${name}/resume`)).body.removal_requested_ts).toBeNull();
  });
});

const notAllowed = (domain: string): string =>
  `The e-mail domain ${domain} is not allowed in this tenant. Ask the operator to allow it.`;

describe('e-mail domains of a tenant', () => {
  it('are set at creation, and an admin of another domain is rejected', async () => {
    const name = newName();
    const domains = ['Corp.Example', 'corp.test'];
    const refused = await ask('POST', '', { name, admin_email: 'root@other.example', email_domains: domains });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'body.admin_email', message: notAllowed('other.example') }],
    ]);
    const made = await ask('POST', '', { name, admin_email: 'Root@CORP.example', email_domains: domains });
    const shown = ['corp.example', 'corp.test'];
    expect([made.status, made.body.email_domains]).toEqual([201, shown]);
    expect(await recordsOf(test, made)).toEqual([
      ['CREATE_TENANT', name, { admin_email: 'root@corp.example', email_domains: shown }],
    ]);
    expect((await ask('GET', `/${name}`)).body.email_domains).toEqual(shown);
    const invited = await ask('POST', `/${name}/invitations`, { admin_email: 'boss@sub.corp.example' });
    expect([invited.status, invited.body.details[0].path]).toEqual([400, 'body.admin_email']);
    const { token } = (await ask('POST', `/${name}/invitations`, {})).body.invitation;
    const accepted = await accept(name, { token, email: 'finder@other.example' });
    expect([accepted.status, accepted.body.details]).toEqual([
      400,
      [{ path: 'body.email', message: notAllowed('other.example') }],
    ]);
    expect((await accept(name, { token, email: 'Finder@Corp.Test' })).status).toBe(200);
  });

  it('are changed with an audit record and apply to every kind of new user; existing users stay', async () => {
    const { name, account, idToken } = await createWithAdmin();
    const changed = await ask('PUT', `/${name}`, { email_domains: ['corp.example'] });
    expect([changed.status, changed.body.email_domains]).toEqual([200, ['corp.example']]);
    const change = { before: { email_domains: null }, after: { email_domains: ['corp.example'] } };
    expect(await recordsOf(test, changed)).toEqual([['UPDATE_TENANT', name, change]]);
    expect((await logInWith(test, account, name)).status).toBe(200);
    expect((await ask('POST', `/${name}/invitations`, { admin_email: account.email })).status).toBe(201);

    const admin = askAs(test, { idToken });
    const create = (email: string) => admin({ method: 'POST', path: '/users', body: { email, roles: [] } });
    for (const email of ['boss@other.example', 'boss@a.corp.example', 'boss@xcorp.example', 'boss@corp.example.']) {
      const { status, body } = await create(email);
      const message = notAllowed(email.slice('boss@'.length));
      expect([status, body.message, body.details]).toEqual([400, message, [{ path: 'body.email', message }]]);
    }
    expect((await create('Ann@CORP.Example')).status).toBe(201);
    const users = [account.email, 'cyd@corp.example', 'dan@other.example', 'eve@a.corp.example'];
    const file = { users: users.map((email) => ({ email, roles: ['admin'] })) };
    const applied = await admin({ method: 'POST', path: '/apply', body: file });
    expect([applied.status, applied.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['body.users[2].email', 'body.users[3].email'],
    ]);
    const { body: found } = await admin({ path: '/users' });
    expect(found.data.map(({ email }: { email: string }) => email)).toEqual(['ann@corp.example', account.email]);

    expect((await ask('PUT', `/${name}`, { email_domains: null })).body.email_domains).toBeNull();
    expect((await create('boss@other.example')).status).toBe(201);
  });

  it('are at most 100 host names, stored once and in lower case', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `d${index}.example`);
    const wrong = [undefined, 'corp.example', [], many, [1], [''], ['@a.example']];
    const texts = ['a b', '-a.example', 'a..b', '.a', 'a.', '*.a.example', 'bücher.example', 'x'.repeat(64), '\0'];
    for (const domains of [
      ...wrong,
      ...texts.map((text) => [text]),
      ...HOSTILE_VALUES.filter((each) => each !== null),
    ]) {
      const { status, body } = await ask('PUT', '/globex', { email_domains: domains });
      expect([status, body.details[0].path.startsWith('body.email_domains')]).toEqual([400, true]);
    }
    expect((await ask('PUT', '/globex', { email_domains: many.slice(1) })).status).toBe(200);
    const twice = await ask('PUT', '/globex', { email_domains: ['a.example', 'A.example'] });
    expect([twice.status, twice.body.email_domains]).toEqual([200, ['a.example']]);
    expect((await ask('PUT', '/globex', { email_domains: null })).status).toBe(200);
    expect((await ask('PUT', '/nobody', { email_domains: null })).status).toBe(404);
  });

  it('cannot be changed by an admin of the tenant', async () => {
    const { name, idToken } = await createWithAdmin();
    const headers = { idtoken: idToken, 'content-type': 'application/json' };
    const url = `${test.url}/operator/tenants/${name}`;
    const answer = await send(url, { method: 'PUT', headers, body: JSON.stringify({ email_domains: null }) });
    expect(answer.status).toBe(401);
    nowMs += 16 * 60_000;
  });
});

describe('invalid requests', () => {
  it('return 409 for a name in use; one of many concurrent requests gets it', async () => {
    expect((await ask('POST', '', { name: 'acme' })).body.error).toBe('conflict');
    const name = newName();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('POST', '', { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('return 400 with every problem, 404 for missing objects, never 5xx', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['body.name']],
      [{ name: 'Upper', admin_email: 'x', plan: 'free' }, ['body.name', 'body.admin_email', 'body.plan']],
      [{ name: 'x'.repeat(64) }, ['body.name']],
      [{ name: '-x' }, ['body.name']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await ask('POST', '', body);
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    for (const value of HOSTILE_VALUES) {
      for (const body of [{ name: value }, { name: newName(), admin_email: value }]) {
        expect((await ask('POST', '', body)).status).toBeLessThan(500);
      }
    }
    for (const text of ['nobody', ...HOSTILE_STRINGS.filter((each) => each.isWellFormed()).map((each) => `${each}x`)]) {
      const place = encodeURIComponent(text).slice(0, 4000);
      expect([400, 404]).toContain((await ask('GET', `/${place}`)).status);
      expect([400, 404]).toContain((await ask('DELETE', `/${place}`)).status);
      expect([400, 404]).toContain((await ask('POST', `/${place}/suspend`)).status);
      expect([400, 404]).toContain((await ask('POST', `/${place}/invitations`, {})).status);
    }
  });

  const operations = Object.values<Operation>(operatorOperations);
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'return 401 without the operator token, before the body is read: %s',
    async (_name, { method, path }) => {
      const url = test.url + path.replace('{name}', 'acme');
      const admin = await logInAs(test, ['admin'], test.acme);
      const { body } = await login(test.url);
      for (const headers of [
        {},
        { authorization: `Basic ${Buffer.from(`operator:${OPERATOR_TOKEN}`).toString('base64')}` },
        { authorization: `Bearer ${body.access_token}` },
        { authorization: `Bearer ${OPERATOR_TOKEN}x` },
        { idtoken: admin.idToken },
      ]) {
        const answer = await send(url, {
          method,
          headers: headers as Record<string, string>,
          body: method === 'POST' ? '{' : '',
        });
        expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
        expect(answer.headers['www-authenticate']).toBe('Bearer realm="sluice operator"');
      }
      nowMs += 16 * 60_000;
    },
  );

  it('are delayed longer for each guess of the operator token, and never delay a right one from the same address', async () => {
    const guess = () => ask('GET', '', undefined, 'guess');
    const guesses: number[] = [];
    for (let index = 0; index < 7; index += 1) guesses.push((await guess()).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await guess()).headers['retry-after']).toBe('5');
    expect((await ask('GET')).status).toBe(200);
    expect((await guess()).status).toBe(429);
    nowMs += 5001;
    expect((await guess()).status).toBe(401);
    expect((await guess()).headers['retry-after']).toBe('10');
    nowMs += 16 * 60_000;
    expect(test.logLines.join('')).toContain('operator_refused');
    expect(test.logLines.join('')).not.toContain(OPERATOR_TOKEN);
  });

  it('return 400 for an e-mail address that PostgreSQL lower-cases differently, and no tenant is created', async () => {
    await test.rows(`alter table users add constraint spelling check (email !~ '^spelled')`);
    const name = newName();
    const made = await ask('POST', '', { name, admin_email: 'spelled@example.com' });
    expect([made.status, made.body.message]).toEqual([400, 'The e-mail contains a character that cannot be stored.']);
    expect((await ask('GET', `/${name}`)).status).toBe(404);
    const invited = await ask('POST', '/acme/invitations', { admin_email: 'spelled@example.com' });
    expect([invited.status, invited.body.error]).toEqual([400, 'invalid_request']);
    await test.rows('alter table users drop constraint spelling');
  });
});

it('are described by the OpenAPI document', async () => {
  const { body } = await send(`${test.url}/openapi.json`);
  expect(body.paths['/operator/tenants'].post.security).toEqual([{ operator: [] }]);
  expect(body.components.securitySchemes.operator).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(Object.keys(body.paths['/operator/tenants'].post.responses)).toEqual(
    expect.arrayContaining(['201', '400', '401', '409', '429']),
  );
});

it('return 404 without an OPERATOR_TOKEN', async () => {
  await using other = await startTestHost();
  for (const path of ['', '/acme', '/acme/suspend']) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    expect((await send(`${other.url}/operator/tenants${path}`, { headers })).status).toBe(404);
  }
  expect((await send(`${other.url}/openapi.json`)).text).not.toContain('/operator');
});
