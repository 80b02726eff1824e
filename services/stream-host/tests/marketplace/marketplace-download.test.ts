import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failedResultSetBody } from '@sluice/contract';
import { type ReceivedResponse, until } from '@sluice/testkit';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';
import { FAILS_AT_ONCE, FAILS_LATE } from '@sluice/testkit/statements';
import { unzip } from '../results/unzip.ts';
import { readByExceljs } from '../results/workbook-readers.ts';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let ann: Credential;
const ITEMS = 'SELECT * FROM items ORDER BY id';
const NUMBERS = 'SELECT * FROM numbers WHERE n < 3000 ORDER BY n';
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  ann = basicOf(hosts.ann);
  await createItem(hosts, admin, { id: 'single', queries: { items: ITEMS } });
  await createItem(hosts, admin, {
    id: 'pack',
    queries: { '../items': ITEMS, numbers: NUMBERS, nothing: 'SELECT * FROM nothing' },
  });
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = (id: string, format: string): Promise<ReceivedResponse> =>
  ask('POST', `/marketplace/download?id=${id}&format=${format}`, { credential: ann });
const ITEMS_CSV = 'id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n';

describe('an item with one query', () => {
  it('is sent as one file named after the item, from both paths', async () => {
    const csv = await ask('POST', '/marketplace/single/download/csv', { credential: ann });
    expect([csv.status, csv.text]).toEqual([200, ITEMS_CSV]);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename=single.csv',
    });
    expect((await download('single', 'csv')).bytes).toEqual(csv.bytes);
    const json = await ask('POST', '/marketplace/single/download/json', { credential: ann });
    expect(json.headers['content-disposition']).toBe('attachment; filename=single.json');
    expect(json.body).toMatchObject({ metadata: { type: 'metadata' }, data: [{ id: 1, name: 'nut' }, {}, {}] });
    expect((await download('single', 'json')).bytes).toEqual(json.bytes);
  });

  it('has one line per row with format ndjson, which POST accepts on the general path only', async () => {
    const answer = await download('single', 'ndjson');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename=single.ndjson',
    });
    expect(answer.text).toBe(
      '{"id":1,"name":"nut","price":0.10}\n{"id":2,"name":"bolt, long","price":250.00}\n{"id":9223372036854775807,"name":null,"price":null}\n',
    );
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({ sha256: sha256Of(answer.bytes) });
    expect((await ask('POST', '/marketplace/single/download/ndjson', { credential: ann })).status).toBe(405);
  });

  it.each(['xlsx', 'xl'])('is a workbook with format %s', async (format) => {
    const answer = await download('single', format);
    expect(answer.headers['content-disposition']).toBe('attachment; filename=single.xlsx');
    const [sheet] = await readByExceljs(answer.bytes);
    expect(sheet?.rows).toHaveLength(4);
    expect(sheet?.rows[1]).toEqual([{ number: 1 }, { text: 'nut' }, { number: 0.1 }]);
  });

  it('ignores a body of any type, because none is defined', async () => {
    const answer = await ask('POST', '/marketplace/single/download/csv', { credential: ann, body: { anything: 1 } });
    expect(answer.text).toBe(ITEMS_CSV);
  });
});

describe('the datamaps of an item', () => {
  const counted = () =>
    hosts.rows<{ queries: string; dated: string }>(
      `select sum(c.query_count) as queries, count(c.last_executed) as dated from fact_counters c
       join marketplace_queries q on q.tenant_id = c.tenant_id and q.datamap_id = c.fact_id where q.item_id = 'pack'`,
    );

  it('count one query each per download', async () => {
    expect(await counted()).toEqual([{ queries: '0', dated: '0' }]);
    await download('pack', 'csv');
    await until(async () => ((await counted())[0]?.queries === '0' ? undefined : true), {
      what: 'a query in the counters',
    });
    expect(await counted()).toEqual([{ queries: '3', dated: '3' }]);
  });
});

