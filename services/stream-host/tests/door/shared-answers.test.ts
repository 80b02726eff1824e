import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { createInProcessState, type SharedState } from '@sluice/shared-state';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';
import { seedCatalogue, seedWideCatalog } from './seed-catalogue.ts';
import { begun, type Followed, follow, get, rowsOf, run, type TrinoPage } from './trino-client.ts';

let hosts: TestHosts;
let state: SharedState;
/** Two hosts that share their state, as with Redis. */
let streams: readonly StreamHost[] = [];
let urls: readonly [string, string];
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  state = createInProcessState();
  const start = (): Promise<StreamHost> =>
    startStreamHost({
      environment: { ...hosts.environment, STREAM_PORT: '0', TRINO_DOOR: 'true' },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }), sharedState: state },
    });
  const [first, second] = [await start(), await start()];
  streams = [first, second];
  urls = [first.url, second.url];
  await seedCatalogue(hosts, hosts.acme);
  await seedWideCatalog(hosts, hosts.acme, 1_000);
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  await state?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

/** Follows a statement of the first host with requests for its pages to the second one first, and then to both in turn. */
const inTurn = async (sql: string): Promise<Followed> =>
  follow(await begun(urls[0], sql, ann), ann, { hosts: [urls[1], urls[0]] });

const memoryOf = (index: number): number | undefined => streams[index]?.context.door?.openResults.size;

const pageAt = async (first: TrinoPage, url: string, method = 'GET'): Promise<number> =>
  (await get(first.nextUri ?? '', ann, { method, at: url })).status;

/** More than hosts share: random text cannot be compressed. */
const TOO_LARGE = `SELECT c.column_name, t.noise FROM wide.information_schema.columns c,
  (SELECT string_agg(md5(random()::varchar), '') AS noise FROM range(60000)) t WHERE c.ordinal_position = 1 LIMIT 1`;

describe('an answer about the catalog on two hosts', () => {
  it('is the same on either of them: SHOW TABLES', async () => {
    expect(rowsOf(await inTurn('SHOW TABLES FROM demo.vega'))).toEqual([['cheap'], ['flights']]);
  });

  it('is the same on either of them: all columns of 1,000 tables', async () => {
    const sql = `SELECT * FROM wide.information_schema.columns ORDER BY table_name, ordinal_position`;
    const followed = await inTurn(sql);
    expect(rowsOf(followed).length).toBeGreaterThan(20_000);
    expect(followed.rowsText === (await run(urls[0], sql, ann)).rowsText).toBe(true);
    expect([memoryOf(0), memoryOf(1)]).toEqual([0, 0]);
  });

  it('is cancelled on either of them', async () => {
    const first = await begun(urls[0], 'SHOW CATALOGS', ann);
    expect(await pageAt(first, urls[1], 'DELETE')).toBe(204);
    expect(await pageAt(first, urls[0], 'DELETE')).toBe(204);
    const kill = () => get(`${urls[1]}/v1/query/${first.id}`, ann, { method: 'DELETE' });
    expect((await kill()).status).toBe(204);
    expect((await kill()).status).toBe(404);
    expect(await pageAt(first, urls[0])).toBe(410);
  });

  it('is asked for again until it reaches its host, if it is too large for the state that they share', async () => {
    const first = await begun(urls[0], TOO_LARGE, ann);
    const other = await get(first.nextUri ?? '', ann, { at: urls[1] });
    expect([other.status, other.headers['retry-after']]).toEqual([503, '1']);
    const followed = await follow(first, ann);
    expect([rowsOf(followed).length, followed.rowsText.length > 1_000_000]).toEqual([1, true]);
    expect(await pageAt(first, urls[1], 'DELETE')).toBe(204);
  });

  it('is of its account alone', async () => {
    const ofBob = basicOf(await hosts.build.user(hosts.acme));
    for (const sql of ['SHOW CATALOGS', TOO_LARGE]) {
      const first = await begun(urls[0], sql, ann);
      for (const at of urls) expect((await get(first.nextUri ?? '', ofBob, { at })).status).toBe(404);
      const killed = await get(`${urls[1]}/v1/query/${first.id}`, ofBob, { method: 'DELETE' });
      expect(killed.status).toBe(404);
      expect(rowsOf(await follow(first, ann))).toHaveLength(sql === TOO_LARGE ? 1 : 4);
    }
  });
});
