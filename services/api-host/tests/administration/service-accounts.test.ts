import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { adminTest, HOSTILE_STRINGS, recordsOf } from '@sluice/testkit/fixtures';
import { postForm, secretOf } from '@sluice/testkit/requests';
import { describeAdminResource } from './describe-admin-resource.ts';

// A test looks for secrets in the rows and log lines of all tenants.
const fixture = adminTest({});

const create = async (roles: readonly string[] = ['service']) => {
  const clientId = `job-${randomUUID().slice(0, 8)}`;
  const made = await fixture.admin.ask({
    method: 'POST',
    path: '/service-accounts',
    body: { client_id: clientId, roles },
  });
  return { made, clientId, id: made.body.id as string, secret: made.body.client_secret as string };
};

const tokenOf = (clientId: string, secret: string): Promise<ReceivedResponse> =>
  postForm(`${fixture.test.url}/auth/acme/oauth2/token`, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });

const stream = async (token: string): Promise<number> =>
  (await send(`${fixture.test.url}/test/stream`, { headers: { authorization: `Bearer ${token}` } })).status;

const addSecret = (id: string, body?: unknown) =>
  fixture.admin.ask({ method: 'POST', path: `/service-accounts/${id}/secrets`, body });
const revoke = (id: string, secretId: string) =>
  fixture.admin.ask({ method: 'DELETE', path: `/service-accounts/${id}/secrets/${secretId}` });
const read = async (id: string) => (await fixture.admin.ask({ path: `/service-accounts/${id}` })).body;

/** Key of RFC 7515 appendix A.3.1. */
const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const NO_SECRET = '0'.repeat(16);

describeAdminResource(fixture, {
  what: 'service account',
  path: '/service-accounts',
  newBody: () => ({ client_id: `job-${randomUUID()}`, roles: ['service'] }),
  changes: () => [
    { roles: ['analyst'] },
    { roles: [], scopes: ['query:run'], allowed_networks: ['192.0.2.0/24'], jwks_uri: 'https://keys.example/jwks' },
    { roles: ['steward'], disabled: true, may_introspect: true, jwks: { keys: [PUBLIC_KEY] } },
  ],
  pathOf: ({ id }) => `/service-accounts/${id}`,
  versions: ['"1"', '"2"'],
  versioned: (path) => [
    { method: 'POST', path: `${path}/secrets` },
    { method: 'DELETE', path: `${path}/secrets/${NO_SECRET}` },
  ],
  missing: () => [`/service-accounts/${randomUUID()}`, '/service-accounts/no-uuid'],
  textParameters: ['q', 'role'],
  life() {
    const clientId = `life-${randomUUID()}`;
    const was = { roles: ['service'], disabled: false };
    const is = { roles: ['analyst'], disabled: false };
    const shown = ({ id }: { id: string }) => ({
      id,
      client_id: clientId,
      ...was,
      allowed_networks: null,
      scopes: null,
      jwks: null,
      jwks_uri: null,
      may_introspect: false,
      last_used_ts: null,
      secrets: [
        {
          secret_id: expect.stringMatching(/^[0-9a-f]{16}$/),
          label: null,
          expires_ts: null,
          created_ts: expect.any(Number),
          created_by: fixture.admin.email,
          last_used_ts: null,
        },
      ],
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
    });
    let secret = '';
    return {
      body: { client_id: clientId, roles: was.roles },
      created: (made) => ({ ...shown(made), client_secret: expect.stringMatching(/^[\w-]{43}$/) }),
      shown,
      change: { roles: is.roles },
      changed: { roles: is.roles },
      async afterRead({ client_secret }) {
        secret = client_secret;
        expect((await tokenOf(clientId, secret)).status).toBe(200);
      },
      afterRemoval: async () => expect((await tokenOf(clientId, secret)).body.error).toBe('invalid_client'),
      records: ({ id }) => [
        ['CREATE_SERVICE_ACCOUNT', clientId, { account_id: id, before: null, after: was }],
        ['READ_SERVICE_ACCOUNTS', clientId, { account_id: id }],
        ['UPDATE_SERVICE_ACCOUNT', clientId, { account_id: id, before: was, after: is }],
        ['DELETE_SERVICE_ACCOUNT', clientId, { account_id: id, before: is, after: null }],
      ],
    };
  },
  invalid: () => ({
    creations: [
      [{}, ['body.client_id']],
      [{ client_id: 'a b', roles: 1, secret: 'mine' }, ['body.client_id', 'body.roles', 'body.secret']],
      [{ client_id: 'ok', roles: ['nobody'] }, ['body.roles[0]']],
      [{ client_id: 'x'.repeat(101) }, ['body.client_id']],
      [{ client_id: 'Operator' }, ['body.client_id']],
      [
        { client_id: 'ok', allowed_networks: ['10.0.0.0/33', '::ffff:10.0.0.1', '10.0.0.1'], scopes: [] },
        ['body.allowed_networks[0]', 'body.allowed_networks[1]', 'body.scopes'],
      ],
      [{ client_id: 'ok', jwks: { keys: [{ ...PUBLIC_KEY, d: 'x' }] } }, ['body.jwks.keys[0].d']],
      [{ client_id: 'ok', jwks: { keys: [{ ...PUBLIC_KEY, x: 'A'.repeat(43) }] } }, ['body.jwks.keys[0]']],
      [{ client_id: 'ok', jwks: { keys: [PUBLIC_KEY, PUBLIC_KEY] } }, ['body.jwks.keys']],
      [{ client_id: 'ok', jwks_uri: 'https://10.0.0.1/jwks' }, ['body.jwks_uri']],
      [{ client_id: 'ok', jwks_uri: 'http://keys.example/jwks' }, ['body.jwks_uri']],
    ],
    changes: [
      {},
      { roles: ['nobody'] },
      { roles: null },
      { disabled: 'yes' },
      { client_id: 'x' },
      { allowed_networks: [] },
      { allowed_networks: ['here'] },
      { scopes: ['everything'] },
      { may_introspect: null },
      { jwks: { keys: [] } },
      { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } },
      { jwks: { keys: [PUBLIC_KEY] }, jwks_uri: 'https://keys.example/jwks' },
      { jwks_uri: 'https://localhost/jwks' },
    ],
    queries: ['unused_days=0', 'unused_days=x', 'size=0', 'size=1001', 'from=-1', 'page=1', 'role=NO', 'q=%00'],
  }),
  listed: {
    bodies: ['list-b', 'list-a', 'List-c'].map((client_id) => ({ client_id, roles: ['service'] })),
    keys: ['List-c', 'list-a', 'list-b'],
    keyOf: ({ client_id }) => client_id,
    isPaged: true,
  },
});

