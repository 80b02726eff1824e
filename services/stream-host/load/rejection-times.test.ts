import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  assertWithin,
  basicOf,
  type Credential,
  post,
  postRaw,
  QUERY_PATHS,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import { BAD_BODIES } from '../tests/queries/bad-bodies.ts';
import { BAD_STATEMENTS } from '../tests/queries/bad-statements.ts';

// What each rejection reports is tested in tests/queries, beside other tests. These times need a quiet machine.
const REJECTED_MS = 1_000;

describe.each(QUERY_PATHS)('POST %s rejects within a second', (path) => {
  let hosts: TestHosts;
  let ann: Credential;
  beforeAll(async () => {
    hosts = await startHosts({ WORKERS_WARM: '2' });
    ann = basicOf(hosts.ann);
    await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann);
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  it.each(BAD_BODIES)('%s', async (what, body, status) => {
    await assertWithin({ what: `${path}, ${what}`, withinMs: REJECTED_MS }, async () => {
      expect((await postRaw({ url: hosts.url, path, body, headers: ann })).status).toBe(status);
    });
  });

  it.each(BAD_STATEMENTS)('%s', async (what, sql) => {
    await assertWithin({ what: `${path}, ${what}`, withinMs: REJECTED_MS }, async () => {
      expect((await post(`${hosts.url}${path}`, { sql }, ann)).status).toBe(path === '/query' ? 200 : 400);
    });
  });
});

describe('when all workers are busy', () => {
  it('a query is rejected with 429 within 2 s after QUEUE_TIMEOUT', async () => {
    await using hosts = await startHosts({ WORKERS_MAX: '1', WORKERS_WARM: '1', QUEUE_TIMEOUT: '2s' });
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const started = await startQuery(hosts.url, ENDLESS, basicOf(hosts.ann));
    await assertWithin({ what: '429 after a QUEUE_TIMEOUT of 2 s', withinMs: 4_000 }, async () => {
      const refused = await Promise.all(
        QUERY_PATHS.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 1' }, bob)),
      );
      expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    });
    started.disconnect();
  });
});
