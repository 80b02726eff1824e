import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auditRecords,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let nobody: LoggedIn;

const ODD = 'Fälle "2026"';
const idOf = (name: string, schema = 'vega'): string => `demo.${schema}.${name}`;
const table = (id: string, changes: object) => ({ type: 'TABLE', id, ...changes });

/** Records reads of a table as the database counts them from sealed records. */
const countReads = (name: string, records: number, age = '1 hour') =>
  test.rows(
    `insert into audit_read_counts (tenant_id, name, hour, records) values ($1, $2, date_trunc('hour', now() - $4::interval), $3)`,
    [test.acme.tenantId, name, records, age],
  );

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  nobody = await logInAs(test, [], test.acme);
  for (const name of ['flights', 'airports', 'planes', ODD])
    await seedTable(test, test.acme, { name, columns: ['id', 'name'] });
  await seedTable(test, test.acme, { schema: 'raw', name: 'events', type: 'VIEW' });
  await seedTable(test, test.acme, { name: 'gone', isAbsent: true });
  await seedTable(test, test.globex, { name: 'secret' });
  await test.rows(`update catalog_tables set remarks = 'From the engine' where tenant_id = $1 and name = 'planes'`, [
    test.acme.tenantId,
  ]);
  const draft = await seedDatamap(test, test.acme, { ownerId: steward.id, state: 'DRAFT' });
  const published = await seedDatamap(test, test.acme, { ownerId: steward.id });
  const changed = await importMetadata(
    test,
    steward,
    importOf(
      table(idOf('flights'), {
        description: 'One row for each flight',
        tags: ['time series', 'Air'],
        fields: [{ name: 'id', tags: ['key'] }],
      }),
      table(idOf('airports'), { tags: ['air'], fields: [{ name: 'name', description: 'City', tags: ['air'] }] }),
      { type: 'DATAMAP', id: draft, tags: ['draft only'] },
      { type: 'DATAMAP', id: published, tags: ['AIR', 'time series'] },
    ),
  );
  expect(changed.body.failure_count).toBe(0);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

describe('GET /metadata/coverage', () => {
  it('counts described tables and views by schema, also those with a comment in the engine', async () => {
    const answer = await get(test, steward, '/metadata/coverage');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        table_count: 5,
        described_count: 2,
        total: 2,
        data: [
          { catalog: 'demo', schema: 'raw', table_count: 1, described_count: 0 },
          { catalog: 'demo', schema: 'vega', table_count: 4, described_count: 2 },
        ],
      },
    ]);
    expect(await auditRecords(test, answer)).toMatchObject([
      { action: 'READ_CATALOG', target: 'coverage', metadata: { from: 0, size: 100 } },
    ]);
  });

  it('has pages, each with the counts of the tenant', async () => {
    const { body } = await get(test, steward, '/metadata/coverage?from=1&size=1');
    expect(body).toMatchObject({ table_count: 5, total: 2, data: [{ schema: 'vega' }] });
    expect((await get(test, steward, '/metadata/coverage?from=7')).body).toMatchObject({ table_count: 5, data: [] });
  });

  it('needs metadata:write, and rejects bad parameters with a sentence', async () => {
    for (const path of ['/metadata/coverage', '/metadata/undescribed'])
      expect((await get(test, analyst, path)).status).toBe(403);
    for (const path of ['/metadata/coverage?size=0', '/metadata/undescribed?schema=%00', '/metadata/undescribed?x=1'])
      expect([path, (await get(test, steward, path)).status]).toEqual([path, 400]);
  });
});

describe('GET /metadata/undescribed', () => {
  it('lists tables without a description, most read in the last 30 days first', async () => {
    await countReads(idOf('airports'), 3);
    await countReads(`demo.vega."${ODD.replaceAll('"', '""').toLowerCase()}"`, 7);
    await countReads(idOf('events', 'raw'), 100, '40 days');
    await countReads('demo.vega.', 1000);
    const answer = await get(test, steward, '/metadata/undescribed');
    expect([answer.status, answer.body.total]).toEqual([200, 3]);
    expect(answer.body.data).toEqual([
      {
        id: `demo.vega."${ODD.replaceAll('"', '""')}"`,
        ...{ catalog: 'demo', schema: 'vega', name: ODD, type: 'TABLE' },
        ...{ read_count: 7, column_count: 2, described_column_count: 0 },
      },
      expect.objectContaining({ id: idOf('airports'), read_count: 3, column_count: 2, described_column_count: 1 }),
      expect.objectContaining({ id: idOf('events', 'raw'), type: 'VIEW', read_count: 0, column_count: 0 }),
    ]);
  });

  it('has pages, and filters by catalog and schema', async () => {
    const { body } = await get(test, steward, '/metadata/undescribed?catalog=demo&schema=vega&from=1&size=1');
    expect([body.total, body.data.map(({ id }: { id: string }) => id)]).toEqual([2, [idOf('airports')]]);
    expect((await get(test, steward, '/metadata/undescribed?schema=none')).body).toEqual({ total: 0, data: [] });
    expect((await get(test, steward, '/metadata/undescribed?from=99')).body).toEqual({ total: 3, data: [] });
  });
});

describe('GET /tags', () => {
  it('lists tags in use, most frequent first, in their most frequent spelling', async () => {
    const { body } = await get(test, steward, '/tags');
    expect(body.data).toEqual([
      { tag: 'air', count: 4 },
      { tag: 'time series', count: 2 },
      { tag: 'draft only', count: 1 },
      { tag: 'key', count: 1 },
    ]);
  });

  it('has none of drafts that the caller may not see, and finds a part of a tag', async () => {
    expect((await get(test, analyst, '/tags?contains=DRAFT')).body).toEqual({ data: [] });
    expect((await get(test, analyst, '/tags?contains=TIME')).body).toEqual({
      data: [{ tag: 'time series', count: 2 }],
    });
    expect((await get(test, analyst, '/tags?size=1')).body.data).toHaveLength(1);
    expect((await get(test, nobody, '/tags')).status).toBe(403);
    expect((await get(test, await logInAs(test, ['steward'], test.globex), '/tags')).body).toEqual({ data: [] });
  });
});
