import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '@sluice/store/database';
import { createHostStore } from '@sluice/store/queries';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { type ChildHost, isAlive, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  listOf,
  post,
  queryIdOf,
  receiptOf,
  startQuery,
  untilRunning,
} from '@sluice/testkit/requests';
import { BRIEF, ENDLESS, HELD, PAUSING, UNINTERRUPTIBLE } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
const children: ChildHost[] = [];
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '1' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  for (const { child } of children) child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

async function startChild(settings: Readonly<Record<string, string>> = {}): Promise<ChildHost> {
  const child = await startChildHost(hosts, settings);
  children.push(child);
  return child;
}

const untilGone = (pids: readonly number[]): Promise<boolean> =>
  until(async () => ((await Promise.all(pids.map(isAlive))).some((alive) => alive) ? undefined : true), {
    what: 'the end of all workers',
  });

const outcomesOf = (queryId: string) =>
  hosts.rows<{ metadata: Record<string, unknown> }>(
    'select metadata from audit_log where query_id = $1 and record_id is not null',
    [queryId],
  );

describe('SIGTERM', () => {
  it('lets short queries finish, ends long ones with the failure of their format, records all, and exits with 0', async () => {
    const child = await startChild({ DRAIN_GRACE: '6s' });
    const streamed = await startQuery(child.url, ENDLESS, ann);
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const late: Promise<ReceivedResponse>[] = [
      post(`${child.url}/query/download/json`, { sql: PAUSING }, bob),
      post(`${child.url}/query/download/csv`, { sql: PAUSING }, bob),
      post(`${child.url}/query/download/json`, { sql: ENDLESS }, bob),
    ];
    await until(
      async () => ((await hosts.rows('select 1 from queries where ended is null')).length >= 4 ? true : undefined),
      { what: 'four running queries' },
    );
    const workers = await child.workerPids();
    expect(workers.length).toBeGreaterThan(0);
    const short = await startQuery(child.url, BRIEF, ann);
    child.child.kill('SIGTERM');
    await until(async () => ((await send(`${child.url}/health`)).status === 503 ? true : undefined), {
      what: '503 of the probe',
    });
    expect(await short.text).toContain('"complete"');
    const refused = await post(`${child.url}/query`, { sql: 'SELECT 1' }, ann);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toBe('server_shutdown');
    expect(refused.headers['retry-after']).toBe('1');

    expect(await streamed.text).toMatch(
      /"type":"error","error":"[^"]+","code":"SERVER_SHUTDOWN","query_id":"[^"]+"\}\n\n$/,
    );
    const [json, csv, early] = await Promise.all(late);
    expect([json?.status, json?.body.code, json?.isWhole]).toEqual([200, 'SERVER_SHUTDOWN', true]);
    expect(json?.body.data.length).toBeGreaterThan(0);
    expect([csv?.status, csv?.isWhole]).toEqual([200, false]);
    expect([early?.status, early?.body.code, early?.headers['retry-after']]).toEqual([503, 'SERVER_SHUTDOWN', '1']);

    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(await untilGone(workers)).toBe(true);
    for (const answer of [json, csv, early]) {
      if (answer === undefined) throw new Error('a response is missing');
      expect(await receiptOf(hosts.url, queryIdOf(answer), bob)).toMatchObject({
        state: 'FAILED',
        error: { code: 'SERVER_SHUTDOWN' },
      });
      expect(await outcomesOf(queryIdOf(answer))).toHaveLength(1);
    }
    expect(await hosts.rows('select id from hosts where service = $1', ['stream'])).toHaveLength(1);
  });
});

describe('SIGKILL', () => {
  it('cuts all transfers and ends the workers; another host closes the queries as UNKNOWN exactly once', async () => {
    const child = await startChild();
    const streamed = await startQuery(child.url, UNINTERRUPTIBLE, ann);
    const csv = post(`${child.url}/query/download/csv`, { sql: PAUSING }, ann);
    await until(
      async () => ((await hosts.rows('select 1 from queries where ended is null')).length === 2 ? true : undefined),
      {
        what: 'two running queries',
      },
    );
    const { query_id } = await untilRunning(hosts.url, ann);
    const workers = await child.workerPids();
    expect(workers.length).toBeGreaterThanOrEqual(2);
    child.child.kill('SIGKILL');
    await expect(streamed.text).rejects.toThrow();
    const cut = await csv.catch(() => undefined);
    expect(cut?.isWhole ?? false).toBe(false);
    expect(await untilGone(workers)).toBe(true);
    expect((await receiptOf(hosts.url, streamed.queryId, ann)).ended_ts).toBeNull();

    // Simulates a host that is silent for 11 s. This call closes its queries after 10 s. The running host does so after 20 s, which
    // leaves 9 s for the next statements on a busy machine.
    await using database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 1 });
    await database.ping();
    await hosts.rows(
      `update audit_log set occurred = occurred - interval '1 minute' where query_id in (select query_id from queries where ended is null)`,
    );
    await hosts.rows(`update queries set started = started - interval '1 minute' where ended is null`);
    await hosts.rows(`update hosts set beat = clock_timestamp() - interval '11 seconds' where id <> $1`, [
      hosts.stream.context.hostId,
    ]);
    expect(await createHostStore(database).reapSilent(10_000)).toBe(2);
    expect(await createHostStore(database).reapSilent(10_000)).toBe(0);
    for (const queryId of [streamed.queryId, query_id]) {
      const receipt = await receiptOf(hosts.url, queryId, ann);
      expect(receipt).toMatchObject({ state: 'UNKNOWN', sha256: null, error: { code: 'INTERNAL' } });
      expect(await outcomesOf(queryId)).toMatchObject([{ metadata: { state: 'UNKNOWN' } }]);
    }
  });
});

describe('a query that another host closed as lost', () => {
  it('does not end as complete in any format and is closed once', async () => {
    const paths = ['/query', '/query/download/json', '/query/download/csv'];
    const answers = Promise.all(paths.map((path) => post(`${hosts.url}${path}`, { sql: HELD }, ann)));
    const areRunning = async (): Promise<true | undefined> => {
      const running = (await listOf(hosts.url, ann)).filter(({ state }) => state === 'RUNNING');
      return running.length === paths.length ? true : undefined;
    };
    await until(areRunning, { what: 'three running queries' });
    await using database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 1 });
    // A reaper for which all hosts have timed out.
    expect(await createHostStore(database).reapSilent(1)).toBe(3);
    const [streamed, json, csv] = await answers;
    expect(streamed?.text).toMatch(/"type":"error","error":"[^"]+","code":"INTERNAL"/);
    expect(streamed?.text).not.toContain('"complete"');
    expect(json?.body).toMatchObject({ code: 'INTERNAL' });
    expect(csv?.isWhole).toBe(false);
    for (const answer of [streamed, json, csv]) {
      if (answer === undefined) throw new Error('a response is missing');
      expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({ state: 'UNKNOWN', sha256: null });
      expect(await outcomesOf(queryIdOf(answer))).toHaveLength(1);
    }
  });
});
