import { describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type Admin, adminTest, auditRecords, get, logInAs } from '@sluice/testkit/fixtures';

const OPERATOR = {
  query_time_ms: 1_800_000,
  queries_per_user: 6,
  queries_per_tenant: 20,
  rows_max: null,
  bytes_max: null,
  keep_time_ms: 604_800_000,
  kept_bytes_max: 10 * 1024 ** 3,
  console_keep_ms: 604_800_000,
};
/** Limits in force without own ones: the console keeps results for a day. */
const EFFECTIVE = { ...OPERATOR, console_keep_ms: 86_400_000 };
const NONE = Object.fromEntries(Object.keys(OPERATOR).map((name) => [name, null]));

const fixture = adminTest({ QUERIES_PER_USER: '6', RESULT_KEEP_MAX: '7d' });

const limits = (caller: Admin = fixture.admin) => caller.ask({ path: '/limits' });
const put = (body: unknown, ifMatch?: string) =>
  fixture.admin.ask({ method: 'PUT', path: '/limits', body, ...(ifMatch === undefined ? {} : { ifMatch }) });

describe('/admin/limits', () => {
  it('returns the limits of the operator, and own ones only after they are set', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const before = await limits();
    expect([before.status, before.body]).toEqual([200, { own: NONE, operator: OPERATOR, effective: EFFECTIVE }]);
    expect(await auditRecords(test, before)).toMatchObject([{ action: 'READ_LIMITS', target: 'acme' }]);
    const own = { query_time_ms: 60_000, queries_per_user: 6, rows_max: 1000 };
    const changed = await put(own);
    expect([changed.status, changed.body]).toEqual([
      200,
      { own: { ...NONE, ...own }, operator: OPERATOR, effective: { ...EFFECTIVE, ...own } },
    ]);
    expect(await auditRecords(test, changed)).toEqual([
      {
        action: 'UPDATE_LIMITS',
        target: 'acme',
        user_name: admin.email,
        metadata: { before: NONE, after: { ...NONE, ...own } },
      },
    ]);
    expect((await limits()).body).toEqual(changed.body);
    expect((await get(test, await logInAs(test, ['analyst'], test.acme), '/me')).body.limits).toMatchObject({
      query_time_ms: 60_000,
      rows_max: 1000,
    });
    expect((await limits(otherTenantAdmin)).body.own).toEqual(NONE);
    expect((await put({ rows_max: null })).body.effective).toEqual(EFFECTIVE);
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
    expect((await limits()).body.own).toMatchObject({ query_time_ms: 600_000, queries_per_user: 5 });
    await fixture.test.rows(
      `update tenants set settings = settings || '{"queryTimeLimitMs": 30000, "rowsMax": 10}' where name = 'acme'`,
    );
    const lowered = await limits();
    expect(lowered.body.effective).toMatchObject({ query_time_ms: 30_000, queries_per_user: 5, rows_max: 10 });
    expect((await put({ rows_max: 11 })).status).toBe(400);
    await fixture.test.rows(`update tenants set settings = '{}' where name = 'acme'`);
  });

  it('limit how long results are kept, by queries and by the console, and 0 turns either off', async () => {
    const { test } = fixture;
    expect((await put({ keep_time_ms: 3_600_000, kept_bytes_max: 1_000 })).body.effective).toMatchObject({
      keep_time_ms: 3_600_000,
      kept_bytes_max: 1_000,
      console_keep_ms: 3_600_000,
    });
    const credential = await logInAs(test, ['analyst'], test.acme);
    expect((await get(test, credential, '/me')).body.limits).toMatchObject({ console_keep: '1h' });
    expect((await put({ console_keep_ms: 172_800_000 })).body.effective).toMatchObject({
      console_keep_ms: 172_800_000,
    });
    expect((await put({ console_keep_ms: 0 })).body.effective).toMatchObject({
      keep_time_ms: 604_800_000,
      console_keep_ms: 0,
    });
    expect((await put({ keep_time_ms: 0 })).body.effective).toMatchObject({ keep_time_ms: 0, console_keep_ms: 0 });
    const rejected = await put({ keep_time_ms: 604_800_001, console_keep_ms: 604_800_001 });
    expect(rejected.body.details).toMatchObject([{ path: 'body.keep_time_ms' }, { path: 'body.console_keep_ms' }]);
    expect((await put({})).body.effective).toEqual(EFFECTIVE);
  });

  it.each([
    [{ keep_time_ms: -1 }, 'body.keep_time_ms'],
    [{ kept_bytes_max: 0 }, 'body.kept_bytes_max'],
    [{ console_keep_ms: '24h' }, 'body.console_keep_ms'],
    [{ query_time_ms: 999 }, 'body.query_time_ms'],
    [{ queries_per_user: 0 }, 'body.queries_per_user'],
    [{ rows_max: 1.5 }, 'body.rows_max'],
    [{ bytes_max: '1' }, 'body.bytes_max'],
    [{ rows: 1 }, 'body.rows'],
  ])('returns 400 for %p', async (body, path) => {
    const answer = await put(body);
    expect([answer.status, answer.body.details]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  it('returns 412 for limits that were changed meanwhile, by an admin or by the operator, and changes nothing', async () => {
    const read = await limits();
    const etag = String(read.headers['etag']);
    const first = await put({ rows_max: 5 }, etag);
    expect([first.status, first.headers['etag'] === etag]).toEqual([200, false]);
    for (const stale of [etag, 'W/"1"', '"1"', 'x', `W/${first.headers['etag']}`]) {
      const rejected = await put({ rows_max: 6 }, stale);
      expect([rejected.status, rejected.body.error]).toEqual([412, 'precondition_failed']);
      expect(await auditRecords(fixture.test, rejected)).toEqual([]);
    }
    const after = await limits();
    expect([after.body, after.headers['etag']]).toEqual([first.body, first.headers['etag']]);
    await fixture.test.rows(`update tenants set settings = settings || '{"rowsMax": 7}' where name = 'acme'`);
    expect((await put({ rows_max: 6 }, first.headers['etag'])).status).toBe(412);
    const current = String((await limits()).headers['etag']);
    expect((await put({ rows_max: 6 }, `"1", ${current}`)).status).toBe(200);
    expect((await put({ rows_max: 5 }, '*')).status).toBe(200);
    await fixture.test.rows(`update tenants set settings = '{}' where name = 'acme'`);
  });

  it('lets one of several admins win who change the same limits', async () => {
    const etag = String((await limits()).headers['etag']);
    const answers = await Promise.all([1, 2, 3, 4].map((max) => put({ rows_max: max }, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await limits()).body).toEqual(winner?.body);
    expect((await put({})).status).toBe(200);
  });

  it('returns 403 without admin, and 401 without a token', async () => {
    await fixture.expectDenied([{ path: '/limits' }, { method: 'PUT', path: '/limits', body: {} }]);
    expect((await send(`${fixture.test.url}/admin/limits`)).status).toBe(401);
  });
});
