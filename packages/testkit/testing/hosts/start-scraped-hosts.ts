import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResourceStack } from '@sluice/host-runtime';
import { reservePort } from '@sluice/testkit';
import { writeFastRules } from './alert-rules.ts';
import type { Settings } from './host-environment.ts';
import { type ChildHost, startApiChildHost, startChildHost } from './start-built-host.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';
import { startPrometheus, type TestPrometheus } from './start-prometheus.ts';

export interface ScrapedHosts extends AsyncDisposable {
  /** Accounts, the database, and a proxy between the stream host and PostgreSQL. Its own API host is closed; its stream host is not scraped. */
  readonly hosts: TestHosts;
  readonly prometheus: TestPrometheus;
  readonly apiUrl: string;
  readonly stream: ChildHost;
  /** URLs of `/metrics` of both hosts. */
  readonly metricsUrls: readonly string[];
  /** A second stream host, which a test may kill, stop and start again on the same ports. */
  readonly victim: RestartableHost;
}

export interface RestartableHost {
  current(): ChildHost;
  /** Kills the process without a chance to clean up. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

async function createVictim(hosts: TestHosts, settings: Settings): Promise<RestartableHost> {
  // It does not use the proxy, so that only the other stream host loses its database.
  const environment = { ...hosts.environment, DATABASE_URL: hosts.testDatabase.streamUrl, CONNECTIONS_MAX: '10' };
  const start = () => startChildHost({ environment }, settings);
  let host = await start();
  return {
    current: () => host,
    kill: () => host.kill(),
    async start() {
      host = await start();
    },
  };
}

/** Starts an API host and two stream hosts in processes of their own, and a Prometheus that scrapes them and evaluates the alerts. */
export async function startScrapedHosts(): Promise<ScrapedHosts> {
  const resources = createResourceStack();
  const hosts = resources.add(await startHosts({ DATABASE_CONNECTIONS: '3', WORKERS_MAX: '2', QUEUE_TIMEOUT: '60s' }));
  const ports = await Promise.all([reservePort(), reservePort(), reservePort()]);
  const [metricsOfApi, metricsOfStream, metricsOfVictim] = ports.map((port) => ({ METRICS_PORT: String(port) }));
  const api = await startApiChildHost({ environment: hosts.apiEnvironment }, metricsOfApi);
  // A second sealer may notice changes first, and nothing scrapes its metrics.
  await hosts.api[Symbol.asyncDispose]();
  const keys = { JWKS_URL: `${api.url}/.well-known/jwks.json` };
  const [stream, victim] = await Promise.all([
    startChildHost(hosts, { ...keys, ...metricsOfStream }),
    createVictim(hosts, { ...keys, ...metricsOfVictim }),
  ]);
  resources.add({
    async [Symbol.asyncDispose]() {
      await Promise.all([api.kill(), stream.kill(), victim.kill()]);
    },
  });
  const rules = join(tmpdir(), `sluice-alerts-${ports[0]}.yaml`);
  await writeFastRules(rules);
  resources.add({ [Symbol.asyncDispose]: () => rm(rules, { force: true }) });
  const prometheus = resources.add(await startPrometheus({ ports, rules: [rules] }));
  return {
    hosts,
    prometheus,
    apiUrl: api.url,
    stream,
    metricsUrls: ports.map((port) => `http://127.0.0.1:${port}/metrics`),
    victim,
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
