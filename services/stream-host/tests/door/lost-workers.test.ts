import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { startStreamHost } from '@sluice/stream-host';
import { until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, listOf, post } from '@sluice/testkit/requests';
import { ENDLESS, wideRows } from '@sluice/testkit/statements';
import { begin, begun, follow, get, rowsOf, run } from './trino-client.ts';

/** 100 MB, far more than memory holds. */
const ROWS = 1_000_000;
const LONG = wideRows(100, ROWS);

let folder: string;
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-door-'));
  hosts = await startHosts({ TRINO_DOOR: 'true', WORKERS_MAX: '2', QUERIES_PER_USER: '1', QUEUE_TIMEOUT: '3s' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const killWorkers = (of: TestHosts): void => {
  for (const pid of of.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
};

describe('a statement without a store', () => {
  it('waits for its reader, and has all rows when it is read at last', async () => {
    const first = await begun(hosts.url, LONG, ann);
    const rows = await until(
      async () => {
        const [one] = await listOf(hosts.url, ann);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const [other] = await listOf(hosts.url, ann);
        return one !== undefined && other !== undefined && one.rows > 0 && one.rows === other.rows
          ? one.rows
          : undefined;
      },
      { what: 'a statement that waits' },
    );
    expect(rows).toBeLessThan(ROWS / 10);
    const refused = await begin(hosts.url, 'SELECT 1 AS one', ann);
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    const followed = await follow(first, ann);
    expect([rowsOf(followed).length, followed.last.error]).toEqual([ROWS, undefined]);
    expect((await run(hosts.url, 'SELECT 1 AS one', ann)).last.stats.state).toBe('FINISHED');
  });

  it('ends with an error when its worker is killed, never with fewer rows', async () => {
    const first = await begun(hosts.url, LONG, ann);
    const followed = await follow(first, ann, {
      beforePage: async (number) => {
        if (number === 3) killWorkers(hosts);
      },
    });
    expect(followed.last.error).toMatchObject({ errorName: 'REMOTE_TASK_ERROR', errorType: 'INTERNAL_ERROR' });
    expect(rowsOf(followed).length).toBeLessThan(ROWS);
    const receipt = await finalReceipt(hosts.url, first.id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'ENGINE_CRASHED' } });
  });

  it('is stopped by DELETE /query/{id} and by the limits of the tenant, with an error', async () => {
    const first = await begun(hosts.url, ENDLESS, ann);
    expect((await get(`${hosts.url}/query/${first.id}`, ann, { method: 'DELETE' })).status).toBe(202);
    expect((await follow(first, ann)).last.error).toMatchObject({ errorName: 'USER_CANCELED' });
    await hosts.rows(`update tenants set settings = settings || '{"rowsMax": 1000}' where name = 'acme'`);
    const limited = await run(hosts.url, LONG, ann);
    expect(limited.last.error).toMatchObject({ errorName: 'GENERIC_INSUFFICIENT_RESOURCES' });
    await hosts.rows(`update tenants set settings = settings - 'rowsMax' where name = 'acme'`);
  });
});

describe('another host', () => {
  it('says that it does not have the rows of a statement, so that drivers ask again', async () => {
    const other = await startStreamHost({
      environment: { ...hosts.environment, STREAM_PORT: '0' },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
    });
    try {
      const running = await begun(hosts.url, ENDLESS, ann);
      const answer = await get(running.nextUri ?? '', ann, { at: other.url });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, expect.any(String)]);
      expect((await get(running.nextUri ?? '', ann, { method: 'DELETE', at: other.url })).status).toBe(204);
      await finalReceipt(hosts.url, running.id, { credential: ann });
      const ended = await run(hosts.url, 'SELECT 1 AS one', ann);
      expect(ended.last.error).toBeUndefined();
      const first = await begun(hosts.url, 'SELECT 1 AS one', ann);
      await finalReceipt(hosts.url, first.id, { credential: ann });
      expect((await get(first.nextUri ?? '', ann, { at: other.url })).status).toBe(503);
      expect((await follow(first, ann)).last.stats.state).toBe('FINISHED');
    } finally {
      await other.drain();
    }
  });
});

describe('a statement whose result is kept', () => {
  it('ends with an error when its worker is killed', async () => {
    await using kept = await startHosts({
      TRINO_DOOR: 'true',
      RESULT_FOLDER: folder,
      RESULT_KEY: randomBytes(32).toString('base64'),
      RESULT_KEEP_MAX: '1h',
    });
    const credential = basicOf(kept.ann);
    const first = await begun(kept.url, wideRows(100, 20_000_000), credential);
    await until(async () => ((await listOf(kept.url, credential))[0]?.rows ?? 0) > 100_000 || undefined, {
      what: 'rows in the store',
    });
    killWorkers(kept);
    const followed = await follow(first, credential);
    expect(followed.last.error).toMatchObject({ errorName: 'REMOTE_TASK_ERROR' });
    // The worker is replaced.
    expect((await post(`${kept.url}/query`, { sql: 'SELECT 1 AS one' }, credential)).status).toBe(200);
  }, 60_000);
});
