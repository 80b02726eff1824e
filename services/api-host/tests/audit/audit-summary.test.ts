import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import pg from 'pg';
import { type AuditReader, auditReader, SEALER_LOCK, writeRecords } from './audit-readers.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FROM = Math.floor(Date.now() / DAY) * DAY - 100 * DAY;
const PAST = { start: FROM, end: FROM + DAY };
const READS = { start: FROM + DAY, end: FROM + 2 * DAY };

let test: TestHost;
let reader: AuditReader;
/** Keeps the sealer waiting while it has the lock. */
let sealer: pg.Client;

beforeAll(async () => {
  test = await startTestHost();
  reader = await auditReader(test);
  sealer = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
  await sealer.connect();
  await sealer.query('select pg_advisory_lock($1)', [SEALER_LOCK]);
  await writeRecords(test, 250, { from: new Date(FROM) });
  // Tables of records, of an outcome, of both, unknown ones, and of an action that reads none.
  await test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
     select t.id, gen_random_uuid(), $1::timestamptz + n * interval '1 hour', 'ann@example.com', action, 'read ' || n,
       case when tables is null then '{}' else jsonb_build_object('tables_read', tables::jsonb) end, gen_random_uuid()
     from tenants t, (values
       (1, 'RUN_QUERY', '["demo.vega.flights"]'), (2, 'DOWNLOAD_QUERY', '["demo.vega.cars", "demo.vega.Flights"]'),
       (3, 'DESCRIBE_QUERY', null), (4, 'RUN_QUERY', null), (5, 'RUN_QUERY', '["demo.vega.cars"]'), (6, 'RUN_QUERY', 'null')
     ) given (n, action, tables) where t.name = 'acme'`,
    [new Date(READS.start)],
  );
  await test.rows(
    `insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
     select tenant_id, gen_random_uuid(), id, occurred + interval '1 second', user_name, action, target,
       jsonb_build_object('tables_read', outcome::jsonb), query_id
     from audit_log join (values ('read 4', '["demo.vega.flights"]'), ('read 5', '["demo.vega.cars"]')) given (read, outcome) on read = target`,
  );
}, 120_000);
afterAll(async () => {
  await sealer?.end();
  await test?.[Symbol.asyncDispose]();
});

const get = (query: Record<string, string | number>, by: AuditReader = reader) => {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return send(`${test.url}/audits/summary?${new URLSearchParams(texts)}`, { headers: by.headers });
};

/** Checks the numbers of users and actions, with the edges of a range. */
const checkNames = async () => {
  const byUser = await get({ by: 'user', ...PAST });
  expect([byUser.status, byUser.body]).toEqual([
    200,
    {
      by: 'user',
      ...PAST,
      total: 3,
      limited: false,
      data: [
        { name: 'user1@example.com', records: 84 },
        { name: 'user0@example.com', records: 83 },
        { name: 'user2@example.com', records: 83 },
      ],
    },
  ]);
  const part = { start: FROM + 30 * MINUTE, end: FROM + 245 * MINUTE };
  expect((await get({ by: 'action', ...part })).body.data).toEqual([
    { name: 'LOGIN', records: 108 },
    { name: 'LOGIN_FAILED', records: 107 },
  ]);
  const minutes = { start: FROM + 5 * MINUTE, end: FROM + 7 * MINUTE };
  expect((await get({ by: 'action', ...minutes })).body.data).toEqual([
    { name: 'LOGIN', records: 1 },
    { name: 'LOGIN_FAILED', records: 1 },
  ]);
  expect((await get({ by: 'user', size: 1, ...PAST })).body).toMatchObject({
    total: 3,
    data: [{ name: 'user1@example.com' }],
  });
};

/** Checks that each query counts once for every table that its record or its outcome names. */
const checkTables = async () => {
  const { body } = await get({ by: 'table', ...READS });
  expect(body).toEqual({
    by: 'table',
    ...READS,
    total: 2,
    limited: false,
    data: [
      { name: 'demo.vega.flights', records: 3 },
      { name: 'demo.vega.cars', records: 2 },
    ],
  });
  const part = { start: READS.start + 61 * MINUTE, end: READS.start + 119 * MINUTE };
  expect((await get({ by: 'table', ...part })).body).toMatchObject({
    start: READS.start + 60 * MINUTE,
    end: READS.start + 120 * MINUTE,
    data: [{ name: 'demo.vega.flights', records: 1 }],
  });
  expect((await get({ by: 'table', size: 1, ...READS })).body).toMatchObject({ total: 2, limited: true });
  expect((await get({ by: 'table', ...PAST })).body).toMatchObject({ total: 0, data: [] });
};

describe('a summary', () => {
  it('counts by user, by action and by table before the records are sealed', async () => {
    expect(await test.rows(`select from audit_counts where kind = 'user' and name like 'user%'`)).toEqual([]);
    await checkNames();
    await checkTables();
  });

  it('counts the same after they are sealed', async () => {
    await sealer.query('select pg_advisory_unlock($1)', [SEALER_LOCK]);
    await until(
      async () => {
        const rows = await test.rows<{ name: string }>(
          `select name from audit_counts where kind = 'user' and name = 'user1@example.com'
           union all select name from audit_read_counts where name = 'demo.vega.cars'`,
        );
        return rows.length > 1 || undefined;
      },
      { what: 'the sealing of the records' },
    );
    await checkNames();
    await checkTables();
  });

  it('begins with the records that are kept, and is empty without any', async () => {
    const old = { start: FROM - 360 * DAY, end: FROM - 350 * DAY };
    expect((await get({ by: 'user', ...old })).body).toEqual({
      by: 'user',
      start: old.end,
      end: old.end,
      total: 0,
      limited: false,
      data: [],
    });
  });

  it('is recorded, needs audit:read, and has no record of another tenant', async () => {
    const { headers } = await get({ by: 'action', size: 5, ...PAST });
    const [record] = await test.rows('select * from audit_log where request_id = $1', [headers['x-request-id']]);
    expect(record).toMatchObject({
      user_name: reader.email,
      action: 'SUMMARIZE_AUDIT_LOGS',
      target: 'audit_log',
      metadata: { by: 'action', ...PAST, size: 5, total: 2 },
    });
    const { body } = await login(test.url);
    const denied = await send(`${test.url}/audits/summary?by=user&start=${PAST.start}&end=${PAST.end}`, {
      headers: { idtoken: body.id_token },
    });
    expect(denied.status).toBe(403);
    const other = await auditReader(test, { tenantName: 'globex' });
    expect((await get({ by: 'user', ...PAST }, other)).body.data).toEqual([]);
    expect((await get({ by: 'table', ...READS }, other)).body.data).toEqual([]);
  });

  it.each([
    ['no kind', { ...PAST }, 'by must be one of user, action, table'],
    ['an unknown kind', { by: 'address', ...PAST }, 'by must be one of user, action, table'],
    ['no start', { by: 'user', end: FROM }, 'start is required'],
    ['no end', { by: 'user', start: FROM }, 'end is required'],
    ['start at end', { by: 'user', start: FROM, end: FROM }, 'start must be before end'],
    ['seconds', { by: 'user', start: 1_700_000_000, end: FROM }, 'milliseconds expected'],
    ['367 days', { by: 'user', start: FROM - 367 * DAY, end: FROM }, 'end must be at most 366 days after start'],
    ['size 0', { by: 'user', size: 0, ...PAST }, 'size must be from 1 to 1000'],
    ['size 1001', { by: 'user', size: 1001, ...PAST }, 'size must be from 1 to 1000'],
  ])('with %s: 400', async (_name, query, message) => {
    const { status, body } = await get(query as Record<string, number>);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
