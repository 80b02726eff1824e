import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postJson } from '@sluice/testkit/requests';
import pg from 'pg';
import { startApiHost } from '../../src/index.ts';
import {
  type AuditReader,
  allPages,
  auditReader,
  NULL_FIELDS,
  type PageRecord,
  writeRecords,
} from './audit-readers.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FROM = Math.floor(Date.now() / DAY) * DAY - 100 * DAY;
/** Holds exactly the records that the tests wrote. */
const PAST = { start: FROM, end: FROM + DAY };

let test: TestHost;
let reader: AuditReader;

beforeAll(async () => {
  test = await startTestHost();
  reader = await auditReader(test);
  await writeRecords(test, 250, { from: new Date(FROM) });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const ordinals = (records: readonly PageRecord[]) => records.map(({ metadata }) => metadata['ordinal']);
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a search', () => {
  it('pages through every match exactly once, newest first, with the total on each page and no token on the last', async () => {
    const pages = await allPages(reader, { size: 100, ...PAST });
    expect(pages.map(({ total, data }) => [total, data.length])).toEqual([
      [250, 100],
      [250, 100],
      [250, 50],
    ]);
    expect(pages.flatMap(({ data }) => ordinals(data))).toEqual(count(1, 250).reverse());
  });

  it('pages oldest first when asked, and ends without a token where the last page is full', async () => {
    const pages = await allPages(reader, { size: 125, sort_value: 'asc', ...PAST });
    expect(pages.flatMap(({ data }) => ordinals(data))).toEqual(count(1, 250));
    expect(pages).toHaveLength(2);
  });

  it('returns the newest 100 records without parameters', async () => {
    const { status, body } = await reader.search({});
    expect(status).toBe(200);
    expect(body.data).toHaveLength(100);
    expect(body.total).toBeGreaterThan(250);
    expect(body.data[0].timestamp).toBeGreaterThan(Date.now() - MINUTE);
  });

  it('filters by user, action, target and request, alone and combined', async () => {
    const totalOf = async (advance_options: object): Promise<number> => {
      const { body } = await reader.search({ advance_options, ...PAST });
      expect(body.data.length).toBe(Math.min(100, body.total));
      return body.total;
    };
    expect(await totalOf({ user_name: 'user1@example.com' })).toBe(84);
    expect(await totalOf({ user_name: 'User1@Example.com' })).toBe(84);
    expect(await totalOf({ action: 'LOGIN' })).toBe(125);
    expect(await totalOf({ target: 'target3' })).toBe(50);
    expect(await totalOf({ request_id: 'req-7' })).toBe(1);
    expect(await totalOf({ user_name: 'user1@example.com', action: 'LOGIN' })).toBe(42);
    expect(await totalOf({ query_id: '00000000-0000-4000-8000-000000000000' })).toBe(0);
    const nobody = await reader.search({ advance_options: { user_name: 'nobody@example.com' } });
    expect(nobody.body).toEqual({ total: 0, data: [] });
  });

  it('treats start as inclusive and end as exclusive', async () => {
    const totalOf = async (range: object): Promise<number> => (await reader.search(range)).body.total;
    const at = (minute: number) => FROM + minute * MINUTE;
    expect(await totalOf({ start: at(10), end: at(20) })).toBe(10);
    expect(await totalOf({ start: at(10) + 1, end: at(20) + 1 })).toBe(10);
    expect(await totalOf({ end: at(1) })).toBe(0);
    // Whole hours and their edges.
    expect(await totalOf({ start: at(30), end: at(245) })).toBe(215);
    expect(await totalOf({ start: at(60), end: at(240) })).toBe(180);
  });

  it('returns user, action, target, address and session', async () => {
    const { body, headers } = await login(test.url);
    expect(body.id_token).toBeDefined();
    const found = await reader.search({ advance_options: { request_id: headers['x-request-id'] } });
    expect(found.body).toEqual({
      total: 1,
      data: [
        {
          ...NULL_FIELDS,
          timestamp: expect.any(Number),
          user: 'ann@example.com',
          action: 'LOGIN',
          target: 'ann@example.com',
          metadata: { method: 'password' },
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          request_id: headers['x-request-id'],
          session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          address: '127.0.0.1',
        },
      ],
    });
    expect(Math.abs(found.body.data[0].timestamp - Date.now())).toBeLessThan(MINUTE);
  });

  it('shows the outcome of a query in its metadata, and counts the query once', async () => {
    const [record] = await test.rows<{ id: string }>(
      `with q as (select gen_random_uuid() as q, gen_random_uuid() as id, (select id from tenants where name = 'acme') as t),
       first as (insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
         select t, id, $1, 'quentin@example.com', 'RUN_QUERY', q::text, '{"sql": "SELECT 1"}', q from q returning id),
       outcome as (insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
         select t, gen_random_uuid(), id, $1::timestamptz + interval '5 days', 'quentin@example.com', 'RUN_QUERY', q::text,
           '{"state": "FINISHED", "rows": 9007199254740993}', q from q)
       select id from first`,
      [new Date(FROM + 3 * DAY)],
    );
    const { body, text } = await reader.search({ advance_options: { user_name: 'quentin@example.com' } });
    expect(body).toMatchObject({ total: 1, data: [{ id: record?.id }] });
    expect(text).toContain('"metadata":{"sql": "SELECT 1", "rows": 9007199254740993, "state": "FINISHED"}');
  });
});

