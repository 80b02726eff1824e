import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AskAsAdmin,
  adminOf,
  HOSTILE_VALUES,
  type LoggedIn,
  logInAs,
  logInWith,
  NEW_PASSWORD,
  recordsOf,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postForm, postJson } from '@sluice/testkit/requests';

let test: TestHost;
let admin: LoggedIn & { ask: AskAsAdmin };
let otherTenantAdmin: LoggedIn & { ask: AskAsAdmin };

beforeAll(async () => {
  test = await shareTestHost();
  admin = await adminOf(test, test.acme);
  otherTenantAdmin = await adminOf(test, test.globex);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const apply = (body: unknown, ask: AskAsAdmin = admin.ask) => ask({ method: 'POST', path: '/apply', body });

/** Everything that a file can change in a tenant. */
const stateOf = async (tenantId: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['roles', 'users', 'clients', 'client_secrets', 'invitations'].map((table) =>
        test.rows(`select * from ${table} where tenant_id = $1 order by 2, 3`, [tenantId]),
      ),
    ),
  );

const fileOf = (name: string) => ({
  roles: [
    { name: `${name}-readers`, permissions: ['datamap:read'] },
    { name: `${name}-runners`, permissions: ['query:run', 'datamap:read'] },
  ],
  users: [
    { email: `Ada@${name}.example`, roles: [`${name}-readers`, 'analyst'] },
    { email: `bob@${name}.example`, roles: [`${name}-runners`], disabled: true },
    { email: `cyd@${name}.example` },
  ],
  service_accounts: [{ client_id: `${name}-etl`, roles: [`${name}-runners`] }],
});

describe('a configuration file', () => {
  it('creates missing accounts with invitations and secrets; each change is audited', async () => {
    const answer = await apply(fileOf('first'));
    expect(answer.status).toBe(200);
    const { changes, ...counts } = answer.body;
    expect(counts).toEqual({ dry_run: false, created_count: 6, updated_count: 0, unchanged_count: 0 });
    expect(changes.map(({ kind, name, action }: Record<string, unknown>) => [kind, name, action])).toEqual([
      ['role', 'first-readers', 'create'],
      ['role', 'first-runners', 'create'],
      ['user', 'ada@first.example', 'create'],
      ['user', 'bob@first.example', 'create'],
      ['user', 'cyd@first.example', 'create'],
      ['service_account', 'first-etl', 'create'],
    ]);
    const { token } = changes[2].invitation;
    expect(
      (await postJson(`${test.url}/auth/invitation/${test.acme.tenantName}`, { token, password: NEW_PASSWORD })).status,
    ).toBe(200);
    expect((await logInWith(test, { email: 'ada@first.example', password: NEW_PASSWORD })).status).toBe(200);
    const client = {
      grant_type: 'client_credentials',
      client_id: 'first-etl',
      client_secret: changes[5].client_secret,
    };
    expect((await postForm(`${test.url}/auth/${test.acme.tenantName}/oauth2/token`, client)).status).toBe(200);
    const { body: users } = await admin.ask({ path: '/users?q=first.example' });
    expect(users.data.map((user: { roles: string[]; disabled: boolean }) => [user.roles, user.disabled])).toEqual([
      [['first-readers', 'analyst'], false],
      [['first-runners'], true],
      [[], false],
    ]);
    const actions = (await recordsOf(test, answer)).map(([action]) => action);
    expect([...actions].sort()).toEqual([
      'APPLY_CONFIGURATION',
      'CREATE_ROLE',
      'CREATE_ROLE',
      'CREATE_SERVICE_ACCOUNT',
      'CREATE_USER',
      'CREATE_USER',
      'CREATE_USER',
      'UPDATE_USER',
    ]);
  });

  it('changes nothing when it is applied again, whatever the order of its lists', async () => {
    await apply(fileOf('again'));
    const before = await stateOf(test.acme.tenantId);
    const file = fileOf('again');
    for (const role of file.roles) role.permissions.reverse();
    for (const user of file.users) user.roles?.reverse();
    const answer = await apply(file);
    const { changes, ...counts } = answer.body;
    expect(counts).toEqual({ dry_run: false, created_count: 0, updated_count: 0, unchanged_count: 6 });
    for (const { action, before: was, after: is, invitation, client_secret } of changes) {
      expect([action, was, invitation, client_secret]).toEqual(['none', is, null, null]);
    }
    expect(await stateOf(test.acme.tenantId)).toBe(before);
    expect(await recordsOf(test, answer)).toEqual([['APPLY_CONFIGURATION', 'administration', counts]]);
  });

  it('changes what differs, leaves unnamed objects unchanged, and ends sessions as a single change does', async () => {
    const made = await apply(fileOf('later'));
    const { token } = made.body.changes[2].invitation;
    await postJson(`${test.url}/auth/invitation/${test.acme.tenantName}`, { token, password: NEW_PASSWORD });
    const account = { email: 'ada@later.example', password: NEW_PASSWORD };
    const { body: tokens } = await logInWith(test, account);
    const answer = await apply({
      roles: [{ name: 'later-readers', permissions: ['audit:read'] }],
      users: [{ email: 'ada@later.example', disabled: true }],
    });
    expect(answer.body).toMatchObject({ created_count: 0, updated_count: 2, unchanged_count: 0 });
    expect(answer.body.changes[1]).toMatchObject({
      before: { roles: ['later-readers', 'analyst'], disabled: false },
      after: { roles: ['later-readers', 'analyst'], disabled: true },
    });
    expect((await logInWith(test, account)).status).toBe(401);
    const back = await apply({ users: [{ email: 'ada@later.example', disabled: false }] });
    expect(back.body.updated_count).toBe(1);
    const live = await test.rows(
      `select 1 from sessions s join users u on u.id = s.account_id
      where u.tenant_id = $1 and u.email = 'ada@later.example' and s.revoked_at is null`,
      [test.acme.tenantId],
    );
    expect([live, typeof tokens.id_token]).toEqual([[], 'string']);
    expect((await admin.ask({ path: '/users?q=bob@later' })).body.data[0].roles).toEqual(['later-runners']);
  });

  it('affects only its own tenant', async () => {
    await apply(fileOf('mine'));
    const before = await stateOf(test.acme.tenantId);
    const answer = await apply(fileOf('mine'), otherTenantAdmin.ask);
    expect(answer.body.created_count).toBe(6);
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });
});

describe('a dry run', () => {
  it('reports the changes without secrets, and writes only the audit log', async () => {
    await apply(fileOf('dry'));
    const before = await stateOf(test.acme.tenantId);
    const file = {
      dry_run: true,
      roles: [{ name: 'dry-new', permissions: [] }],
      users: [{ email: 'ada@dry.example', roles: ['dry-new'] }, { email: 'new@dry.example' }],
      service_accounts: [{ client_id: 'dry-new' }, { client_id: 'dry-etl' }],
    };
    const answer = await apply(file);
    const { changes, ...counts } = answer.body;
    expect(counts).toEqual({ dry_run: true, created_count: 3, updated_count: 1, unchanged_count: 1 });
    expect(
      changes.every(({ invitation, client_secret }: Record<string, unknown>) => !invitation && !client_secret),
    ).toBe(true);
    expect(await stateOf(test.acme.tenantId)).toBe(before);
    expect(await recordsOf(test, answer)).toEqual([['APPLY_CONFIGURATION', 'administration', counts]]);
    const real = await apply({ ...file, dry_run: false });
    expect(real.body).toMatchObject({ created_count: 3, updated_count: 1, unchanged_count: 1 });
  });

  it('is made of any file with dry_run=true in the address', async () => {
    const before = await stateOf(test.acme.tenantId);
    for (const dry_run of [undefined, false, true]) {
      const body = { ...fileOf('address'), dry_run };
      const answer = await admin.ask({ method: 'POST', path: '/apply?dry_run=true', body });
      expect(answer.body).toMatchObject({ dry_run: true, created_count: 6 });
    }
    expect(await stateOf(test.acme.tenantId)).toBe(before);
    const invalid = await admin.ask({ method: 'POST', path: '/apply?dry_run=yes', body: {} });
    expect([invalid.status, invalid.body.error]).toEqual([400, 'invalid_request']);
  });

  it('is rejected as the file itself is', async () => {
    const file = { roles: [{ name: 'admin', permissions: ['query:run'] }] };
    for (const dry_run of [true, false]) {
      const answer = await apply({ ...file, dry_run });
      expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
    }
  });
});

describe('invalid requests', () => {
  it('change nothing, and every unknown role is reported by location', async () => {
    const before = await stateOf(test.acme.tenantId);
    const answer = await apply({
      roles: [{ name: 'half-made', permissions: [] }],
      users: [{ email: 'a@half.example', roles: ['half-made', 'nobody'] }],
      service_accounts: [{ client_id: 'half', roles: ['neither'] }],
    });
    expect([answer.status, answer.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['body.users[0].roles[1]', 'body.service_accounts[0].roles[0]'],
    ]);
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });

  it('return 400 with every problem, never 5xx', async () => {
    const bodies: [unknown, string[]][] = [
      [{ colours: [] }, ['body.colours']],
      [
        { roles: [{ name: 'X' }], users: [{ email: 'x', color: 1 }], dry_run: 'yes' },
        [
          'body.dry_run',
          'body.roles[0].name',
          'body.roles[0].permissions',
          'body.users[0].email',
          'body.users[0].color',
        ],
      ],
      [{ users: [{ email: 'a@b' }, { email: 'A@b ' }] }, ['body.users']],
      [
        { service_accounts: Array.from({ length: 101 }, (_, index) => ({ client_id: `c${index}` })) },
        ['body.service_accounts'],
      ],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await apply(body);
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    for (const value of HOSTILE_VALUES) {
      for (const body of [
        { roles: value },
        { roles: [value] },
        { users: [{ email: value }] },
        { users: [{ email: 'x@y', roles: [value] }] },
        { service_accounts: [{ client_id: value }] },
        { dry_run: value },
        value,
      ]) {
        expect((await apply(body)).status).toBeLessThan(500);
      }
    }
    expect((await apply({})).body).toMatchObject({ created_count: 0, unchanged_count: 0 });
  });

  it('return 403 without the permission admin', async () => {
    const steward = await logInAs(test, ['steward', 'auditor'], test.acme);
    const answer = await postJson(`${test.url}/admin/apply`, {}, { idtoken: steward.idToken });
    expect([answer.status, (await recordsOf(test, answer))[0]?.[0]]).toEqual([403, 'ACCESS_DENIED']);
  });
});

it('two files applied concurrently have the effect of two in sequence', async () => {
  const answers = await Promise.all([apply(fileOf('race')), apply(fileOf('race')), apply(fileOf('race'))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ body }) => body.created_count).sort()).toEqual([0, 0, 6]);
});

it('apply a file of 500 users and 100 roles, twice', async () => {
  const roles = Array.from({ length: 100 }, (_, index) => ({ name: `bulk-${index}`, permissions: ['datamap:read'] }));
  const users = Array.from({ length: 500 }, (_, index) => ({
    email: `u${index}@bulk.example`,
    roles: [`bulk-${index % 100}`],
  }));
  expect((await apply({ roles, users })).body).toMatchObject({ created_count: 600 });
  expect((await apply({ roles, users })).body).toMatchObject({ created_count: 0, unchanged_count: 600 });
});
