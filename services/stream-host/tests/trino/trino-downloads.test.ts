import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { downloadFormats, type Tenant } from '@sluice/contract';
import { type FakeResult, numberedResult } from '@sluice/engine/testing';
import { createItem, createSendRequest } from '@sluice/testkit/fixtures';
import { basicOf, post } from '@sluice/testkit/requests';
import { startTrinoTenants, type TrinoTenants } from './trino-tenants.ts';

const DENIED: FakeResult = {
  columns: [],
  pages: [{ error: { message: 'Access Denied', errorName: 'PERMISSION_DENIED', errorType: 'USER_ERROR' } }],
};
const result = (sql: string): FakeResult => (sql.includes('salaries') ? DENIED : numberedResult(10, 10));

let tenants: TrinoTenants<'lake'>;
let lake: Tenant;
beforeAll(async () => {
  tenants = await startTrinoTenants({ lake: { fake: { result } } });
  const found = await tenants.hosts.stream.context.tenants.findByName('lake');
  if (found === undefined) throw new Error('the tenant lake is missing');
  lake = found;
}, 120_000);
afterAll(async () => await tenants?.[Symbol.asyncDispose]());

it('POST /query/download/parquet returns not_supported on Trino and names the formats to use, and nothing runs', async () => {
  const { hosts, callers } = tenants;
  const answer = await post(`${hosts.url}/query/download/parquet`, { sql: 'SELECT * FROM lake' }, callers.lake);
  expect([answer.status, answer.body.error]).toEqual([400, 'not_supported']);
  const others = downloadFormats.filter(([name]) => name !== 'parquet').map(([, { label }]) => label);
  const [reason, advice] = answer.body.message.split(' Use ');
  expect(reason).toMatch(/Trino, which returns rows and cannot write Parquet files\.$/);
  expect(advice).toBe(`${others.slice(0, -1).join(', ')} or ${others.at(-1)}.`);
  expect(await hosts.rows('select 1 from queries')).toEqual([]);
});

it('downloads a granted item with the caller’s own rights in the engine', async () => {
  const { hosts, fakes } = tenants;
  const host = { host: 'lake-stream.localhost' };
  const admin = { ...basicOf(await hosts.build.user(lake, { roles: ['admin'] })), ...host };
  const caller = await hosts.build.user(lake);
  const credential = { ...basicOf(caller), ...host };
  await createItem(hosts, admin, { id: 'open', tenant: lake, queries: { one: 'SELECT 1', two: 'SELECT 2' } });
  await createItem(hosts, admin, { id: 'closed', tenant: lake, queries: { pay: 'SELECT * FROM salaries' } });
  const download = (id: string) => createSendRequest(hosts)('POST', `/marketplace/${id}/download/csv`, { credential });
  expect((await download('open')).status).toBe(200);
  const refused = await download('closed');
  expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);
  const submitted = fakes.get('lake')?.requests.filter(({ kind }) => kind === 'submit') ?? [];
  expect(submitted.map(({ headers }) => headers['x-trino-user'])).toEqual(submitted.map(() => `lake/${caller.email}`));
  expect(submitted).toHaveLength(3);
});

it.each(['csv', 'json', 'ndjson', 'xlsx'])(
  'POST /query/download/%s works with an engine that only returns rows',
  async (format) => {
    const { hosts, callers } = tenants;
    const answer = await post(`${hosts.url}/query/download/${format}`, { sql: 'SELECT * FROM lake' }, callers.lake);
    expect([answer.status, answer.isWhole]).toEqual([200, true]);
  },
);
