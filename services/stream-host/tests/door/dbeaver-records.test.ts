import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';
import { CatalogueReads } from '../../src/door/catalogue-reads.ts';
import { connecting, hourOfBrowsing, openSchema, openTable } from './dbeaver-browsing.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import { run } from './trino-client.ts';

let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startHosts({ TRINO_DOOR: 'true' });
  await seedCatalogue(hosts, hosts.acme);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

it('what DBeaver asks about the catalog is READ_CATALOG with its SQL, once a minute, and no query', async () => {
  const demo = { catalog: 'demo', schema: 'vega' };
  const statements = [
    ...connecting(),
    openSchema(demo),
    ...openTable({ ...demo, table: 'flights', number: 1 }),
    ...openTable({ catalog: 'shop', schema: 'main', table: 'items', number: 2 }),
  ];
  for (const { sql, prepared } of statements) {
    const headers = prepared === undefined ? {} : { 'x-trino-prepared-statement': prepared };
    const { last } = await run(hosts.url, sql, { ...basicOf(hosts.ann), ...headers });
    expect([sql, last.error]).toEqual([sql, undefined]);
  }
  const records = await hosts.rows<{ action: string; sql: string }>(
    `select action, metadata->>'sql' as sql from audit_log
      where user_name = $1 and action in ('READ_CATALOG', 'RUN_QUERY') and not metadata ? 'repeats'`,
    [hosts.ann.email],
  );
  const expected = [...new Set(statements.map(({ recorded }) => recorded))];
  expect(records.map(({ sql }) => sql).sort()).toEqual(expected.sort());
  expect(new Set(records.map(({ action }) => action))).toEqual(new Set(['READ_CATALOG']));
  expect(await hosts.rows('select 1 from queries')).toEqual([]);
});

it('a ping is READ_CATALOG, once a minute, and no query', async () => {
  const user = await hosts.build.user(hosts.acme);
  for (const sql of ['SELECT 1', 'SELECT 1', '/* pool */ select 1;']) {
    const { pages, last } = await run(hosts.url, sql, basicOf(user));
    expect(pages.flatMap(({ data }) => data ?? [])).toEqual([[1]]);
    expect(last.columns).toMatchObject([{ name: '_col0', type: 'integer' }]);
  }
  const records = await hosts.rows(
    `select action, metadata->>'sql' as sql from audit_log
      where user_name = $1 and action <> 'LOGIN' and not metadata ? 'repeats' order by occurred, id`,
    [user.email],
  );
  expect(records).toEqual([
    { action: 'READ_CATALOG', sql: 'SELECT 1' },
    { action: 'READ_CATALOG', sql: '/* pool */ select 1;' },
  ]);
  expect(await hosts.rows('select 1 from queries')).toEqual([]);
});

it('an hour of browsing writes as many records as docs/trino-door.md says', async () => {
  const records: AuditRecord[] = [];
  const append = async (record: AuditRecord): Promise<void> => void records.push(record);
  const reads = new CatalogueReads({ audit: { append } });
  const caller = buildCaller('ann');
  let nowMs = 0;
  // The windows of an hour, without the hour.
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const hour = hourOfBrowsing();
  try {
    for (const { atMs, statement } of hour) {
      nowMs = atMs;
      await reads.writeCounts();
      await reads.record(caller, statement.recorded);
    }
    await reads[Symbol.asyncDispose]();
  } finally {
    clock.mockRestore();
  }
  const counted = records.reduce((sum, { metadata }) => sum + Number(metadata?.['repeats'] ?? 1), 0);
  expect(counted).toBe(hour.length);
  const page = await readFile(new URL('../../../../docs/trino-door.md', import.meta.url), 'utf8');
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`${hour.length} statements and ${records.length} records`);
});
