import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRecords, get, type LoggedIn, logInAs } from '../catalog/catalog-seed.ts';
import { send } from '../hosts/requests.ts';
import { startTestHost, type TestHost } from '../hosts/start-test-host.ts';

const OPERATOR = {
  query_time_ms: 1_800_000,
  queries_per_user: 6,
  queries_per_tenant: 20,
  rows_max: null,
  bytes_max: null,
};
const NONE = { query_time_ms: null, queries_per_user: null, queries_per_tenant: null, rows_max: null, bytes_max: null };

let test: TestHost;
let admin: LoggedIn;
let analyst: LoggedIn;
let otherTenantAdmin: LoggedIn;
beforeAll(async () => {
  test = await startTestHost({ QUERIES_PER_USER: '6' });
  admin = await logInAs(test, ['admin'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  otherTenantAdmin = await logInAs(test, ['admin'], test.globex);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const limits = (caller: LoggedIn) => get(test, caller, '/admin/limits');
const put = (body: unknown, { idToken }: LoggedIn = admin) =>
  send(`${test.url}/admin/limits`, {
    method: 'PUT',
    headers: { idtoken: idToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('/admin/limits', () => {
  it('returns the limits of the operator, and own ones only after they are set', async () => {
    const before = await limits(admin);
    expect([before.status, before.body]).toEqual([200, { own: NONE, operator: OPERATOR, effective: OPERATOR }]);
    expect(await auditRecords(test, before)).toMatchObject([{ action: 'READ_LIMITS', target: 'acme' }]);
    const own = { query_time_ms: 60_000, queries_per_user: 6, rows_max: 1000 };
    const changed = await put(own);
    expect([changed.status, changed.body]).toEqual([
      200,
      { own: { ...NONE, ...own }, operator: OPERATOR, effective: { ...OPERATOR, ...own } },
    ]);
    expect(await auditRecords(test, changed)).toEqual([
      {
        action: 'UPDATE_LIMITS',
        target: 'acme',
        user_name: admin.email,
        metadata: { before: NONE, after: { ...NONE, ...own } },
      },
    ]);
    expect((await limits(admin)).body).toEqual(changed.body);
    expect((await get(test, analyst, '/me')).body.limits).toMatchObject({ query_time_ms: 60_000, rows_max: 1000 });
    expect((await limits(otherTenantAdmin)).body.own).toEqual(NONE);
    expect((await put({ rows_max: null })).body.effective).toEqual(OPERATOR);
  });

  it('never exceeds the limits of the operator, which win when they are lowered', async () => {
    expect((await put({ query_time_ms: 600_000, queries_per_user: 5 })).status).toBe(200);
    const rejected = await put({ query_time_ms: 1_800_001, queries_per_user: 7, queries_per_tenant: 20 });
    expect([rejected.status, rejected.body.error, rejected.body.details]).toEqual([
      400,
      'invalid_request',
      [
        { path: 'body.query_time_ms', message: 'must be at most 1800000, the limit of the operator' },
        { path: 'body.queries_per_user', message: 'must be at most 6, the limit of the operator' },
      ],
    ]);
    expect((await limits(admin)).body.own).toMatchObject({ query_time_ms: 600_000, queries_per_user: 5 });
    await test.rows(
      `update tenants set settings = settings || '{"queryTimeLimitMs": 30000, "rowsMax": 10}' where name = 'acme'`,
    );
    const lowered = await limits(admin);
    expect(lowered.body.effective).toMatchObject({ query_time_ms: 30_000, queries_per_user: 5, rows_max: 10 });
    expect((await put({ rows_max: 11 })).status).toBe(400);
    await test.rows(`update tenants set settings = '{}' where name = 'acme'`);
  });

  it.each([
    [{ query_time_ms: 999 }, 'body.query_time_ms'],
    [{ queries_per_user: 0 }, 'body.queries_per_user'],
    [{ rows_max: 1.5 }, 'body.rows_max'],
    [{ bytes_max: '1' }, 'body.bytes_max'],
    [{ rows: 1 }, 'body.rows'],
  ])('returns 400 for %p', async (body, path) => {
    const answer = await put(body);
    expect([answer.status, answer.body.details]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  it('returns 403 without admin', async () => {
    expect((await limits(analyst)).status).toBe(403);
    expect((await put({}, analyst)).status).toBe(403);
    expect((await send(`${test.url}/admin/limits`)).status).toBe(401);
  });
});
