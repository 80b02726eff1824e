import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createItem, createSendRequest, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, queryIdOf } from '@sluice/testkit/requests';

const DAY_MS = 86_400_000;

let hosts: TestHosts;
let ask: SendRequest;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  ann = basicOf(hosts.ann);
  await createItem(hosts, basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] })), {
    id: 'items',
    queries: { items: 'SELECT * FROM items' },
  });
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = async (): Promise<string> =>
  queryIdOf(await ask('POST', '/marketplace/items/download/csv', { credential: ann }));
const kept = async (): Promise<string[]> =>
  (await hosts.rows<{ id: string }>('select query_id::text as id from marketplace_downloads order by 1')).map(
    ({ id }) => id,
  );
const age = (queryId: string, days: number): Promise<object[]> =>
  hosts.rows(`update marketplace_downloads set started = now() - make_interval(days => $2) where query_id = $1`, [
    queryId,
    days,
  ]);

describe('old download records', () => {
  it('are deleted by the running host, except those of running queries, and no count decreases', async () => {
    const [old, recent, running] = [await download(), await download(), await download()];
    const ofOthers = randomUUID();
    await hosts.rows(
      `insert into marketplace_downloads (tenant_id, query_id, item_id, version) values ($1, $2, 'x', 1)`,
      [hosts.globex.id, ofOthers],
    );
    for (const queryId of [old, running, ofOthers]) await age(queryId, 31);
    await age(recent, 29);
    await hosts.rows('update queries set ended = null where query_id = $1', [running]);
    const item = async () => (await ask('GET', '/marketplace/items', { credential: ann })).body;
    const before = await item();
    expect(before.download_count).toBe(3);
    await hosts.stream.context.marketplaceDownloads.deleteOld(30 * DAY_MS);
    expect(await kept()).toEqual([recent, running].sort());
    expect(await item()).toEqual(before);
  });

  it('are deleted in any number', async () => {
    await hosts.rows(
      `insert into marketplace_downloads (tenant_id, query_id, item_id, version, started)
       select $1, gen_random_uuid(), 'x', 1, now() - interval '500 days' from generate_series(1, 25000)`,
      [hosts.globex.id],
    );
    const before = (await kept()).length;
    await hosts.stream.context.marketplaceDownloads.deleteOld(400 * DAY_MS);
    expect((await kept()).length).toBe(before - 25_000);
  });
});
