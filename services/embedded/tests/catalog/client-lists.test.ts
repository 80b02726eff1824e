import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, IncompleteResultError } from '@sluice/client';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';

let hosts: TestHosts;
let api: CuttingProxy;
let stream: CuttingProxy;
let client: Client;
beforeAll(async () => {
  hosts = await startHosts({}, { isHarvested: true });
  api = await startCuttingProxy(hosts.api.url);
  stream = await startCuttingProxy(hosts.url);
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward', 'auditor', 'analyst'] });
  client = createClient({ tenant: 'acme', streamUrl: stream.url, apiUrl: api.url, auth: { email, password } });
  await client.api.startHarvest();
  await until(async () => ((await client.api.listHarvests()).data[0]?.state === 'FINISHED' ? true : undefined), {
    what: 'the harvest',
  });
}, 120_000);
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await stream?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

afterEach(() => {
  api.reset();
  stream.reset();
});

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe('the client reads all pages', () => {
  it('of the history, newest first', async () => {
    for (const n of [1, 2, 3]) await all(client.query(`SELECT ${n} AS a`));
    const entries = await all(client.history({ size: 1, q: 'AS a' }));
    expect(entries.map(({ sql }) => sql)).toEqual(['SELECT 3 AS a', 'SELECT 2 AS a', 'SELECT 1 AS a']);
  });

  it('of catalogs, schemas and tables', async () => {
    const [catalog] = await all(client.catalog.catalogs());
    const [schema] = await all(client.catalog.schemas(catalog?.name ?? ''));
    const tables = await all(client.catalog.tables(catalog?.name ?? '', schema?.name ?? '', { size: 1 }));
    expect(tables).toHaveLength(schema?.table_count ?? 0);
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
  });

  it.each(['asc', 'desc'] as const)(
    'of the audit log, and continues when a page token has expired (%s)',
    async (sort_value) => {
      const end = Date.now();
      const whole = await client.api.searchAuditLogs({ body: { size: 1000, sort_value, end } });
      const expired = JSON.stringify({ error: 'invalid_page_token', message: 'text', request_id: 'r' });
      const canned = { status: 400, headers: { 'content-type': 'application/json' }, body: expired };
      api.reply('/audits/logs/search?', canned);
      const entries = await all(client.audit.search({ size: 2, sort_value, end }));
      expect(entries.map(({ id }) => id)).toEqual(whole.data.map(({ id }) => id));
    },
  );

  it('of a search', async () => {
    for (let n = 0; n < 3; n += 1) await client.api.createDatamap({ body: { name: `Found ${n}` } });
    expect(await all(client.datamaps.search({ q: 'found' }))).toHaveLength(3);
  });

  it('of a search, and throws when there are more than can be read', async () => {
    const record = await client.api.createDatamap({ body: { name: 'Many' } });
    const records = (from: number) =>
      Array.from({ length: 100 }, (_, index) => ({ ...record, id: String(from + index) }));
    const page = (from: number) => JSON.stringify({ total: 201, max_supported_records: 200, data: records(from) });
    const headers = { 'content-type': 'application/json' };
    api.reply('/datamap/search', ...[0, 100].map((from) => ({ status: 200, headers, body: page(from) })));
    await expect(all(client.datamaps.search())).rejects.toMatchObject({ code: 'too_many_matches' });
  });
});