describe('an item with several queries', () => {
  it('is a ZIP archive with a manifest at its end to verify each file', async () => {
    const answer = await download('pack', 'csv');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=pack.zip',
    });
    const members = await unzip(answer.bytes);
    expect([...members.keys()]).toEqual(['_items.csv', 'numbers.csv', 'nothing.csv', 'manifest.json']);
    expect(members.get('_items.csv')?.toString()).toBe(ITEMS_CSV);
    expect(members.get('nothing.csv')?.toString()).toBe('id,name\n');
    const manifest = JSON.parse(String(members.get('manifest.json')));
    expect(manifest).toMatchObject({ item_id: 'pack', version: 1, query_id: queryIdOf(answer) });
    expect(manifest.files.map(({ name, rows }: { name: string; rows: number }) => [name, rows])).toEqual([
      ['../items', 3],
      ['numbers', 3000],
      ['nothing', 0],
    ]);
    for (const { file, bytes, sha256 } of manifest.files) {
      const member = members.get(file) ?? Buffer.alloc(0);
      expect([member.length, sha256Of(member)]).toEqual([bytes, sha256]);
    }
    expect(manifest.files[0].columns).toEqual([
      { name: 'id', type: 'bigint' },
      { name: 'name', type: 'varchar' },
      { name: 'price', type: 'decimal(10,2)' },
    ]);
  });

  it('is an archive of result sets with format json', async () => {
    const members = await unzip((await ask('POST', '/marketplace/pack/download/json', { credential: ann })).bytes);
    expect([...members.keys()]).toEqual(['_items.json', 'numbers.json', 'nothing.json', 'manifest.json']);
    expect(JSON.parse(String(members.get('numbers.json'))).data).toHaveLength(3000);
    expect(JSON.parse(String(members.get('nothing.json')))).toMatchObject({ data: [] });
  });

  it('is an archive without compression if the request asks for one, on each path and on record', async () => {
    const paths = [
      '/marketplace/pack/download/csv?compression=store',
      '/marketplace/download?id=pack&format=csv&compression=store',
    ];
    const members = await unzip((await download('pack', 'csv')).bytes);
    for (const path of paths) {
      const answer = await ask('POST', path, { credential: ann });
      const stored = await unzip(answer.bytes);
      for (const name of ['_items.csv', 'numbers.csv', 'nothing.csv'])
        expect(stored.get(name)).toEqual(members.get(name));
      expect(answer.bytes.includes('\n1000\n1001\n1002\n')).toBe(true);
      expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({ sha256: sha256Of(answer.bytes) });
      const [record] = await hosts.rows<{ compression: string }>(
        "select metadata->>'compression' as compression from audit_log where query_id = $1 and record_id is null",
        [queryIdOf(answer)],
      );
      expect(record).toEqual({ compression: 'store' });
    }
    const json = await ask('POST', '/marketplace/pack/download/json?compression=deflate', { credential: ann });
    expect([...(await unzip(json.bytes)).keys()]).toContain('numbers.json');
  });

  it('returns 400 for an unknown compression, and ignores a known one for files that are not archives', async () => {
    const unknown = await ask('POST', '/marketplace/pack/download/csv?compression=zstd', { credential: ann });
    expect([unknown.status, unknown.body]).toMatchObject([
      400,
      { details: [{ path: 'query.compression', message: 'compression must be one of deflate, store' }] },
    ]);
    const single = await ask('POST', '/marketplace/single/download/csv?compression=store', { credential: ann });
    expect(single.text).toBe(ITEMS_CSV);
  });

  it('is an archive of NDJSON files, with an empty file for a result without rows', async () => {
    const members = await unzip((await download('pack', 'ndjson')).bytes);
    expect([...members.keys()]).toEqual(['_items.ndjson', 'numbers.ndjson', 'nothing.ndjson', 'manifest.json']);
    const numbers = String(members.get('numbers.ndjson')).split('\n');
    expect([numbers.length, numbers[0], numbers.at(-2), numbers.at(-1)]).toEqual([3001, '{"n":0}', '{"n":2999}', '']);
    expect(members.get('nothing.ndjson')?.length).toBe(0);
    const manifest = JSON.parse(String(members.get('manifest.json')));
    for (const { file, bytes, sha256 } of manifest.files) {
      const member = members.get(file) ?? Buffer.alloc(0);
      expect([member.length, sha256Of(member)]).toEqual([bytes, sha256]);
    }
  });

  it('is one workbook with a sheet per query', async () => {
    const sheets = await readByExceljs((await download('pack', 'xlsx')).bytes);
    expect(sheets.map(({ name }) => name)).toEqual(['.._items', 'numbers', 'nothing', 'About']);
    expect(sheets[1]?.rows).toHaveLength(3001);
    expect(sheets[1]?.rows[3000]).toEqual([{ number: 2999 }]);
  });

  it('has a receipt of the whole archive, one audit record with its queries, and increments the download count', async () => {
    const before = (await ask('GET', '/marketplace/pack', { credential: ann })).body.download_count;
    const answer = await download('pack', 'csv');
    const queryId = queryIdOf(answer);
    expect(await receiptOf(hosts.url, queryId, ann)).toMatchObject({
      state: 'FINISHED',
      rows: 3003,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
    });
    const records = await hosts.rows<{ action: string; target: string; metadata: { queries: { name: string }[] } }>(
      `select action, target, metadata from audit_log where query_id = $1 and record_id is null`,
      [queryId],
    );
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      action: 'DOWNLOAD_MARKETPLACE',
      target: 'pack',
      metadata: { version: 1, format: 'csv' },
    });
    expect(records[0]?.metadata.queries.map(({ name }) => name)).toEqual(['../items', 'numbers', 'nothing']);
    expect((await ask('GET', '/marketplace/pack', { credential: ann })).body.download_count).toBe(before + 1);
  });
});