describe('a service account', () => {
  it('rotates its secret without a gap, and a token ends with the secret it was issued for', async () => {
    const { clientId, id, secret } = await create();
    const old = (await tokenOf(clientId, secret)).body.access_token;
    const added = await addSecret(id);
    expect(added.status).toBe(201);
    const fresh = (await tokenOf(clientId, added.body.client_secret)).body.access_token;
    expect((await tokenOf(clientId, secret)).status).toBe(200);
    const [first, second] = (await read(id)).secrets;
    expect(second.secret_id).toBe(added.body.secret_id);
    expect([await stream(old), await stream(fresh)]).toEqual([200, 200]);
    const revoked = await revoke(id, first.secret_id);
    expect(revoked.status).toBe(204);
    expect([await stream(old), await stream(fresh)]).toEqual([401, 200]);
    expect((await tokenOf(clientId, secret)).status).toBe(401);
    expect((await tokenOf(clientId, added.body.client_secret)).status).toBe(200);
    expect((await revoke(id, first.secret_id)).status).toBe(404);
    expect((await read(id)).secrets).toHaveLength(1);
    expect((await addSecret(id)).status).toBe(201);
    expect(await recordsOf(fixture.test, added)).toEqual([
      ['ADD_CLIENT_SECRET', clientId, { account_id: id, secret_id: second.secret_id }],
    ]);
    expect(await recordsOf(fixture.test, revoked)).toEqual([
      ['REVOKE_CLIENT_SECRET', clientId, { account_id: id, secret_id: first.secret_id }],
    ]);
  });

  it('reports when each secret was last used, including secrets used on another host', async () => {
    const begun = Date.now();
    const { clientId, id, secret } = await create();
    const added = await addSecret(id);
    await tokenOf(clientId, added.body.client_secret);
    await tokenOf(clientId, `${secret} wrong`);
    const [first, second] = (await read(id)).secrets;
    expect(first.last_used_ts).toBeNull();
    expect(second.last_used_ts).toBeGreaterThanOrEqual(begun - 1000);
    expect(second.last_used_ts).toBeLessThanOrEqual(Date.now() + 1000);
    await tokenOf('etl', secretOf('acme'));
    const etl = await read(fixture.test.acme.clientId);
    expect(etl.secrets.map((each: { last_used_ts: number | null }) => each.last_used_ts !== null)).toEqual([
      false,
      true,
    ]);
    expect(etl.secrets.map((each: { created_ts: number | null }) => each.created_ts)).toEqual([null, null]);
  });

  it('has at most five secrets under concurrent requests, each of which works', async () => {
    const { id, clientId, secret } = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => addSecret(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('conflict');
    expect((await read(id)).secrets).toHaveLength(5);
    const secrets = answers.flatMap(({ status, body }) => (status === 201 ? [body.client_secret] : []));
    for (const each of [secret, ...secrets]) expect((await tokenOf(clientId, each)).status).toBe(200);
    expect((await tokenOf(clientId, `${secrets[0]}x`)).status).toBe(401);
  });

  it('has secrets with a label and an end, which are listed without the secrets', async () => {
    const { id, clientId } = await create();
    const expires_ts = Date.now() + 3_600_000;
    const added = await addSecret(id, { label: 'nightly job', expires_ts });
    expect([added.status, added.body]).toEqual([
      201,
      { secret_id: expect.any(String), label: 'nightly job', expires_ts, client_secret: expect.any(String) },
    ]);
    const listed = await fixture.admin.ask({ path: `/service-accounts/${id}/secrets` });
    const rest = { created_ts: expect.any(Number), created_by: fixture.admin.email, last_used_ts: null };
    expect(listed.body.data).toEqual([
      { secret_id: expect.any(String), label: null, expires_ts: null, ...rest },
      { secret_id: added.body.secret_id, label: 'nightly job', expires_ts, ...rest },
    ]);
    expect(listed.text).not.toContain(added.body.client_secret);
    expect(await recordsOf(fixture.test, added)).toEqual([
      [
        'ADD_CLIENT_SECRET',
        clientId,
        { account_id: id, secret_id: added.body.secret_id, label: 'nightly job', expires_ts },
      ],
    ]);
    expect(await recordsOf(fixture.test, listed)).toEqual([['READ_SERVICE_ACCOUNTS', clientId, { account_id: id }]]);
    for (const [body, path] of [
      [{ expires_ts: Date.now() - 1000 }, 'body.expires_ts'],
      [{ expires_ts: 1_900_000_000 }, 'body.expires_ts'],
      [{ label: ' ' }, 'body.label'],
      [{ label: 'x'.repeat(101) }, 'body.label'],
      [{ secret: 'mine' }, 'body.secret'],
    ] as const) {
      const refused = await addSecret(id, body);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, path]);
    }
    const { ask } = fixture.otherTenantAdmin;
    expect((await ask({ path: `/service-accounts/${id}/secrets` })).status).toBe(404);
    await fixture.expectDenied([{ path: `/service-accounts/${id}/secrets` }]);
  });

  it('loses a secret, and the sessions that it opened, when the secret expires', async () => {
    const { id, clientId, secret } = await create();
    const { body } = await addSecret(id, { expires_ts: Date.now() + 60_000 });
    const issued = (await tokenOf(clientId, body.client_secret)).body;
    expect(issued.expires_in).toBeLessThanOrEqual(60);
    const kept = (await tokenOf(clientId, secret)).body;
    expect([await stream(issued.access_token), await stream(kept.access_token)]).toEqual([200, 200]);
    const [session] = await fixture.test.rows<{ same: boolean }>(
      `select s.expires = k.expires as same from sessions s join client_secrets k on k.secret_id = s.secret_id
       where s.account_id = $1 and k.secret_id = $2`,
      [id, body.secret_id],
    );
    expect(session?.same).toBe(true);
    // The secret was verified within the last 5 s, so that its hash is not compared again.
    await fixture.test.rows('update client_secrets set expires = now() where secret_id = $1', [body.secret_id]);
    await fixture.test.rows('update sessions set expires = now() where secret_id = $1', [body.secret_id]);
    expect((await tokenOf(clientId, body.client_secret)).status).toBe(401);
    expect([await stream(issued.access_token), await stream(kept.access_token)]).toEqual([401, 200]);
    expect((await read(id)).secrets).toHaveLength(2);
    expect((await revoke(id, body.secret_id)).status).toBe(204);
  });

  it('gets no token when disabled, and its tokens return 401 for good', async () => {
    const { clientId, id, secret } = await create();
    const token = (await tokenOf(clientId, secret)).body.access_token;
    const put = (disabled: boolean) =>
      fixture.admin.ask({ method: 'PUT', path: `/service-accounts/${id}`, body: { disabled } });
    expect((await put(true)).body.disabled).toBe(true);
    expect([await stream(token), (await tokenOf(clientId, secret)).status]).toEqual([401, 401]);
    await put(false);
    expect([await stream(token), (await tokenOf(clientId, secret)).status]).toEqual([401, 200]);
  });

  it('may have the client id of an account of another tenant', async () => {
    const { clientId } = await create();
    const body = { client_id: clientId };
    expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/service-accounts', body })).status).toBe(201);
  });

  it('keeps its secrets when a request for a secret has an older version', async () => {
    const { id } = await create();
    const path = `/service-accounts/${id}`;
    await fixture.admin.ask({ method: 'PUT', path, body: { roles: [] } });
    expect((await fixture.admin.ask({ method: 'POST', path: `${path}/secrets`, ifMatch: '"1"' })).status).toBe(412);
    const { secrets } = await read(id);
    const secretPath = `${path}/secrets/${secrets[0].secret_id}`;
    expect((await fixture.admin.ask({ method: 'DELETE', path: secretPath, ifMatch: '"1"' })).status).toBe(412);
    const { ask } = fixture.otherTenantAdmin;
    expect((await ask({ method: 'DELETE', path: secretPath })).status).toBe(404);
    await fixture.expectDenied([{ method: 'DELETE', path: secretPath }]);
    expect((await read(id)).secrets).toHaveLength(1);
  });
});

