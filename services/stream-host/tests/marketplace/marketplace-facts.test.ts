import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';
import { FAILS_LATE } from '@sluice/testkit/statements';
import { unzip } from '../results/unzip.ts';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const ITEMS = 'SELECT * FROM items ORDER BY id';
const read = async (id: string) => (await ask('GET', `/marketplace/${id}`, { credential: ann })).body;
const datamapOf = async (id: string): Promise<string> => (await read(id)).queries[0].datamap_id;

describe('license and terms of use of an item', () => {
  const TERMS = 'Only for **internal** reports.\n\n- Ask first.';

  it('are stored, kept by a change that does not name them, recorded, and removed by null', async () => {
    const queries = [{ name: 'all', datamap_id: await publishDatamap(hosts, hosts.acme, ITEMS) }];
    const body = { id: 'licensed', title: 'Licensed', queries, license: ' CC-BY-4.0 ', terms_of_use: TERMS };
    const made = await ask('POST', '/marketplace', { credential: admin, body });
    expect([made.status, made.body.license, made.body.terms_of_use]).toEqual([201, 'CC-BY-4.0', TERMS]);
    const put = (more: object) =>
      ask('PUT', '/marketplace/licensed', { credential: admin, body: { title: 'Renamed', queries, ...more } });
    expect((await put({})).body).toMatchObject({ title: 'Renamed', license: 'CC-BY-4.0', terms_of_use: TERMS });
    expect((await put({ license: null, terms_of_use: '' })).body).toMatchObject({ license: null, terms_of_use: null });
    const listed = await ask('GET', '/marketplace?q=renamed', { credential: ann });
    expect(listed.body.data[0]).toMatchObject({ license: null, terms_of_use: null });
    const records = await hosts.rows<{ metadata: { before: object; after: object } }>(
      `select metadata from audit_log where action = 'UPDATE_MARKETPLACE_ITEM' and target = 'licensed' order by occurred`,
    );
    expect(records.at(-1)?.metadata).toMatchObject({
      before: { license: 'CC-BY-4.0', terms_of_use: TERMS },
      after: { license: null, terms_of_use: null },
    });
  });

  it.each([
    ['a license of two lines', { license: 'MIT\nand more' }, 'license must be one line'],
    ['a long license', { license: 'x'.repeat(201) }, 'license must have at most 200 characters'],
    ['a license that is a number', { license: 1 }, 'license must be a string'],
    ['long terms', { terms_of_use: 'x'.repeat(20_001) }, 'terms_of_use must have at most 20000 characters'],
    ['terms with NUL', { terms_of_use: 'a\0' }, 'NUL'],
  ])('reject %s with one sentence', async (_case, more, sentence) => {
    const body = { id: 'bad-terms', title: 'Bad', queries: [{ name: 'all', datamap_id: randomUUID() }], ...more };
    const answer = await ask('POST', '/marketplace', { credential: admin, body });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].message).toContain(sentence);
  });

  it('are in the manifest of an archive', async () => {
    await createItem(hosts, admin, { id: 'with-terms', queries: { one: ITEMS, two: ITEMS } });
    const queries = (await read('with-terms')).queries.map(({ name, datamap_id }: Record<string, string>) => ({
      name,
      datamap_id,
    }));
    const change = { title: 'With terms', queries, license: 'CC0-1.0', terms_of_use: TERMS };
    await ask('PUT', '/marketplace/with-terms', { credential: admin, body: change });
    const archive = await ask('POST', '/marketplace/with-terms/download/csv', { credential: ann });
    const manifest = (await unzip(archive.bytes)).get('manifest.json')?.toString() ?? '';
    expect(JSON.parse(manifest)).toMatchObject({ license: 'CC0-1.0', terms_of_use: TERMS });
  });
});

