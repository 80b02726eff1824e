import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, finalReceipt, post, queryIdOf } from '@sluice/testkit/requests';
import { countTo, ENDLESS, wideRows } from '@sluice/testkit/statements';

const PATHS = ['/query', '/query/download/json', '/query/download/csv', '/query/download/ndjson'] as const;
type Path = (typeof PATHS)[number];

const SETTINGS = {
  rows: { rowsMax: 60_000 },
  bytes: { bytesMax: 1_000_000 },
  time: { queryTimeLimitMs: 1000 },
} as const;
type Limit = keyof typeof SETTINGS;

let hosts: TestHosts;
const callers = new Map<Limit, Credential>();
beforeAll(async () => {
  hosts = await startHosts();
  for (const [limit, settings] of Object.entries(SETTINGS)) {
    const tenant = await hosts.build.tenant({ name: `limited-${limit}`, settings });
    const user = await hosts.build.user(tenant);
    callers.set(limit as Limit, { ...basicOf(user), host: `limited-${limit}-stream.localhost` });
  }
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const query = (path: Path, sql: string, limit: Limit): Promise<ReceivedResponse> =>
  post(`${hosts.url}${path}`, { sql }, callers.get(limit));

/** Returns how a response ended: `complete`, an error code, or `cut`. */
async function endOf(path: Path, answer: ReceivedResponse): Promise<unknown> {
  if (!answer.isWhole) return 'cut';
  if (path === '/query') {
    const last = (await eventsOf(answer)).at(-1);
    return last?.['type'] === 'complete' ? 'complete' : last?.['code'];
  }
  if (path === '/query/download/json') return answer.body.code ?? 'complete';
  return answer.status === 200 ? 'complete' : answer.body.error.toUpperCase();
}

describe.each(PATHS)('limits of a tenant on POST %s', (path) => {
  it.each<[Limit, string]>([
    ['rows', 'SELECT n FROM numbers'],
    ['rows', countTo(60_001)],
    ['bytes', 'SELECT n, n AS again FROM numbers'],
    ['bytes', wideRows(1000, 1001)],
  ])('on %s: %s fails with RESOURCE_LIMIT instead of a shorter success', async (limit, sql) => {
    const answer = await query(path, sql, limit);
    expect(await endOf(path, answer)).toBe(/\/(?:csv|ndjson)$/.test(path) ? 'cut' : 'RESOURCE_LIMIT');
    const receipt = await finalReceipt(hosts.url, queryIdOf(answer), {
      credential: callers.get(limit) ?? {},
    });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'RESOURCE_LIMIT' } });
    if (limit === 'rows') expect(receipt.rows).toBeLessThanOrEqual(60_000);
    else expect(answer.bytes.length).toBeLessThan(1_100_000);
  });

  it('on bytes: cuts a single row that is larger, in any format', async () => {
    expect(await endOf(path, await query(path, wideRows(1_000_001, 1), 'bytes'))).toBe('cut');
  });

  it('on time: ends with TIME_LIMIT', async () => {
    expect(await endOf(path, await query(path, ENDLESS, 'time'))).toBe('TIME_LIMIT');
  });

  it('allow results exactly at the limit', async () => {
    expect(await endOf(path, await query(path, countTo(60_000), 'rows'))).toBe('complete');
    expect(await endOf(path, await query(path, wideRows(990_000, 1), 'bytes'))).toBe('complete');
  });
});
