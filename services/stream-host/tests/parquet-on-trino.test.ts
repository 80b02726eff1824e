import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { numberedResult } from '@sluice/engine/testing';
import { post } from './requests.ts';
import { startTrinoTenants, type TrinoTenants } from './trino-tenants.ts';

let tenants: TrinoTenants<'lake'>;
beforeAll(async () => {
  tenants = await startTrinoTenants({ lake: { fake: { result: numberedResult(10, 10) } } });
}, 120_000);
afterAll(async () => await tenants?.[Symbol.asyncDispose]());

it('POST /query/download/parquet is refused on Trino with a sentence that says why and what to take, and nothing runs', async () => {
  const { hosts, callers } = tenants;
  const answer = await post(`${hosts.url}/query/download/parquet`, { sql: 'SELECT * FROM lake' }, callers.lake);
  expect([answer.status, answer.body.error]).toEqual([400, 'not_supported']);
  expect(answer.body.message).toMatch(/Trino, which gives rows and not files.*Take CSV, JSON or XLSX/);
  expect(await hosts.rows('select 1 from queries')).toEqual([]);
  expect((await post(`${hosts.url}/query/download/csv`, { sql: 'SELECT * FROM lake' }, callers.lake)).status).toBe(200);
});
