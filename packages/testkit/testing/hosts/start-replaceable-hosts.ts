import { randomBytes } from 'node:crypto';
import { startApiHost } from '@sluice/api-host';
import type { Tenant } from '@sluice/contract';
import { createResourceStack, type RunningHost } from '@sluice/host-runtime';
import { startStreamHost } from '@sluice/stream-host';
import {
  type AccountBuilders,
  type BuiltUser,
  createAccountBuilders,
  createTestDatabase,
  SuperuserRows,
  type TestDatabase,
} from '@sluice/testkit';
import { type Balancer, startBalancer } from './balancer.ts';
import { apiEnvironment, type Settings, streamEnvironment } from './host-environment.ts';
import { type SmallLoad, startSmallLoad } from './small-load.ts';
import { createTestLog, PASSWORD_COSTS } from './start-test-api.ts';

type Changes = Readonly<Record<string, string | undefined>>;

const changeSettings = (before: Settings, changes: Changes): Settings =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Two API hosts and a stream host behind stable addresses, which are replaced without a pause, as a rolling update does. */
export interface ReplaceableHosts extends AsyncDisposable {
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly database: TestDatabase;
  readonly build: AccountBuilders;
  readonly acme: Tenant;
  readonly ann: BuiltUser;
  /** Settings of the API hosts that run now. */
  apiSettings(): Settings;
  /** Log lines of all hosts. */
  readonly logLines: readonly string[];
  /** Replaces one API host after the other. The load goes on meanwhile. An undefined setting is removed. */
  replaceApis(settings: Changes): Promise<void>;
  replaceStream(settings: Changes): Promise<void>;
  startLoad(): SmallLoad;
  /** Lets the requests of another load end before a host stops. */
  holdFor(load: SmallLoad): void;
  /** Rows read as superuser, without row-level security. */
  rows<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
}

interface Replaceable {
  readonly balancer: Balancer;
  readonly start: (settings: Settings) => Promise<RunningHost>;
  hosts: readonly RunningHost[];
}

/** Takes a host out of its service, and stops it when its requests have ended. */
async function retire(old: RunningHost, load: SmallLoad | undefined): Promise<void> {
  await load?.settled();
  await old[Symbol.asyncDispose]();
}

async function replaceEach(group: Replaceable, settings: Settings, load: SmallLoad | undefined): Promise<void> {
  for (const old of group.hosts) {
    const next = await group.start(settings);
    group.hosts = [...group.hosts.filter((host) => host !== old), next];
    group.balancer.pointTo(...group.hosts.map(({ url }) => url));
    await retire(old, load);
  }
}

interface ReplaceableHostsOptions {
  /** Settings of the API hosts. */
  readonly settings?: Settings;
  readonly streamSettings?: Settings;
}

export async function startReplaceableHosts({
  settings = {},
  streamSettings: givenStreamSettings = {},
}: ReplaceableHostsOptions = {}): Promise<ReplaceableHosts> {
  const resources = createResourceStack();
  const database = resources.add(await createTestDatabase());
  const superuser = resources.add(new SuperuserRows(database.superuserUrl));
  const { log, lines: logLines } = createTestLog();
  const nameKey = { AUDIT_NAME_KEY: randomBytes(32).toString('base64') };
  let apiSettings = apiEnvironment(database.apiUrl, { ...nameKey, ...settings });
  const apis: Replaceable = {
    balancer: resources.add(await startBalancer()),
    start: (environment) => startApiHost({ environment, overrides: { log, passwordCosts: PASSWORD_COSTS } }),
    hosts: [],
  };
  let streamSettings = streamEnvironment(database.streamUrl, apis.balancer.url, {
    ...nameKey,
    WORKERS_MAX: '4',
    WORKERS_WARM: '0',
    WORKERS_WARM_PER_TENANT: '1',
    ...givenStreamSettings,
  });
  const streams: Replaceable = {
    balancer: resources.add(await startBalancer()),
    start: (environment) => startStreamHost({ environment, overrides: { log } }),
    hosts: [],
  };
  resources.add({
    async [Symbol.asyncDispose]() {
      for (const host of [...streams.hosts, ...apis.hosts]) await host[Symbol.asyncDispose]();
    },
  });
  const begin = async (group: Replaceable, environment: Settings, count: number): Promise<void> => {
    for (let started = 0; started < count; started += 1) group.hosts = [...group.hosts, await group.start(environment)];
    group.balancer.pointTo(...group.hosts.map(({ url }) => url));
  };
  await begin(apis, apiSettings, 2);
  await begin(streams, streamSettings, 1);
  const build = resources.add(createAccountBuilders(database.apiUrl));
  const acme = await build.tenant({ name: 'acme' });
  const ann = await build.user(acme);
  let load: SmallLoad | undefined;
  const loads: SmallLoad[] = [];
  // A test that failed has not stopped its load.
  resources.add({
    async [Symbol.asyncDispose]() {
      await Promise.all(loads.map((each) => each.stop()));
    },
  });
  return {
    apiUrl: apis.balancer.url,
    streamUrl: streams.balancer.url,
    database,
    build,
    acme,
    ann,
    logLines,
    apiSettings: () => apiSettings,
    replaceApis(changed) {
      apiSettings = changeSettings(apiSettings, changed);
      return replaceEach(apis, apiSettings, load);
    },
    replaceStream(changed) {
      streamSettings = changeSettings(streamSettings, changed);
      return replaceEach(streams, streamSettings, load);
    },
    startLoad() {
      load = startSmallLoad({ apiUrl: apis.balancer.url, streamUrl: streams.balancer.url, user: ann });
      loads.push(load);
      return load;
    },
    holdFor(other) {
      load = other;
      loads.push(other);
    },
    rows: (text, values) => superuser.rows(text, values),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
