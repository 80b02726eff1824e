import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
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

const addSecret = (id: string) => fixture.admin.ask({ method: 'POST', path: `/service-accounts/${id}/secrets` });
const revoke = (id: string, secretId: string) =>
  fixture.admin.ask({ method: 'DELETE', path: `/service-accounts/${id}/secrets/${secretId}` });
const read = async (id: string) => (await fixture.admin.ask({ path: `/service-accounts/${id}` })).body;

const NO_SECRET = '0'.repeat(16);

describeAdminResource(fixture, {
  what: 'service account',
  path: '/service-accounts',
  newBody: () => ({ client_id: `job-${randomUUID()}`, roles: ['service'] }),
  changes: () => [{ roles: ['analyst'] }, { roles: [] }, { roles: ['steward'], disabled: true }],
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
      secrets: [
        {
          secret_id: expect.stringMatching(/^[0-9a-f]{16}$/),
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
    ],
    changes: [{}, { roles: ['nobody'] }, { roles: null }, { disabled: 'yes' }, { client_id: 'x' }],
    queries: ['size=0', 'size=1001', 'from=-1', 'page=1', 'role=NO', 'q=%00'],
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
    const third = await addSecret(id);
    expect([third.status, third.body.error]).toEqual([409, 'conflict']);
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

  it('has at most two secrets under concurrent requests', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => addSecret(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await read(id)).secrets).toHaveLength(2);
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
