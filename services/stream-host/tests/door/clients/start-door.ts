import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@sluice/client';
import { createResourceStack } from '@sluice/host-runtime';
import { until } from '@sluice/testkit';
import { startHosts, type TestedEngine, type TestHosts, TRINO_URL } from '@sluice/testkit/hosts';
import { DUCKDB_CATALOG, makeDuckDbTables, makeTrinoTables, SCHEMA, TRINO_CATALOG } from './client-tables.ts';
import type { ClientTarget } from './client-target.ts';
import { startTlsProxy } from './start-tls-proxy.ts';

export interface Door extends AsyncDisposable {
  readonly hosts: TestHosts;
  /** Uses TLS. */
  readonly target: ClientTarget;
  /** The host itself, which takes passwords from loopback. */
  readonly plainTarget: ClientTarget;
}

interface DoorOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Returns the address of a proxy in front of the host, behind TLS. Default: none. */
  readonly between?: (url: string) => Promise<string>;
}

async function settingsOf(engine: TestedEngine, folder: string): Promise<Readonly<Record<string, string>>> {
  if (engine === 'trino') return { ENGINE_URL: TRINO_URL, ENGINE_CATALOGS: TRINO_CATALOG, ENGINE_SCHEMA: SCHEMA };
  const path = await makeDuckDbTables(folder);
  return { DUCKDB_CATALOGS: `${DUCKDB_CATALOG}=${path}`, DUCKDB_DEFAULT_SCHEMA: `${DUCKDB_CATALOG}.${SCHEMA}` };
}

/** A client whose own limit of time is ignored then fails, and does not hang. */
const LIMITS = { QUERY_TIME: '20s' };

/** Descriptions of a user, which are the comments of `client-tables.ts` on Trino. */
const DESCRIBED = {
  description: 'Nations of the world',
  fields: [{ name: 'n_name', description: 'Its name, in capitals' }],
};

/** Mirrors the tables of the engine, and describes one of them. */
async function mirrorTables(hosts: TestHosts, catalog: string): Promise<void> {
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward', 'analyst'] });
  const urls = { streamUrl: hosts.url, apiUrl: hosts.api.url };
  const { api } = createClient({ tenant: hosts.acme.name, ...urls, auth: { email, password } });
  await api.startHarvest();
  await until(async () => ((await api.listHarvests()).data[0]?.state === 'FINISHED' ? true : undefined), {
    what: 'the harvest',
  });
  const table = { type: 'TABLE' as const, id: `${catalog}.${SCHEMA}.nation`, ...DESCRIBED };
  await api.importMetadata({ body: { metadata_objects: [table] } });
}

/** Starts both hosts with the door, and with the tables of the clients in the engine of acme. */
export async function startDoor(engine: TestedEngine, { settings = {}, between }: DoorOptions = {}): Promise<Door> {
  const resources = createResourceStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-door-'));
    resources.add({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
    if (engine === 'trino') resources.add(await makeTrinoTables(TRINO_URL));
    const ofEngine = await settingsOf(engine, folder);
    const kept = {
      RESULT_FOLDER: join(folder, 'results'),
      RESULT_KEY: randomBytes(32).toString('base64'),
      RESULT_KEEP_MAX: '24h',
    };
    const all = { ...kept, ...ofEngine, TRINO_DOOR: 'true', TRUSTED_PROXIES: 'loopback', ...LIMITS, ...settings };
    const hosts = resources.add(await startHosts(all, { engine, isHarvested: true, apiSettings: ofEngine }));
    const tls = resources.add(await startTlsProxy([(await between?.(hosts.url)) ?? hosts.url], folder));
    const { email: user, password } = hosts.ann;
    const catalog = engine === 'trino' ? TRINO_CATALOG : DUCKDB_CATALOG;
    await mirrorTables(hosts, catalog);
    const account = { user, password, catalog, schema: SCHEMA };
    return {
      hosts,
      target: { ...account, url: tls.url, authority: tls.authority },
      plainTarget: { ...account, url: hosts.url },
      [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
    };
  } catch (error) {
    await resources[Symbol.asyncDispose]();
    throw error;
  }
}
