import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tenant } from '@sluice/contract';
import { createResourceStack, type RunningHost } from '@sluice/host-runtime';
import { startRedis, type TestRedis } from '@sluice/shared-state/testing';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import {
  type AccountBuilders,
  type BuiltUser,
  createAccountBuilders,
  createTestDatabase,
  send,
  until,
} from '@sluice/testkit';
import { createShopDatabase } from './create-shop-database.ts';
import { type Settings, streamEnvironment } from './host-environment.ts';
import { createTestLog, startTestApi, type TestApi } from './start-test-api.ts';

export interface Replicas extends AsyncDisposable {
  readonly redis: TestRedis;
  readonly apis: readonly [RunningHost, RunningHost];
  readonly streams: readonly [StreamHost, StreamHost];
  /** URLs of the stream hosts. */
  readonly urls: readonly [string, string];
  readonly apiUrl: string;
  readonly build: AccountBuilders;
  readonly acme: Tenant;
  /** An analyst of acme. */
  readonly ann: BuiltUser;
  /** Environment of the stream hosts, to start another one. */
  readonly environment: Settings;
  /** Environment of the API hosts, to start another one. */
  readonly apiEnvironment: Settings;
  /** All log lines of the hosts. */
  readonly logLines: string[];
  /** Waits until all hosts are ready. Rejects after `withinMs`. */
  untilReady(withinMs: number): Promise<void>;
}

/** Starts two API hosts and two stream hosts with one PostgreSQL and one Redis, and the tenant acme. */
export async function startReplicas(settings: Settings = {}): Promise<Replicas> {
  const resources = createResourceStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-replicas-'));
  resources.add({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  const database = resources.add(await createTestDatabase());
  const redis = resources.add(await startRedis());
  const { log, lines: logLines } = createTestLog();
  const shared = { REDIS_URL: redis.url, SLUICE_MASTER_KEY: randomBytes(32).toString('base64') };
  const startApi = async (): Promise<TestApi> => {
    const api = await startTestApi(database, shared, { log });
    resources.add(api.host);
    return api;
  };
  const [firstApi, secondApi] = [await startApi(), await startApi()];
  const apis = [firstApi.host, secondApi.host] as const;
  const environment = streamEnvironment(database.streamUrl, apis[0].url, {
    REDIS_URL: redis.url,
    DUCKDB_CATALOGS: `shop=${await createShopDatabase(folder)}`,
    DUCKDB_DEFAULT_SCHEMA: 'shop.main',
    WORKERS_MAX: '8',
    WORKERS_WARM: '1',
    ...settings,
  });
  const startStream = async (): Promise<StreamHost> =>
    resources.add(await startStreamHost({ environment, overrides: { log } }));
  const streams = [await startStream(), await startStream()] as const;
  const build = resources.add(createAccountBuilders(database.apiUrl));
  const acme = await build.tenant({ name: 'acme' });
  const urls = [streams[0].url, streams[1].url] as const;
  const untilReady = async (withinMs: number): Promise<void> => {
    const all = [...apis, ...streams].map(({ url }) => `${url}/ready`);
    await until(
      async () => {
        const answers = await Promise.all(all.map((url) => send(url)));
        return answers.every(({ status }) => status === 200) ? true : undefined;
      },
      { what: 'the readiness of all hosts', withinMs },
    );
  };
  await untilReady(20_000);
  return {
    redis,
    apis,
    streams,
    urls,
    apiUrl: database.apiUrl,
    build,
    acme,
    ann: await build.user(acme),
    environment,
    apiEnvironment: firstApi.environment,
    logLines,
    untilReady,
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