describe('the client goes on with a new token when one expires between two pages', () => {
  let [catalog, schema] = ['', ''];
  beforeAll(async () => {
    catalog = (await all(client.catalog.catalogs()))[0]?.name ?? '';
    schema = (await all(client.catalog.schemas(catalog)))[0]?.name ?? '';
  });
  const UNAUTHORIZED = JSON.stringify({ error: 'unauthorized', message: 'text', request_id: 'r' });
  const rejected = { status: 401, headers: { 'content-type': 'application/json' }, body: UNAUTHORIZED };

  /** Reads a list twice: as it is, and with a token that is rejected after the first entry. */
  async function readTwice<T>(proxy: CuttingProxy, path: string, read: () => AsyncIterable<T>): Promise<[T[], T[]]> {
    const whole = await all(read());
    const interrupted: T[] = [];
    for await (const entry of read()) {
      if (interrupted.push(entry) === 1) proxy.reply(path, rejected);
    }
    return [interrupted, whole];
  }

  it.each([
    ['the history', () => client.history({ size: 1, q: 'AS a' }), '/query'],
    ['the tables', () => client.catalog.tables(catalog, schema, { size: 1 }), '/catalog'],
  ] as const)('of %s', async (_name, read, path) => {
    for (const n of [1, 2]) await all(client.query(`SELECT ${n} AS a`));
    const proxy = path === '/query' ? stream : api;
    const before = api.seen.filter((request) => request.path.startsWith('/auth/login')).length;
    const [interrupted, whole] = await readTwice<unknown>(proxy, path, read as () => AsyncIterable<unknown>);
    expect(whole.length).toBeGreaterThan(1);
    expect(interrupted).toEqual(whole);
    expect(api.seen.filter((request) => request.path.startsWith('/auth/login')).length).toBe(before);
  });

  it('of the audit log', async () => {
    const end = Date.now();
    const search = () => client.audit.search({ size: 2, end });
    const [interrupted, whole] = await readTwice(api, '/audits/logs/search?', search);
    expect(interrupted.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });
});

describe('the marketplace', () => {
  it('is listed over all its pages, by words', async () => {
    const { id: datamap_id } = await client.api.createDatamap({ body: { name: 'Source', sql: 'SELECT 1 AS a' } });
    await client.api.publishDatamap({ params: { id: datamap_id } });
    const ids = Array.from({ length: 103 }, (_, n) => `listed-${String(n).padStart(3, '0')}`);
    for (const id of ids)
      await client.stream.createMarketplaceItem({
        body: { id, title: `Listed ${id}`, queries: [{ name: 'q', datamap_id }] },
      });
    await client.stream.createMarketplaceItem({
      body: { id: 'x', title: 'Other', queries: [{ name: 'q', datamap_id }] },
    });
    expect((await all(client.marketplace.search('listed'))).map(({ id }) => id)).toEqual(ids);
    expect(await all(client.marketplace.search())).toHaveLength(104);
    expect(await all(client.marketplace.search('none'))).toEqual([]);
  });
});

describe('exportAll', () => {
  it('yields every object in the form that importAll takes', async () => {
    const exported = await all(client.metadata.exportAll({ all: true }));
    expect(exported.length).toBeGreaterThan(2);
    expect(new Set(exported.map(({ type }) => type))).toContain('TABLE');
    const report = await client.metadata.importAll(exported, { dryRun: true });
    expect(report.failed).toEqual([]);
    const [first] = exported;
    expect(await all(client.metadata.exportAll({ all: true, prefix: first?.id ?? '' }))).toContainEqual(first);
  });

  it.each(['cut', 'end', 'reset'] as const)('is incomplete when it ends early (%s)', async (kind) => {
    for (const afterBytes of [0, 30, 200]) {
      api.damage('/metadata/export', { kind, afterBytes });
      await expect(all(client.metadata.exportAll({ all: true }))).rejects.toBeInstanceOf(IncompleteResultError);
    }
  });
});

describe('importAll', () => {
  const objects = async (count: number) => {
    const [catalog] = await all(client.catalog.catalogs());
    const [schema] = await all(client.catalog.schemas(catalog?.name ?? ''));
    const [table] = await all(client.catalog.tables(catalog?.name ?? '', schema?.name ?? ''));
    const id = [catalog, schema, table].map((each) => `"${each?.name}"`).join('.');
    return Array.from({ length: count }, (_, n) => ({ type: 'TABLE' as const, id, description: `text ${n}` }));
  };

  it('imports in requests of 50 and reports each object', async () => {
    const before = api.seen.filter(({ path }) => path === '/metadata/import').length;
    const seen: number[] = [];
    const list = [...(await objects(119)), { type: 'TABLE' as const, id: 'no.such.table' }];
    const report = await client.metadata.importAll(list, { onProgress: ({ done }) => seen.push(done) });
    expect(report.results).toHaveLength(120);
    expect(report.failed.map(({ id }) => id)).toEqual(['no.such.table']);
    expect(seen).toEqual([50, 100, 120]);
    expect(api.seen.filter(({ path }) => path === '/metadata/import').length - before).toBe(3);
  });

  it('reports objects of which all failed', async () => {
    const report = await client.metadata.importAll([{ type: 'TABLE', id: 'no.such.table' }]);
    expect(report.failed).toHaveLength(1);
  });

  it('applies a request once when its response was lost', async () => {
    api.reply('/metadata/import', { status: 503, headers: { 'retry-after': '0' }, body: 'lost' });
    expect((await client.metadata.importAll(await objects(1))).failed).toEqual([]);
  });

  it('changes nothing in a dry run', async () => {
    const report = await client.metadata.importAll(await objects(1), { dryRun: true });
    expect(report.results[0]?.changes).toEqual(expect.any(Array));
  });
});