it('is filtered in the list by substring and role', async () => {
  const ids = async (query: string) => {
    const { body } = await fixture.otherTenantAdmin.ask({ path: `/service-accounts${query}` });
    return [body.total, body.data.map((each: { client_id: string }) => each.client_id).sort()];
  };
  expect(await ids('?q=LIST-')).toEqual([3, ['List-c', 'list-a', 'list-b']]);
  expect((await ids('?q=list-&size=2'))[1]).toHaveLength(2);
  expect(await ids('?q=list-&role=admin')).toEqual([0, []]);
});

it('is filtered in the list by the days without a token', async () => {
  const { id, clientId, secret } = await create();
  const isListed = async (days: number) => {
    const { body } = await fixture.admin.ask({ path: `/service-accounts?q=${clientId}&unused_days=${days}` });
    return body.total === 1 && body.data[0].id === id;
  };
  expect(await isListed(1)).toBe(false);
  await fixture.test.rows(`update clients set created = now() - interval '91 days' where id = $1`, [id]);
  expect([await isListed(90), await isListed(92)]).toEqual([true, false]);
  await tokenOf(clientId, secret);
  await until(async () => (await read(id)).last_used_ts ?? undefined, { what: 'the note of the use' });
  expect(await isListed(90)).toBe(false);
  await fixture.test.rows(`update clients set last_used = now() - interval '95 days' where id = $1`, [id]);
  expect(await isListed(90)).toBe(false);
  await fixture.test.rows(`update client_secrets set last_used = now() - interval '94 days' where account_id = $1`, [
    id,
  ]);
  expect([await isListed(90), await isListed(95)]).toEqual([true, false]);
});

it('returns no 5xx for any id of a secret', async () => {
  const { id } = await create();
  for (const text of HOSTILE_STRINGS.filter((each) => each.isWellFormed())) {
    expect((await revoke(id, `${encodeURIComponent(text).slice(0, 4000)}x`)).status).toBeLessThan(500);
  }
});

it('never write a secret to the log or the audit log', async () => {
  const { secret, id } = await create();
  const added = (await addSecret(id)).body.client_secret;
  const tables = ['audit_log', 'clients', 'client_secrets', 'sessions'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => fixture.test.rows(`select * from ${table}`))));
  for (const each of [secret, added]) expect(dump + fixture.test.logLines.join('')).not.toContain(each);
});
