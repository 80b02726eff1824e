import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { postForm, type ReceivedResponse, secretOf, send } from '../hosts/requests.ts';
import { adminTest, expectForAdminsAlone, HOSTILE_TEXTS, HOSTILE_VALUES, recordsOf } from './admin-requests.ts';

const fixture = adminTest();

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

describe('a service account', () => {
  it('is created with a secret that is shown once, read, changed and removed; each change is audited', async () => {
    const { made, clientId, id, secret } = await create();
    expect([made.status, made.headers.etag, made.headers.location]).toEqual([
      201,
      '"1"',
      `/admin/service-accounts/${id}`,
    ]);
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { client_secret: _shown, ...account } = made.body;
    expect(account).toEqual({
      id,
      client_id: clientId,
      roles: ['service'],
      disabled: false,
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
    const shown = await fixture.admin.ask({ path: `/service-accounts/${id}` });
    expect(shown.body).toEqual(account);
    expect((await tokenOf(clientId, secret)).status).toBe(200);
    const changed = await fixture.admin.ask({
      method: 'PUT',
      path: `/service-accounts/${id}`,
      body: { roles: ['analyst'] },
    });
    expect([changed.status, changed.body.roles, changed.headers.etag]).toEqual([200, ['analyst'], '"2"']);
    const removed = await fixture.admin.ask({ method: 'DELETE', path: `/service-accounts/${id}` });
    expect(removed.status).toBe(204);
    expect((await tokenOf(clientId, secret)).body.error).toBe('invalid_client');
    const was = { roles: ['service'], disabled: false };
    const is = { roles: ['analyst'], disabled: false };
    const records = await Promise.all([made, shown, changed, removed].map((answer) => recordsOf(fixture.test, answer)));
    expect(records).toEqual([
      [['CREATE_SERVICE_ACCOUNT', clientId, { account_id: id, before: null, after: was }]],
      [['READ_SERVICE_ACCOUNTS', clientId, { account_id: id }]],
      [['UPDATE_SERVICE_ACCOUNT', clientId, { account_id: id, before: was, after: is }]],
      [['DELETE_SERVICE_ACCOUNT', clientId, { account_id: id, before: is, after: null }]],
    ]);
  });

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

  it('has a client id that is unique in its tenant', async () => {
    const { clientId } = await create();
    const body = { client_id: clientId };
    const again = await fixture.admin.ask({ method: 'POST', path: '/service-accounts', body });
    expect([again.status, again.body.error]).toEqual([409, 'conflict']);
    expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path: '/service-accounts', body })).status).toBe(201);
  });

  it('rejects a change that is based on an older version', async () => {
    const { id } = await create();
    const path = `/service-accounts/${id}`;
    await fixture.admin.ask({ method: 'PUT', path, body: { roles: [] } });
    for (const request of [
      { method: 'PUT', path, body: { roles: ['admin'] } },
      { method: 'DELETE', path },
      { method: 'POST', path: `${path}/secrets` },
      { method: 'DELETE', path: `${path}/secrets/${'0'.repeat(16)}` },
    ]) {
      expect((await fixture.admin.ask({ ...request, ifMatch: '"1"' })).status).toBe(412);
    }
    expect((await read(id)).secrets).toHaveLength(1);
  });
});

it('is listed by client id, in pages, filtered by substring and role', async () => {
  for (const client_id of ['list-b', 'list-a', 'List-c']) {
    await fixture.otherTenantAdmin.ask({
      method: 'POST',
      path: '/service-accounts',
      body: { client_id, roles: ['service'] },
    });
  }
  const ids = async (query: string) => {
    const { body } = await fixture.otherTenantAdmin.ask({ path: `/service-accounts${query}` });
    return [body.total, body.data.map((each: { client_id: string }) => each.client_id).sort()];
  };
  expect(await ids('?q=LIST-')).toEqual([3, ['List-c', 'list-a', 'list-b']]);
  expect((await ids('?q=list-&size=2'))[1]).toHaveLength(2);
  expect(await ids('?q=list-&role=admin')).toEqual([0, []]);
});

describe('invalid requests', () => {
  it('return 400 with every problem, never 5xx', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['body.client_id']],
      [{ client_id: 'a b', roles: 1, secret: 'mine' }, ['body.client_id', 'body.roles', 'body.secret']],
      [{ client_id: 'ok', roles: ['nobody'] }, ['body.roles[0]']],
      [{ client_id: 'x'.repeat(101) }, ['body.client_id']],
      [{ client_id: 'Operator' }, ['body.client_id']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await fixture.admin.ask({ method: 'POST', path: '/service-accounts', body });
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    const { id } = await create();
    for (const value of HOSTILE_VALUES) {
      const made = await fixture.admin.ask({ method: 'POST', path: '/service-accounts', body: { client_id: value } });
      const put = await fixture.admin.ask({ method: 'PUT', path: `/service-accounts/${id}`, body: { roles: value } });
      expect([made.status < 500, put.status < 500]).toEqual([true, true]);
    }
    for (const text of HOSTILE_TEXTS.filter((each) => each.isWellFormed())) {
      const place = encodeURIComponent(text).slice(0, 4000);
      expect((await revoke(id, `${place}x`)).status).toBeLessThan(500);
      expect((await fixture.admin.ask({ path: `/service-accounts?q=${place}` })).status).toBeLessThan(500);
    }
  });

  it('return 403 without the permission admin, and 404 for missing objects and objects of other tenants', async () => {
    const { id } = await create();
    const { secrets } = await read(id);
    const requests = [
      { path: '/service-accounts' },
      { method: 'POST', path: '/service-accounts', body: { client_id: 'mine' } },
      { path: `/service-accounts/${id}` },
      { method: 'PUT', path: `/service-accounts/${id}`, body: { roles: ['admin'] } },
      { method: 'POST', path: `/service-accounts/${id}/secrets` },
      { method: 'DELETE', path: `/service-accounts/${id}/secrets/${secrets[0].secret_id}` },
      { method: 'DELETE', path: `/service-accounts/${id}` },
    ];
    await expectForAdminsAlone(fixture.test, requests);
    for (const [ask, place] of [
      [fixture.otherTenantAdmin.ask, id],
      [fixture.admin.ask, randomUUID()],
      [fixture.admin.ask, 'no-uuid'],
    ] as const) {
      for (const { path, ...request } of requests.filter((each) => each.path.includes(id))) {
        expect((await ask({ ...request, path: path.replace(id, place) })).status).toBe(404);
      }
    }
    expect((await read(id)).secrets).toHaveLength(1);
  });
});

it('never write a secret to the log or the audit log', async () => {
  const { secret, id } = await create();
  const added = (await addSecret(id)).body.client_secret;
  const tables = ['audit_log', 'clients', 'client_secrets', 'sessions'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => fixture.test.rows(`select * from ${table}`))));
  for (const each of [secret, added]) expect(dump + fixture.test.logLines.join('')).not.toContain(each);
});