describe('the size of an item', () => {
  it('is that of the last download that was sent whole', async () => {
    await createItem(hosts, admin, { id: 'sized', queries: { items: ITEMS } });
    expect((await read('sized')).last_complete_download).toBeNull();
    const csv = await ask('POST', '/marketplace/sized/download/csv', { credential: ann });
    const noted = await until(async () => (await read('sized')).last_complete_download ?? undefined, {
      what: 'the size of the download',
    });
    expect(noted).toEqual({ ended_ts: expect.any(Number), rows: 3, bytes: csv.bytes.length, format: 'csv' });
    const json = await ask('POST', '/marketplace/download?id=sized&format=ndjson', { credential: ann });
    await until(async () => (await read('sized')).last_complete_download.format === 'ndjson' || undefined, {
      what: 'the size of the second download',
    });
    expect((await read('sized')).last_complete_download.bytes).toBe(json.bytes.length);
    const { body } = await ask('GET', '/marketplace?q=sized', { credential: ann });
    expect(body.data[0].last_complete_download).toMatchObject({ rows: 3 });
  });

  it('is not that of a download that failed on its way', async () => {
    await createItem(hosts, admin, { id: 'cut', queries: { late: FAILS_LATE } });
    await ask('POST', '/marketplace/cut/download/csv', { credential: ann }).catch(() => undefined);
    await until(async () => (await read('cut')).download_count === 1 || undefined, { what: 'the count' });
    expect((await read('cut')).last_complete_download).toBeNull();
  });
});

describe('the age of the data of an item', () => {
  const UNKNOWN = { tables_seen_ts: null, missing_table_count: 0, data_changed_ts: null };

  it('is not known for datamaps that do not say what they read, or read no table', async () => {
    await createItem(hosts, admin, { id: 'aged', queries: { items: ITEMS } });
    expect((await read('aged')).freshness).toEqual(UNKNOWN);
    await hosts.rows(`update datamaps set reads = '{}' where fact_id = $1`, [await datamapOf('aged')]);
    expect((await read('aged')).freshness).toEqual(UNKNOWN);
  });

  it('says when a harvest has seen its tables, and how many are missing by now', async () => {
    const { id: tenant } = hosts.acme;
    await hosts.rows(
      `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location, harvested)
       values ($1, gen_random_uuid(), 'aged_shop', 'v', 'l', '2026-05-06T07:08:09Z')`,
      [tenant],
    );
    await hosts.rows(`insert into catalog_schemas (tenant_id, catalog_name, name) values ($1, 'aged_shop', 'main')`, [
      tenant,
    ]);
    const table = async (name: string): Promise<void> => {
      const id = randomUUID();
      await hosts.rows(`insert into facts (tenant_id, fact_id, type) values ($1, $2, 'TABLE')`, [tenant, id]);
      await hosts.rows(
        `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
         values ($1, $2, 'aged_shop', 'main', $3)`,
        [tenant, id, name],
      );
    };
    await table('orders');
    await table('old.orders');
    await createItem(hosts, admin, { id: 'seen', queries: { items: ITEMS } });
    const reads = (names: readonly string[]) =>
      hosts.rows('update datamaps set reads = $2 where fact_id = $1', [datamap, names]);
    const datamap = await datamapOf('seen');
    await reads(['aged_shop.main.orders', 'aged_shop.main."old.orders"']);
    const seenTs = Date.UTC(2026, 4, 6, 7, 8, 9);
    expect((await read('seen')).freshness).toEqual({ ...UNKNOWN, tables_seen_ts: seenTs });
    await hosts.rows(`update catalog_tables set absent_since = now() where tenant_id = $1 and name = 'old.orders'`, [
      tenant,
    ]);
    expect((await read('seen')).freshness).toEqual({ ...UNKNOWN, tables_seen_ts: seenTs, missing_table_count: 1 });
    await reads(['aged_shop.main.orders', 'aged_shop.main.never_harvested']);
    expect((await read('seen')).freshness).toEqual(UNKNOWN);
  });
});

it('shows the descriptions of the columns, in the item and not in the list', async () => {
  await createItem(hosts, admin, { id: 'described', queries: { items: ITEMS } });
  const id = await datamapOf('described');
  const { id: tenant } = hosts.acme;
  await hosts.rows(
    `insert into datamap_fields (tenant_id, fact_id, position, name, type, data_type, java_type, column_size, decimal_digits)
     values ($1, $2, 1, 'id', 'bigint', -5, 'java.lang.Long', 19, 0), ($1, $2, 2, 'name', 'varchar', 12, 'java.lang.String', 0, 0)`,
    [tenant, id],
  );
  await hosts.rows(
    `insert into fact_fields (tenant_id, fact_id, name, description) values ($1, $2, 'id', 'Number of the *item*')`,
    [tenant, id],
  );
  expect((await read('described')).queries[0].columns).toEqual([
    { name: 'id', type: 'bigint', description: 'Number of the *item*' },
    { name: 'name', type: 'varchar', description: null },
  ]);
  const { body } = await ask('GET', '/marketplace?q=described', { credential: ann });
  expect(body.data[0].queries[0].columns[0]).toEqual({ name: 'id', type: 'bigint' });
});
