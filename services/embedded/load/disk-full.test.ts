import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import pg from 'pg';
import { recordsOf, type TimedQuery, timedQuery } from './disk-full-queries.ts';
import { type LimitedServer, startLimitedServer } from './limited-server.ts';

const MEBIBYTE = 1024 * 1024;
/** Maximum file size: a WAL segment fits, the audit log of the month does not. */
const FILE_BYTES_MAX = 16 * MEBIBYTE;

let server: LimitedServer;
let hosts: TestHosts;

const write = (records: number, metadataCharacters: number) =>
  hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select $1, gen_random_uuid(), now(), 'filler@example.com', 'LOGIN', '', jsonb_build_object('filler', left(repeat(md5(i::text), 30), $3))
     from generate_series(1, $2::int) i`,
    [hosts.acme.id, records, metadataCharacters],
  );

/** Writes ever smaller batches until not even one more record fits. */
async function takeAllRoom(): Promise<void> {
  for (const records of [1000, 100, 10, 1]) {
    for (;;) {
      const refused = await write(records, 1).catch((thrown: Error) => thrown.message);
      if (typeof refused !== 'string') continue;
      expect(refused).toContain('could not extend file');
      break;
    }
  }
}

const isReported = async (url: string): Promise<boolean> => {
  const [ready, health] = [await send(`${url}/ready`), await send(`${url}/health`)];
  expect([health.status, ready.status === 503 ? ready.headers['retry-after'] : '1']).toEqual([200, '1']);
  return ready.status === 503 && ready.body.checks.postgres === 'down' && health.body.status === 'degraded';
};

/** Waits until the probes of a host report a full disk, or no longer do. */
const untilReported = (url: string, wanted: boolean) =>
  until(async () => ((await isReported(url)) === wanted ? true : undefined), {
    what: `a host that ${wanted ? 'reports' : 'no longer reports'} a full disk`,
    withinMs: 15_000,
  });

beforeAll(async () => {
  server = await startLimitedServer('none');
  hosts = await startHosts(
    { DATABASE_TIMEOUT: '1s' },
    {
      database: server.database,
      apiSettings: { DATABASE_TIMEOUT: '3s' },
    },
  );
  // The log of this month exceeds the maximum file size.
  await write(20_000, 900);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

describe('with a full disk of the audit log', () => {
  it('both hosts report it without any writing request, and recovery within 5 s; no probe waits for a backup', async () => {
    const backup = new pg.Client({ connectionString: server.database.superuserUrl });
    await backup.connect();
    await backup.query('begin; lock table write_probes in access share mode');
    try {
      await hosts.rows(`insert into write_probes select repeat('x', 1000) from generate_series(1, 2100)`);
      await server.limitFiles(FILE_BYTES_MAX);
      for (const { url } of [hosts.stream, hosts.api]) await untilReported(url, true);
      await server.limitFiles('unlimited');
      const room = performance.now();
      for (const { url } of [hosts.stream, hosts.api]) await untilReported(url, false);
      expect(performance.now() - room).toBeLessThan(5000);
    } finally {
      await server.limitFiles('unlimited');
      await backup.end();
    }
    const pages = `select pg_relation_size('write_probes') / 8192 as pages`;
    const emptied = async () =>
      Number((await hosts.rows<{ pages: string }>(pages))[0]?.pages) < 65 ? true : undefined;
    await until(emptied, { what: 'an emptied table', withinMs: 15_000 });
  });

  it('no query runs unrecorded, requests get 503 within 3 s, and hosts recover within 5 s', async () => {
    expect((await timedQuery(hosts)).status).toBe(200);
    await server.limitFiles(FILE_BYTES_MAX);
    const answers: TimedQuery[] = [];
    try {
      await takeAllRoom();
      while (answers.filter(({ status }) => status === 503).length < 5) answers.push(await timedQuery(hosts));
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3000);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ status, error }) => `${status} ${error}`))).toEqual(
        new Set(['503 audit_unavailable']),
      );
      await untilReported(hosts.url, true);
    } finally {
      await server.limitFiles('unlimited');
    }
    const room = performance.now();
    while ((await timedQuery(hosts)).status !== 200) expect(performance.now() - room).toBeLessThan(5000);
    await untilReported(hosts.url, false);
    expect(performance.now() - room).toBeLessThan(5000);
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(await recordsOf(hosts, served)).toBe(served.length);
    expect(await recordsOf(hosts, refused)).toBe(0);
  });
});
