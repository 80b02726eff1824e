import { describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { errorOf, operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route, stream } from '../index.ts';

const held = operation({ id: 'held', path: '/held', credentials: ['idtoken'] });
const removal = operation({ id: 'removal', method: 'DELETE', path: '/removal', credentials: ['idtoken'] });
const streamed = operation({ id: 'streamed', path: '/streamed', credentials: ['idtoken'], streams: true });

interface Fixture extends AsyncDisposable {
  readonly started: Started;
  /** Functions that end the handlers which run, in the order of their start. */
  readonly running: (() => void)[];
  /** Accounts whose handlers have started. */
  readonly served: string[];
  readonly get: (idtoken: string, signal?: AbortSignal) => Promise<Response>;
}

/** Starts a kernel whose handler runs until the test ends it. An account may have two requests that run, and three that wait. */
async function startFixture(waitMs = 60_000, placeMs = 60_000): Promise<Fixture> {
  const running: (() => void)[] = [];
  const served: string[] = [];
  const started = await startApp({
    accountRequests: { runningMax: 2, waitingMax: 3, waitMs, placeMs },
    routes: [
      route(held, async ({ principal }) => {
        served.push(principal.name);
        await new Promise<void>((resolve) => running.push(resolve));
        return json(200, {});
      }),
      route(removal, async () => json(200, {})),
      route(streamed, async () =>
        stream({
          status: 200,
          mediaType: 'text/plain',
          body: (async function* () {
            yield Buffer.from('x');
          })(),
        }),
      ),
    ],
  });
  return {
    started,
    running,
    served,
    get: (idtoken, signal) =>
      fetch(started.address('/held'), { headers: { idtoken }, ...(signal === undefined ? {} : { signal }) }),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

const untilServed = (fixture: Fixture, count: number) =>
  until(() => (fixture.served.length === count ? true : undefined), { what: `${count} requests that run` });

/** Requests of the kernel that have no response yet. */
const untilOpen = ({ started }: Fixture, count: number) =>
  until(() => (started.app.running.size === count ? true : undefined), { what: `${count} open requests` });

describe('the requests of one account', () => {
  it('run up to its share, then wait, then are rejected; another account, removals and streams go on', async () => {
    await using fixture = await startFixture();
    const { started, running, get } = fixture;
    const greedy = Array.from({ length: 5 }, () => get('ann@acme'));
    await untilOpen(fixture, 5);
    const refused = await get('ann@acme');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await errorOf(refused)).toEqual([429, 'too_many_requests']);
    const other = get('bob@acme');
    const namesake = get('ann@globex');
    await untilServed(fixture, 4);
    expect(fixture.served.toSorted()).toEqual(['ann@acme', 'ann@acme', 'ann@globex', 'bob@acme']);
    const headers = { idtoken: 'ann@acme' };
    expect((await fetch(started.address('/removal'), { method: 'DELETE', headers })).status).toBe(200);
    expect((await fetch(started.address('/streamed'), { headers })).status).toBe(200);
    for (const served of [4, 6, 7]) {
      await untilServed(fixture, served);
      for (const end of running.splice(0)) end();
    }
    const responses = await Promise.all([...greedy, other, namesake]);
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(200));
  });

  it('are rejected when they have waited too long, and leave the queue when their client does', async () => {
    await using fixture = await startFixture(200);
    const { running, get } = fixture;
    const first = [get('ann@acme'), get('ann@acme')];
    await untilServed(fixture, 2);
    expect(await errorOf(await get('ann@acme'))).toEqual([429, 'too_many_requests']);
    const leaving = new AbortController();
    const left = get('ann@acme', leaving.signal).catch(() => 'left');
    await untilOpen(fixture, 3);
    leaving.abort();
    expect(await left).toBe('left');
    await untilOpen(fixture, 2);
    for (const end of running.splice(0)) end();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    const last = get('ann@acme');
    await untilServed(fixture, 3);
    running[0]?.();
    expect((await last).status).toBe(200);
  });

  it('give their places up after the time of a statement', async () => {
    await using fixture = await startFixture(60_000, 100);
    const { running, get } = fixture;
    const long = Array.from({ length: 4 }, () => get('ann@acme'));
    await untilServed(fixture, 4);
    for (const end of running.splice(0)) end();
    await Promise.all(long);
    const later = Array.from({ length: 2 }, () => get('ann@acme'));
    await untilServed(fixture, 6);
    for (const end of running) end();
    expect((await Promise.all(later)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
