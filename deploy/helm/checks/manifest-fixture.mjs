/** Back ends and values for the processes of the rendered chart. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, startPostgres } from '@sluice/embedded/postgres';
import { createResourceStack } from '@sluice/host-runtime';
import { createCluster } from './manifest-cluster.mjs';
import { objectsIn, template } from './render-chart.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const DOMAIN = 'data.example.com';
export const TENANTS = ['acme', 'globex'];
const keyOf = (byte) => Buffer.alloc(32, byte).toString('base64');
/** The Secret of the keys. */
export const KEYS = { 'master-key': keyOf(1), 'audit-name-key': keyOf(2) };

/** A statement with a known result, one that runs for hours, and the values of the chart. */
export const duckdb = {
  values: { duckdb: { catalogs: ['sales=/data/sales.duckdb'], defaultSchema: 'sales.main' } },
  sql: 'SELECT sum(amount) AS total FROM orders',
  result: /999000/,
  longSql: 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE hash(a.range + b.range) = 0',
};
export const trinoAt = (url) => ({
  values: { url, catalogs: ['tpch'], schema: 'tiny' },
  sql: 'SELECT count(*) AS total FROM orders',
  result: /15000/,
  longSql: 'SELECT count(*) FROM tpch.sf1000.lineitem a CROSS JOIN tpch.sf1000.lineitem b',
});

/**
 * Starts PostgreSQL and Redis, renders the chart, and calls `use` with a cluster of it, an empty folder and the server. Everything ends with
 * it.
 * @param options.trees - folders with the files of the images, by host
 * @param options.directories - working directories of the hosts in their images, by host
 * @param options.values - more values of the chart; objects of both hosts are merged
 */
export async function withCluster({ trees, directories, engine, values }, use) {
  const resources = createResourceStack();
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-manifests-'));
  resources.add({ [Symbol.asyncDispose]: async () => rmSync(scratch, { recursive: true, force: true }) });
  // The users of PostgreSQL and of the containers reach their folders in it.
  chmodSync(scratch, 0o755);
  try {
    const { secrets, databaseServer } = await startBackEnds(scratch, resources);
    const objects = await renderCluster(scratch, engine, values);
    const cluster = resources.add(await createCluster({ objects, trees, directories, secrets, scratch }));
    await use(cluster, { scratch, resources, databaseServer });
  } finally {
    await resources[Symbol.asyncDispose]();
  }
}

/** Starts PostgreSQL and Redis, and returns the database server and the Secrets that name both. */
async function startBackEnds(scratch, resources) {
  const server = resources.add(
    await startPostgres({
      folder: join(scratch, 'postgres'),
      secrets: { superuserPassword: 'superuser', ownerPassword: 'owner' },
      durability: 'none',
      announce: (line) => process.stdout.write(`${line}\n`),
    }),
  );
  const { status } = spawnSync(process.execPath, [join(ROOT, 'deploy/components/redis.mjs'), 'install'], {
    stdio: 'inherit',
  });
  assert.equal(status, 0, 'Redis is not installed');
  const port = await findFreePort();
  const redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--requirepass', 'redis'],
    {
      stdio: 'ignore',
      cwd: scratch,
    },
  );
  const ended = once(redis, 'exit');
  resources.add({
    async [Symbol.asyncDispose]() {
      redis.kill('SIGKILL');
      await ended;
    },
  });
  const secrets = {
    'sluice-database': {
      'owner-url': server.ownerUrl,
      'api-url': server.urlOf({ role: 'sluice_api', password: 'api' }),
      'stream-url': server.urlOf({ role: 'sluice_stream', password: 'stream' }),
    },
    'sluice-redis': { 'redis-url': `redis://:redis@127.0.0.1:${port}/0` },
    'sluice-keys': KEYS,
  };
  return { secrets, databaseServer: server };
}

/** Renders the chart for two tenants and returns its objects. */
async function renderCluster(scratch, engine, { apiHost = {}, streamHost = {}, ...others } = {}) {
  const data = join(scratch, 'data');
  mkdirSync(data);
  await writeDatabase(join(data, 'sales.duckdb'));
  const mounts = {
    extraVolumes: [{ name: 'data', hostPath: { path: data } }],
    extraVolumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true }],
    workers: { max: 2 },
  };
  const values = {
    domain: DOMAIN,
    tenants: TENANTS.map((name) => ({ name })),
    database: { existingSecret: 'sluice-database' },
    redis: { existingSecret: 'sluice-redis' },
    secrets: { existingSecret: 'sluice-keys' },
    engine: engine.values,
    trustedProxies: ['127.0.0.0/8'],
    gateway: { enabled: true, parentRefs: [{ name: 'public' }] },
    drain: { preStopSeconds: 1, delaySeconds: 5, graceSeconds: 2 },
    ...others,
    apiHost: { ...mounts, ...apiHost },
    streamHost: { ...mounts, ...streamHost },
  };
  const file = join(scratch, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  const { status, stdout, stderr } = template([file]);
  assert.equal(status, 0, stderr);
  return objectsIn(stdout);
}

async function writeDatabase(file) {
  const { resolve } = createRequire(join(ROOT, 'packages/engine/package.json'));
  const { DuckDBInstance } = await import(resolve('@duckdb/node-api'));
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE orders AS SELECT range AS id, range * 2 AS amount FROM range(1000)');
  connection.closeSync();
  instance.closeSync();
}
