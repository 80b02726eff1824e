import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { apiOperations, ProblemError, streamOperations } from '@sluice/contract';
import { createLogger } from '@sluice/observability';
import { until } from '@sluice/testkit';
import { rawExchange } from '../../testing/raw-exchange.ts';
import { type Started, startApp } from '../../testing/start-app.ts';
import { createLifecycle, type HealthCheck, healthRoutes, startHealthMonitor } from '../index.ts';

const EVERY_MS = 20;

async function startHealth(checks: Record<string, HealthCheck>, options: Partial<Parameters<typeof startApp>[0]> = {}) {
  const lifecycle = createLifecycle();
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const monitor = await startHealthMonitor({ checks, log, everyMs: EVERY_MS });
  const routes = healthRoutes({ operations: streamOperations, service: 'stream-host', monitor, lifecycle });
  const app = await startApp({ routes, lifecycle, ...options });
  const started: Started = {
    ...app,
    [Symbol.asyncDispose]: async () => {
      await monitor[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
  return { started, lifecycle, lines };
}

const up: HealthCheck = async () => undefined;
const down: HealthCheck = async () => {
  throw new Error('connection refused by db-7.internal');
};
const hung: HealthCheck = () => new Promise(() => undefined);

const answer = async (address: string): Promise<[number, unknown]> => {
  const response = await fetch(address);
  return [response.status, await response.json()];
};

/** The response once it has the status. */
const answerOf = async (status: number, address: string) => {
  const found = await answer(address);
  return found[0] === status ? found : undefined;
};

describe('healthRoutes', () => {
  it('reports ok and ready while every back end responds', async () => {
    const { started } = await startHealth({ postgres: up });
    await using _ = started;
    const ok = [200, { status: 'ok', service: 'stream-host' }];
    expect(await answer(started.address('/'))).toEqual(ok);
    expect(await answer(started.address('/health'))).toEqual(ok);
    expect(await answer(started.address('/ready'))).toEqual([
      200,
      { status: 'ready', service: 'stream-host', checks: { postgres: 'ok' } },
    ]);
    expect((await fetch(started.address('/health'), { method: 'HEAD' })).status).toBe(200);
  });

  it('reports degraded, live and not ready while a back end is down or hangs, without the reason', async () => {
    const { started } = await startHealth({ postgres: down, engine: hung, other: up });
    await using _ = started;
    expect(await answer(started.address('/health'))).toEqual([200, { status: 'degraded', service: 'stream-host' }]);
    expect(await answer(started.address('/ready'))).toEqual([
      503,
      {
        status: 'not_ready',
        service: 'stream-host',
        checks: { postgres: 'down', engine: 'down', other: 'ok' },
      },
    ]);
  });

  it('logs each reason of an outage once, and the recovery', async () => {
    let reason: string | undefined = 'The schema lacks 0002-accounts.';
    const failing: HealthCheck = async () => {
      if (reason !== undefined) throw new ProblemError('service_unavailable', reason);
    };
    const { started, lines } = await startHealth({ postgres: failing, other: up });
    await using _ = started;
    const untilLogged = async (count: number): Promise<unknown> => {
      while (lines.length < count) {
        const answers = await Promise.all(['/', '/health', '/ready'].map((path) => answer(started.address(path))));
        expect(JSON.stringify(answers)).not.toMatch(/schema|security/);
      }
      const { event, check, err } = JSON.parse(lines.at(-1) ?? '') as Record<string, { message?: string }>;
      return [event, check, err?.message];
    };
    expect(await untilLogged(1)).toEqual(['back_end_down', 'postgres', reason]);
    reason = 'The role is above row-level security.';
    expect(await untilLogged(2)).toEqual(['back_end_down', 'postgres', reason]);
    reason = undefined;
    expect(await untilLogged(3)).toEqual(['back_end_up', 'postgres', undefined]);
  });

  it('checks back ends in the background, independent of the number of probes', async () => {
    let asked = 0;
    const counting: HealthCheck = async () => void asked++;
    const lifecycle = createLifecycle();
    const log = createLogger({ service: 'test', level: 'silent' });
    await using monitor = await startHealthMonitor({ checks: { postgres: counting }, log, everyMs: 3_600_000 });
    const routes = healthRoutes({ operations: streamOperations, service: 'stream-host', monitor, lifecycle });
    await using started = await startApp({ routes, lifecycle });
    for (const path of ['/', '/health', '/live', '/ready']) {
      await Promise.all(Array.from({ length: 20 }, () => fetch(started.address(path))));
    }
    expect(asked).toBe(1);
  });

  it('reports a back end as down when its last result is too old, although that result was ok', async () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    await using monitor = await startHealthMonitor({
      checks: { postgres: up },
      log,
      everyMs: 3_600_000,
      staleAfterMs: 300,
    });
    await until(async () => (monitor.results()['postgres'] === 'down' ? true : undefined), {
      what: 'the end of the last result',
    });
    await using fresh = await startHealthMonitor({ checks: { postgres: up }, log, everyMs: 3_600_000 });
    expect(fresh.results()).toEqual({ postgres: 'ok' });
  });

  it('responds to every probe while all back ends hang', async () => {
    // They never respond, and neither would a probe that waits for them.
    const tenants = { find: () => new Promise<never>(() => undefined) };
    const { started } = await startHealth({ postgres: hung, engine: hung }, { tenants });
    await using _ = started;
    for (const path of ['/', '/health', '/live', '/ready']) {
      expect([path, (await fetch(started.address(path))).status]).toEqual([path, path === '/ready' ? 503 : 200]);
    }
    // The tenant of the host name cannot be looked up.
    const { status } = await rawExchange(
      started.server.port,
      'GET /health HTTP/1.1\r\nHost: acme-stream.d\r\nConnection: close\r\n\r\n',
    );
    expect(status).toBe(200);
  });

  it('returns 503 while draining, except on `/live` and `/`', async () => {
    const { started, lifecycle } = await startHealth({ postgres: up });
    await using _ = started;
    for (const state of ['draining', 'refusing'] as const) {
      lifecycle.moveTo(state);
      expect(await answer(started.address('/health'))).toEqual([503, { status: 'draining', service: 'stream-host' }]);
      const ready = await fetch(started.address('/ready'));
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await fetch(started.address('/health'))).headers.get('retry-after')).toBe('1');
      expect(await answer(started.address('/live'))).toEqual([200, { status: 'ok', service: 'stream-host' }]);
      expect(await answer(started.address('/'))).toEqual([200, { status: 'draining', service: 'stream-host' }]);
    }
  });

  it('does not depend on the tenant store, unlike other requests', async () => {
    const tenants = {
      find: () => Promise.reject(new ProblemError('service_unavailable', 'The store does not answer.')),
    };
    const { started } = await startHealth({ postgres: down }, { tenants });
    await using _ = started;
    const get = (path: string) =>
      rawExchange(started.server.port, `GET ${path} HTTP/1.1\r\nHost: acme-stream.d\r\nConnection: close\r\n\r\n`);
    expect((await get('/health')).status).toBe(200);
    const other = await get('/nosuch');
    expect([other.status, other.headers['retry-after']]).toEqual([503, '1']);
  });

  it('returns 503 while all threads of the pool are blocked', async () => {
    const { started } = await startHealth({});
    await using _ = started;
    // Opening a pipe for reading holds a thread until somebody opens it for writing; a timer would not notice.
    const folder = await mkdtemp(join(tmpdir(), 'sluice-http-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const stuck = Array.from({ length: 4 }, () => open(pipe, 'r'));
    for (const path of ['/health', '/live']) {
      const [, body] = await until(() => answerOf(503, started.address(path)), { what: path });
      expect(body).toMatchObject({ error: 'service_unavailable' });
    }
    const writer = openSync(pipe, 'r+');
    for (const handle of await Promise.all(stuck)) await handle.close();
    closeSync(writer);
    for (const path of ['/health', '/live']) {
      await until(() => answerOf(200, started.address(path)), { what: path });
    }
    await rm(folder, { recursive: true });
  });

  it('has the same operations on both hosts', () => {
    expect(apiOperations.health.path).toBe(streamOperations.health.path);
    expect(apiOperations.ready.path).toBe(streamOperations.ready.path);
    expect(apiOperations.live.path).toBe(streamOperations.live.path);
  });
});