describe('a view', () => {
  it('is not shifted by records that are committed later with earlier times', async () => {
    const late = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
    await late.connect();
    const insert = (minute: number) =>
      late.query(
        `insert into audit_log (tenant_id, id, occurred, user_name, action, target)
         values ($1, gen_random_uuid(), $2, 'late@example.com', 'LOGOUT', '')`,
        [test.acme.tenantId, new Date(FROM + minute * MINUTE + 1)],
      );
    await late.query('begin');
    await insert(100);
    const first = await reader.search({ size: 100, ...PAST });
    await late.query('commit');
    await insert(50);
    const second = await reader.next(first.body.next_page_token);
    const third = await reader.next(second.body.next_page_token);
    await late.query(`delete from audit_log where user_name = 'late@example.com'`);
    await late.end();
    const pages = [first, second, third].map(({ body }) => body);
    expect(pages.flatMap(({ data }) => ordinals(data))).toEqual(count(1, 250).reverse());
    expect(pages.map(({ total }) => total)).toEqual([250, 250, 250]);
    expect(third.body.next_page_token).toBeUndefined();
  });

  it('returns the same records for a token each time', async () => {
    const { body } = await reader.search({ size: 100, ...PAST });
    const [once, twice] = [await reader.next(body.next_page_token), await reader.next(body.next_page_token)];
    expect(twice?.body.data).toEqual(once?.body.data);
    expect(twice?.body.next_page_token).not.toBe(once?.body.next_page_token);
    expect(body.next_page_token).toMatch(/^[\w-]{43}$/);
  });
});

describe('reading', () => {
  it('is audited: each page with its filter and number of records', async () => {
    const { body, headers } = await reader.search({ size: 200, advance_options: { action: 'LOGIN' }, ...PAST });
    const next = await reader.search({ size: 100, ...PAST });
    const last = await reader.next(next.body.next_page_token);
    const recordOf = async (requestId: unknown) =>
      (await test.rows('select * from audit_log where request_id = $1', [requestId]))[0];
    expect(await recordOf(headers['x-request-id'])).toMatchObject({
      user_name: reader.email,
      action: 'SEARCH_AUDIT_LOGS',
      target: 'audit_log',
      metadata: { size: 200, sort_value: 'desc', action: 'LOGIN', ...PAST, page: 1, records: 125, total: 125 },
      address: '127.0.0.1',
    });
    expect(await recordOf(last.headers['x-request-id'])).toMatchObject({ metadata: { page: 2, records: 100 } });
    expect(JSON.stringify(await recordOf(last.headers['x-request-id']))).not.toContain(next.body.next_page_token);
    expect(body.total).toBe(125);
  });

  it('needs audit:read', async () => {
    const { body } = await login(test.url);
    const headers = { idtoken: body.id_token };
    expect((await postJson(`${test.url}/audits/logs/search`, {}, headers)).status).toBe(403);
    expect((await send(`${test.url}/audits/logs/search?page_token=x`, { headers })).status).toBe(403);
    expect((await postJson(`${test.url}/audits/logs/search`, {})).status).toBe(401);
  });

  it('never returns records of another tenant', async () => {
    const other = await auditReader(test, { tenantName: 'globex' });
    const { body } = await other.search({ size: 3000 });
    expect(body.data.every(({ user }: PageRecord) => user === other.email)).toBe(true);
    expect((await other.search(PAST)).body.total).toBe(0);
    expect((await other.search({ advance_options: { request_id: 'req-7' } })).body.total).toBe(0);
  });
});

