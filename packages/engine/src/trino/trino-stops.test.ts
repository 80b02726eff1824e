import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import type { FakeFault, FakeRequest } from '../../testing/fake-request.ts';
import { numberedResult } from '../../testing/fake-result.ts';
import type { FakeTrinoOptions } from '../../testing/fake-trino.ts';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';
import { formatSpec } from '../../testing/read-result.ts';
import type { ResultEvent } from '../engine.ts';

const RESULT = numberedResult(1_000, 100);
const REASON = new ProblemError('query_cancelled', 'Cancelled by the test.');
const HANG: FakeFault = { kind: 'hang' };
/** Longer than any test, so that a request that hangs never ends by itself. */
const NO_TIMEOUT = { answerTimeoutMs: 3_600_000 };

const start = (options: Partial<FakeTrinoOptions> = {}, limits = {}): Promise<FakeTrinoEngine> =>
  FakeTrinoEngine.start({ result: RESULT, ...options }, { limits });

function events(trino: FakeTrinoEngine, signal: AbortSignal): AsyncIterator<ResultEvent> {
  const format = createFormat(formatSpec({ name: 'csv' }));
  const statement = { sql: 'SELECT 1', queryId: 'q', user: 'ann@acme.example', timeZone: 'UTC' };
  return trino.engine.run(statement, (columns) => format.row(columns), signal)[Symbol.asyncIterator]();
}

async function drain(iterator: AsyncIterator<ResultEvent>): Promise<void> {
  while ((await iterator.next()).done !== true);
}

describe('Trino is sent a cancel', () => {
  const hangsAt = (kind: FakeRequest['kind'], page: number) => (request: FakeRequest) =>
    request.kind === kind && request.page === page ? HANG : undefined;

  it.each([1, 2, 7])('while page %i is awaited', async (page) => {
    await using trino = await start({ fault: hangsAt('page', page) }, NO_TIMEOUT);
    const abort = new AbortController();
    const reading = drain(events(trino, abort.signal));
    const rejection = expect(reading).rejects.toBe(REASON);
    while (!trino.fake.requests.some((request) => request.kind === 'page' && request.page === page))
      await trino.fake.tick();
    abort.abort(REASON);
    await rejection;
    expect((await trino.fake.until('cancel')).page).toBe(page);
  });

  it('as soon as the submission has a response, if the statement was stopped before', async () => {
    await using trino = await start({
      fault: ({ kind }) => (kind === 'submit' ? { kind: 'late', ms: 300 } : undefined),
    });
    const abort = new AbortController();
    const reading = drain(events(trino, abort.signal));
    const rejection = expect(reading).rejects.toBe(REASON);
    await trino.fake.until('submit');
    abort.abort(REASON);
    await rejection;
    await trino.fake.until('cancel');
    expect(trino.fake.count('page')).toBe(0);
  });

  it('while no reader takes what is ready', async () => {
    await using trino = await start();
    const abort = new AbortController();
    const iterator = events(trino, abort.signal);
    await iterator.next();
    await iterator.next();
    abort.abort(REASON);
    await trino.fake.until('cancel'); // although no event was requested since
    await expect(drain(iterator)).rejects.toBe(REASON);
  });

  it('when its reader leaves', async () => {
    await using trino = await start();
    const iterator = events(trino, new AbortController().signal);
    await iterator.next();
    await iterator.return?.();
    expect(trino.fake.count('cancel')).toBe(1);
  });

  it('again, if the first request was lost', async () => {
    await using trino = await start({
      fault: ({ kind, attempt }) => (kind === 'cancel' && attempt < 3 ? { kind: 'status', status: 503 } : undefined),
    });
    const iterator = events(trino, new AbortController().signal);
    await iterator.next();
    await iterator.return?.();
    await trino.engine[Symbol.asyncDispose]();
    expect(trino.fake.count('cancel')).toBe(3);
  });

  it('and the reader does not wait if Trino hangs', async () => {
    await using trino = await start({ fault: ({ kind }) => (kind === 'cancel' ? HANG : undefined) });
    const iterator = events(trino, new AbortController().signal);
    await iterator.next();
    await iterator.return?.();
    await trino.fake.until('cancel');
    // A cancel without a response is sent again after 5 s.
    expect(trino.fake.count('cancel')).toBe(1);
    await trino.fake[Symbol.asyncDispose]();
  });

  it('but not if a statement was rejected or has ended', async () => {
    await using trino = await start();
    await expect(trino.read({ sql: 'DROP TABLE t' })).rejects.toMatchObject({ code: 'read_only' });
    expect(trino.fake.requests).toEqual([]);
    await trino.read();
    expect(trino.fake.count('cancel')).toBe(0);
  });
});

describe('a slow reader', () => {
  it('keeps its statement alive, and gets every row', async () => {
    await using trino = await start({}, { heartbeatMs: 20 });
    const iterator = events(trino, new AbortController().signal);
    await iterator.next();
    await iterator.next();
    const heartbeat = await trino.fake.until('heartbeat');
    expect(heartbeat.headers['x-trino-user']).toBe('ann@acme.example');
    const asked = trino.fake.count('page');
    while (trino.fake.count('heartbeat') < 3) await trino.fake.tick();
    expect(trino.fake.count('page')).toBe(asked); // nothing is requested while the reader takes nothing
    await drain(iterator);
    const heartbeats = trino.fake.count('heartbeat');
    await trino.fake.tick(100);
    expect(trino.fake.count('heartbeat')).toBe(heartbeats);
  });
});