describe('a download fails', () => {
  it.each([
    ['404 for an unknown id', 'id=nope&format=csv', 404],
    ['400 for an unknown format', 'id=single&format=pdf', 400],
    ['400 for a format in capitals', 'id=single&format=CSV', 400],
    ['400 without a format', 'id=single', 400],
    ['400 for an empty format', 'id=single&format=', 400],
    ['400 for two formats', 'id=single&format=csv&format=csv', 400],
    ['400 for an empty id', 'id=&format=csv', 400],
    ['400 for an unknown parameter', 'id=single&format=csv&size=1', 400],
    ['404 for an invalid id', 'id=..%2Fx&format=csv', 404],
  ])('with %s', async (_, query, status) => {
    expect((await ask('POST', `/marketplace/download?${query}`, { credential: ann })).status).toBe(status);
  });

  it('with 403 without the permission or a grant', async () => {
    const auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
    const steward = basicOf(await hosts.build.user(hosts.acme, { roles: ['steward'] }));
    const asked = async (credential: Credential) =>
      (await ask('POST', '/marketplace/single/download/csv', { credential })).status;
    expect([await asked(auditor), await asked(steward)]).toEqual([403, 403]);
  });

  it('with the engine’s message when the first query is no longer valid', async () => {
    await createItem(hosts, admin, { id: 'broken', queries: { first: 'SELECT * FROM vanished', second: ITEMS } });
    const answer = await download('broken', 'csv');
    expect([answer.status, answer.body.error]).toEqual([400, 'table_not_found']);
    await createItem(hosts, admin, { id: 'erring', queries: { first: FAILS_AT_ONCE } });
    expect((await download('erring', 'xlsx')).status).toBe(400);
    const result = await download('erring', 'json');
    expect([result.status, failedResultSetBody.strict().safeParse(result.body).error]).toEqual([400, undefined]);
    expect(result.body).toMatchObject({ code: 'DATA_ERROR', query_id: queryIdOf(result), message: result.body.error });
  });

  it('with 409 while one of its datamaps is not published', async () => {
    const datamap_id = await publishDatamap(hosts, hosts.acme, ITEMS);
    const body = { id: 'withdrawn', title: 'W', queries: [{ name: 'one', datamap_id }] };
    await ask('POST', '/marketplace', { credential: admin, body });
    await hosts.rows(`update datamaps set state = 'IN_PROGRESS' where fact_id = $1`, [datamap_id]);
    const answer = await ask('POST', '/marketplace/withdrawn/download/csv', { credential: admin });
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
  });

  it.each(['csv', 'json', 'ndjson', 'xlsx'])(
    'by a cut transfer when its second query fails part-way (%s)',
    async (format) => {
      const id = `late-${format}`;
      await createItem(hosts, admin, { id, queries: { first: ITEMS, second: FAILS_LATE, third: ITEMS } });
      const answer = await download(id, format);
      expect([answer.status, answer.isWhole]).toEqual([200, false]);
      await expect(unzip(answer.bytes)).rejects.toThrow(/BadZipFile/);
      const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann });
      expect(receipt).toMatchObject({ state: 'FAILED', sha256: null });
    },
  );
});