describe('invalid input returns 400', () => {
  it.each([
    ['size 0', { size: 0 }],
    ['size 3001', { size: 3001 }],
    ['size -1', { size: -1 }],
    ['size "10"', { size: '10' }],
    ['size 1.5', { size: 1.5 }],
    ['size null', { size: null }],
    ['start at end', { start: FROM, end: FROM }],
    ['start after end', { start: FROM + 1, end: FROM }],
    ['a negative start', { start: -1 }],
    ['a negative end', { end: -1 }],
    ['a start out of range', { start: 1e300 }],
    ['an end out of range', { end: Number.MAX_SAFE_INTEGER }],
    ['a start with a fraction', { start: 1.5 }],
    ['an unknown sort_value', { sort_value: 'up' }],
    ['a long user_name', { advance_options: { user_name: 'a'.repeat(10_000) } }],
    ['a user_name with NUL', { advance_options: { user_name: 'a\0b' } }],
    ['half a surrogate pair', { advance_options: { user_name: '\ud800' } }],
    ['an unknown action', { advance_options: { action: 'DANCE' } }],
    ['a query_id that is not a UUID', { advance_options: { query_id: 'x' } }],
    ['an unknown filter', { advance_options: { colour: 'red' } }],
    ['an unknown field', { from: 3 }],
    ['no object', []],
  ])('%s', async (_name, wanted) => {
    const { status, body } = await reader.search(wanted);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it.each(['start', 'end'])('a %s in seconds: milliseconds expected', async (name) => {
    for (const seconds of [0, 1, Math.floor(FROM / 1000), 99_999_999_999]) {
      const { status, body } = await reader.search({ [name]: seconds });
      const message = `${name} must be at least 100000000000: milliseconds expected`;
      expect([status, body.details]).toEqual([400, [{ path: `body.${name}`, message }]]);
    }
    expect((await reader.search({ [name]: 100_000_000_000 })).status).toBe(200);
  });
});

describe('a page token', () => {
  const tokenOf = async (): Promise<string> => (await reader.search({ size: 10, ...PAST })).body.next_page_token;
  const refused = async (token: string, by: AuditReader = reader) => {
    const { status, body } = await by.next(token);
    expect([status, body.error]).toEqual([400, 'invalid_page_token']);
  };

  it.each([
    ['forged', 'A'.repeat(43)],
    ['empty', ''],
    ['of other characters', '%F0%9F%98%80'],
    ['of 4,000 characters', 'A'.repeat(4000)],
  ])('that is %s returns 400', async (_name, token) => await refused(token));

  it('that is cut or too long returns 400', async () => {
    const token = await tokenOf();
    await refused(token.slice(0, -1));
    await refused(`${token}A`);
    expect((await reader.next(token)).status).toBe(200);
  });

  it('of another user or tenant returns 400', async () => {
    const colleague = await auditReader(test, { email: 'arthur@example.com' });
    const otherTenantAdmin = await auditReader(test, { tenantName: 'globex' });
    const token = await tokenOf();
    await refused(token, colleague);
    await refused(token, otherTenantAdmin);
  });

  it('is valid for 120 seconds from its response', async () => {
    const token = await tokenOf();
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now');
    try {
      clock.mockImplementation(() => now() + 118_000);
      expect((await reader.next(token)).status).toBe(200);
      clock.mockImplementation(() => now() + 121_000);
      await refused(token);
    } finally {
      clock.mockRestore();
    }
  });

  it('that is missing, repeated or combined with other parameters returns 400', async () => {
    const token = await tokenOf();
    for (const query of ['', `?page_token=${token}&page_token=${token}`, `?page_token=${token}&size=3`]) {
      const { status } = await send(`${test.url}/audits/logs/search${query}`, { headers: reader.headers });
      expect(status).toBe(400);
    }
  });

  it('of one host is unknown to a host without shared state', async () => {
    const other = await startApiHost({ environment: test.environment });
    try {
      expect((await reader.next(await tokenOf(), other.url)).body.error).toBe('invalid_page_token');
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });
});
