import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import pg from 'pg';
import { type AuditReader, allPages, auditReader, SEALER_LOCK } from './audit-readers.ts';

const DAY = 86_400_000;
const FROM = Math.floor(Date.now() / DAY) * DAY - 50 * DAY;
const RANGE = { start: FROM, end: FROM + DAY };
/** More than one page searches. */
const RECORDS = 20_040;

let test: TestHost;
let reader: AuditReader;
let sealer: pg.Client;

beforeAll(async () => {
  test = await startTestHost();
  reader = await auditReader(test);
  // Sealing all of them would take a minute, and searches do not depend on it.
  sealer = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
  await sealer.connect();
  await sealer.query('select pg_advisory_lock($1)', [SEALER_LOCK]);
  await test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), $1::timestamptz + i * interval '1 second', 'many@example.com',
       case when i <= 2 then 'LOGOUT' else 'READ_CATALOG' end, case when i <= 2 then 'needle ' || i else 'straw' end, '{}'
     from tenants, generate_series(1, $2::int) i where name = 'acme'`,
    [new Date(FROM), RECORDS],
  );
}, 120_000);
afterAll(async () => {
  await sealer?.end();
  await test?.[Symbol.asyncDispose]();
});

it('searches a large log for words in parts: a page says how far it was searched, and the next one continues', async () => {
  const wanted = { advance_options: { text: 'needle' }, size: 1, ...RANGE };
  const first = await reader.search(wanted);
  expect(first.body).toMatchObject({ total: 0, at_least: true, data: [], next_page_token: expect.any(String) });
  expect(first.body.searched_to).toBe(FROM + 40_000);
  const pages = await allPages(reader, wanted);
  expect(pages.flatMap(({ data }) => data.map(({ target }) => target))).toEqual(['needle 2', 'needle 1']);
  expect(pages.every((page) => Reflect.get(page, 'at_least') === true)).toBe(true);
  const oldest = await reader.search({ ...wanted, sort_value: 'asc' });
  expect(oldest.body).toMatchObject({ total: 2, at_least: true, data: [{ target: 'needle 1' }] });
  expect(oldest.body.searched_to).toBeUndefined();
});

it('passes over many excluded records in parts too, with an exact total', async () => {
  const pages = await allPages(reader, { advance_options: { exclude_actions: ['READ_CATALOG'] }, ...RANGE });
  expect(pages.map(({ total, data }) => [total, data.length])).toEqual([
    [2, 0],
    [2, 2],
  ]);
});

it('finds a rare one of several actions at once', async () => {
  const pages = await allPages(reader, { advance_options: { actions: ['LOGOUT', 'UPDATE_ROLE'] }, ...RANGE });
  expect(pages.map(({ total, data }) => [total, data.length])).toEqual([[2, 2]]);
});
