import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createApp } from '@sluice/http';
import { createEvents, createLogger, createMetrics } from '@sluice/observability';
import { openHost, STOP_TIMEOUT_MS } from './open-host.ts';
import { createResourceStack } from './resource-stack.ts';

const unused = (): never => {
  throw new ProblemError('not_found', 'This test sends no requests.');
};

async function openTestHost() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  const metrics = createMetrics('test');
  const resources = createResourceStack();
  const app = createApp({
    routes: [],
    authenticator: { authenticate: unused },
    tenants: { find: unused },
    tenantHostSuffix: 'stream.*',
    allowedOrigins: () => false,
    onDenied: unused,
    log,
    metrics,
  });
  const host = await openHost({
    app,
    settings: {
      listenHost: '127.0.0.1',
      port: 0,
      connectionsMax: 10,
      metricsHost: '127.0.0.1',
      metricsPort: undefined,
      drainDelayMs: 0,
      drainGraceMs: 0,
    },
    events: createEvents({ log, metrics }),
    log,
    metrics,
    warnings: [],
    resources,
    stopTimeoutMs: 100,
  });
  return { host, resources, eventsLogged: () => lines.map(({ event }) => event) };
}

describe('a stopped host', () => {
  it('abandons resources that do not close before its deadline, however many they are', async () => {
    const { host, resources, eventsLogged } = await openTestHost();
    for (let hung = 0; hung < 3; hung += 1)
      resources.add({ [Symbol.asyncDispose]: () => new Promise(() => undefined) });
    await host.drain();
    expect(eventsLogged()).toContain('stop_incomplete');
    await expect(fetch(host.url)).rejects.toThrow('fetch failed');
  });

  it('reports a resource that fails to close, and nothing when all have closed', async () => {
    const failing = await openTestHost();
    failing.resources.add({ [Symbol.asyncDispose]: () => Promise.reject(new Error('x')) });
    await expect(failing.host.drain()).rejects.toThrow('Not everything could be closed.');
    const sound = await openTestHost();
    await sound.host.drain();
    expect([...failing.eventsLogged(), ...sound.eventsLogged()]).not.toContain('stop_incomplete');
  });

  it('gets its time from the documents, the chart and the compose file', () => {
    const textOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
    const seconds = STOP_TIMEOUT_MS / 1_000;
    expect(textOf('docs/operations.md')).toContain(`\`DRAIN_DELAY\` + \`DRAIN_GRACE\` + ${seconds} s`);
    expect(textOf('deploy/helm/sluice/templates/_pod.tpl')).toContain(`.Values.drain.graceSeconds ${seconds} -}}`);
    expect(textOf('deploy/helm/sluice/templates/_validate.tpl')).toContain(`$drain.graceSeconds }} + ${seconds})`);
    expect(textOf('deploy/helm/sluice/values.yaml')).toContain(`graceSeconds + ${seconds}. A smaller value`);
    expect(textOf('deploy/helm/checks/manifest-rules.mjs')).toContain(`>= drain + ${seconds},`);
    const periods = [...textOf('docker-compose.yml').matchAll(/stop_grace_period: (\d+)s/g)].map(([, one]) =>
      Number(one),
    );
    expect(periods).toEqual([20 + seconds, 20 + seconds]); // the defaults of DRAIN_DELAY and DRAIN_GRACE are 5 s and 15 s
  });
});
