import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { streamOperations } from '@sluice/contract';
import { createLogger } from '@sluice/observability';
import { createLifecycle, type HealthCheck, healthRoutes, json, route, startHealthMonitor } from '../src/index.ts';
import { openSocket, rawExchange } from '../testing/raw-exchange.ts';
import { type Body, endless, GET, serveStream } from '../testing/serve-stream.ts';
import { operation, startApp } from '../testing/start-app.ts';

const PROBE_MS = 200;
const CUT_MS = 2_000;
const LATE_MS = 800;

const hung: HealthCheck = () => new Promise(() => undefined);

/** Median time of five runs in milliseconds. */
async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY;
}

it('responds to every probe within 200 ms while all back ends hang', async () => {
  const lifecycle = createLifecycle();
  const log = createLogger({ service: 'test', level: 'silent' });
  await using monitor = await startHealthMonitor({ checks: { postgres: hung, engine: hung }, log, everyMs: 20 });
  const routes = healthRoutes({ operations: streamOperations, service: 'stream-host', monitor, lifecycle });
  const tenants = { find: () => new Promise<never>(() => undefined) };
  await using started = await startApp({ routes, lifecycle, tenants });
  const { port } = started.server;
  for (const path of ['/', '/health', '/live', '/ready']) {
    const get = async () => (await fetch(started.address(path))).arrayBuffer();
    expect([path, (await medianMs(get)) < PROBE_MS]).toEqual([path, true]);
  }
  const withHost = 'GET /health HTTP/1.1\r\nHost: acme-stream.d\r\nConnection: close\r\n\r\n';
  expect(await medianMs(() => rawExchange(port, withHost))).toBeLessThan(PROBE_MS);
});

describe('a drain', () => {
  it('cuts a request that ignores the abort within 2 s', async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const held = route(operation({ id: 'held', path: '/held' }), async () => {
      await gate;
      return json(200, {});
    });
    const started = await startApp({ routes: [held] });
    const rejected = expect(fetch(started.address('/held'))).rejects.toThrow();
    while (started.app.running.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const begun = performance.now();
    await started.server.drain({ delayMs: 0, graceMs: 50, cutMs: 100 });
    expect(performance.now() - begun).toBeLessThan(CUT_MS);
    await rejected;
    finish();
  });
});

describe('a stream that its client does not read', () => {
  it('is cut 0.8 s after the stall time at the latest, although the kernel accepted a part of the last write', async () => {
    const stallMs = 1_000;
    let lastMs = 0;
    const counted: Body = async function* (signal, life) {
      for await (const chunk of endless(signal, life)) {
        lastMs = performance.now();
        yield chunk;
      }
    };
    const { started, released } = await serveStream(counted, { stallMs });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    await released;
    expect(performance.now() - lastMs).toBeLessThan(stallMs + LATE_MS);
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
  });
});
