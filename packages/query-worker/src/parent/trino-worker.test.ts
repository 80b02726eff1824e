import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { FakeTrino, formatSpec, numberedResult, numberedText } from '@sluice/engine/testing';
import { openPool, type TestPool } from '../../testing/workers.ts';
import type { JobProgress, QueryJob } from '../protocol/query-job.ts';

const RESULT = numberedResult(4000, 1000);

let opened: TestPool;
beforeAll(async () => {
  opened = await openPool();
});
afterAll(async () => await opened[Symbol.asyncDispose]());

const jobOn = (fake: FakeTrino): QueryJob => ({
  engine: {
    kind: 'trino',
    key: fake.url,
    profile: { baseUrl: fake.url, catalogs: ['shop'], defaultCatalog: 'shop', credentials: { kind: 'none' } },
  },
  statement: { sql: 'SELECT 1', queryId: 'q', user: 'ann@acme.example', timeZone: 'UTC' },
  format: formatSpec({ name: 'json' }),
});

describe('a worker on Trino', () => {
  it('returns the rows and reports progress', async () => {
    await using fake = await FakeTrino.start({
      result: RESULT,
      fault: ({ kind, page }) => (kind === 'page' && page === 3 ? { kind: 'late', ms: 700 } : undefined),
    });
    const job = jobOn(fake);
    using lease = await opened.acquire(job.engine.key, new AbortController().signal);
    const reported: JobProgress[] = [];
    let text = '';
    for await (const event of lease.run(job, new AbortController().signal, (progress) => reported.push(progress))) {
      if (event.kind === 'rows') text += Buffer.from(event.bytes).toString();
    }
    expect(text).toBe(numberedText(4000));
    expect(reported[0]).toEqual({ isQueued: true, splitsDone: 0, splitsTotal: 5 });
    const isRunning = (progress: JobProgress) =>
      'isQueued' in progress && !progress.isQueued && progress.splitsDone > 0;
    expect(reported.slice(1).every(isRunning)).toBe(true);
    expect(reported.length).toBeGreaterThan(2);
    expect(reported.length).toBeLessThan(6);
  });

  it('cancels the statement in Trino when the query is stopped, and serves the next', async () => {
    await using fake = await FakeTrino.start({
      result: RESULT,
      fault: ({ kind, page, attempt }) =>
        kind === 'page' && page === 2 && attempt === 1 ? { kind: 'hang' } : undefined,
    });
    const job = jobOn(fake);
    using lease = await opened.acquire(job.engine.key, new AbortController().signal);
    const stop = new AbortController();
    const read = (async () => {
      for await (const event of lease.run(job, stop.signal)) if (event.kind === 'end') return event;
      return undefined;
    })();
    while (fake.count('page') < 2) await fake.tick(); // the second page hangs, on its first request only
    stop.abort(new ProblemError('query_cancelled', 'Stopped by the test.'));
    await expect(read).rejects.toMatchObject({ code: 'query_cancelled' });
    await fake.until('cancel');
    let rows = 0;
    for await (const event of lease.run(job, new AbortController().signal))
      if (event.kind === 'rows') rows += event.rows;
    expect(rows).toBe(4000);
  });

  it.each([
    ['before the first row', 1],
    ['between rows', 3],
  ])('that is killed %s leaves no statement running in Trino', async (_when, hangsAt) => {
    await using fake = await FakeTrino.start({
      result: RESULT,
      fault: ({ kind, page }) => (kind === 'page' && page === hangsAt ? { kind: 'hang' } : undefined),
    });
    const job = jobOn(fake);
    using lease = await opened.acquire(job.engine.key, new AbortController().signal);
    const pids = new Set(opened.pool.pids);
    const read = (async () => {
      for await (const event of lease.run(job, new AbortController().signal)) if (event.kind === 'end') return event;
      return undefined;
    })();
    while (fake.count('page') < hangsAt) await fake.tick();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expect(read).rejects.toMatchObject({ code: 'engine_crashed' });
    const cancel = await fake.until('cancel');
    expect(cancel.headers['x-trino-user']).toBe('ann@acme.example');
    expect(fake.count('cancel')).toBe(1);
  });
});
