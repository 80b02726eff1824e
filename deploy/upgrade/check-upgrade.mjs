/**
 * Upgrades two replicas of each host under load, from an earlier version to this one: `npm run test:upgrade [-- --from COMMIT]
 * [--report FILE]`. The hosts run as the rendered Helm chart says, on a real PostgreSQL and a real Redis. `--report` writes
 * `{ passed, failed, failures, notChecked }`. The last line is "N passed, N failed".
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeNewSchema, describeSchema } from './describe-schema.mjs';
import { buildEarlierVersion, commitBefore, MissingHistoryError } from './earlier-version.mjs';
import '../../packages/testkit/jest/native/register.mjs';

// They import the sources of packages, which only a process with the hooks can load.
const { migrate } = await import('@sluice/store/schema');
const { until } = await import('@sluice/testkit');
const { duckdb, TENANTS, withCluster } = await import('../helm/checks/manifest-fixture.mjs');
const { basic, createTenants, emailOf, hostOf } = await import('../helm/checks/manifest-tenants.mjs');
const { startLoad } = await import('../proxies/checks/load.mjs');
const { signIn } = await import('../proxies/checks/proxied-cluster.mjs');
const { fetchText } = await import('../proxies/checks/tls-client.mjs');
const { createServiceClient } = await import('./service-client.mjs');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The baseline of the schema. The version before it, whose database is adopted, is upgraded. */
const FIRST_FILE = 'packages/store/src/migrations/0040-baseline.ts';
/** Requests of the old version, before the migration starts. */
const REQUESTS_BEFORE = 300;
const REQUESTS_MIN = 2000;
const DIRECTORIES = { 'api-host': '/sluice/services/api-host', 'stream-host': '/sluice/services/stream-host' };
/** A busy machine delays PostgreSQL and workers, which is not the subject here. */
const LONG_TIMEOUTS = [
  { name: 'DATABASE_TIMEOUT', value: '30s' },
  { name: 'QUEUE_TIMEOUT', value: '60s' },
];
const VALUES = {
  drain: { preStopSeconds: 1, delaySeconds: 8, graceSeconds: 2 },
  // The load signs in more often than that.
  apiHost: { extraEnv: [...LONG_TIMEOUTS, { name: 'SESSIONS_PER_ACCOUNT', value: '1000' }] },
  streamHost: {
    extraEnv: [
      ...LONG_TIMEOUTS,
      { name: 'WORKER_THREADS', value: '1' },
      { name: 'TENANT_SLOTS_PERCENT', value: '100' },
    ],
  },
};

const { values: options } = parseArgs({
  options: { from: { type: 'string' }, report: { type: 'string' } },
});
const counts = { passed: 0, failed: 0, failures: [], notChecked: [] };
const startedAt = performance.now();
const announce = (what) => process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${what}\n`);

async function check(name, test) {
  try {
    await test();
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    counts.failures.push(`${name}: ${error.message}`);
    process.stderr.write(`FAILED: ${name}\n${error.stack}\n`);
  }
}

/** Starts two replicas of each host. */
async function startAll(cluster) {
  const start = (host) => Promise.all([cluster.startReplica(host, 0), cluster.startReplica(host, 1)]);
  const [api, stream] = await Promise.all([start('api-host'), start('stream-host')]);
  return { 'api-host': api, 'stream-host': stream };
}

/** Replaces the replicas of a host one after the other, as a Deployment with `maxUnavailable: 0` does. */
async function rollOut(cluster, host, pods) {
  // The new pods get the free address, and then that of the pod before.
  let free = 2;
  for (const [index, old] of pods[host].entries()) {
    pods[host][index] = await cluster.startReplica(host, free);
    const { code } = await old.drain();
    assert.equal(code, 0, old.output());
    announce(`replica ${index + 1} of the ${host} is replaced`);
    free = index;
  }
}

/** Upgrades to the files in `trees`, which the caller has changed: the migration first, as Helm does before it changes Deployments. */
async function upgrade(cluster, pods) {
  process.stdout.write(await cluster.migrate());
  announce('the database is migrated');
  await Promise.all([rollOut(cluster, 'api-host', pods), rollOut(cluster, 'stream-host', pods)]);
}

/** Records the size and the hash of each result that a client got whole, by query id. */
function createResults() {
  const results = new Map();
  return {
    results,
    note(kind, tenant, { headers, text }) {
      if (kind !== 'query') return;
      const sha256 = createHash('sha256').update(text).digest('hex');
      results.set(headers['x-query-id'], { tenant, bytes: Buffer.byteLength(text), sha256 });
    },
  };
}

async function checkResults(client, results) {
  assert.ok(results.size > REQUESTS_MIN / 10, `${results.size} results`);
  for (const [queryId, { tenant, bytes, sha256 }] of results) {
    const headers = basic(emailOf(tenant));
    const { status, text } = await fetchText(client, hostOf(tenant, 'stream'), `/query/${queryId}`, { headers });
    assert.equal(status, 200, text);
    const receipt = JSON.parse(text);
    const found = { state: receipt.state, bytes: receipt.bytes, sha256: receipt.sha256 };
    assert.deepEqual(found, { state: 'FINISHED', bytes, sha256 });
  }
}

/** Waits until the log of each tenant is verified, with two records or more for each of its results. */
async function checkAuditLog(cluster, results) {
  const verify = ['node', 'dist/commands/audit-main.js', 'verify'];
  let output = '';
  const isWhole = async () => {
    const run = await cluster.exec('api-host', verify);
    output = run.output;
    const verified = [...output.matchAll(/(\d+) records and \d+ checkpoints are verified/g)].map((match) =>
      Number(match[1]),
    );
    if (run.code !== 0 || verified.length < TENANTS.length) return undefined;
    return verified.reduce((sum, records) => sum + records, 0) >= 2 * results.size || undefined;
  };
  await until(isWhole, { what: 'a verified audit log', withinMs: 60_000 }).catch((error) => {
    throw new Error(`${error.message}\n${output}`);
  });
  process.stdout.write(output);
}

async function checkUpgrade(cluster, { trees, databaseServer }) {
  await cluster.migrate();
  const pods = await startAll(cluster);
  await createTenants(cluster, pods['api-host'][0]);
  announce('the earlier version runs');
  const client = createServiceClient(cluster);
  const before = await signIn(client, 'acme');
  const { results, note } = createResults();
  const load = startLoad([{ name: 'service', client }], { onWhole: note });
  await check('every replica is replaced by the new version', async () => {
    try {
      await load.sent(REQUESTS_BEFORE);
      for (const host of Object.keys(trees)) trees[host] = ROOT;
      await upgrade(cluster, pods);
    } finally {
      load.stopAfter(REQUESTS_MIN);
    }
  });
  const { counts: requests, failures } = await load.ended;
  announce(`the load is over: ${JSON.stringify(requests.service)}`);
  await check('no request fails during the upgrade', () => assert.deepEqual(failures, []));
  await check('the upgraded schema equals a new one', async () => {
    const { ownerUrl, superuserUrl } = databaseServer;
    const [upgraded, created] = [
      await describeSchema(ownerUrl),
      await describeNewSchema(ownerUrl, superuserUrl, migrate),
    ];
    assert.deepEqual(upgraded, created);
  });
  await check('a login of before the upgrade is valid', async () => {
    const headers = { idtoken: before.id_token };
    for (const [host, path] of [
      ['api', '/me'],
      ['stream', '/query/history'],
    ]) {
      const { status, text } = await fetchText(client, hostOf('acme', host), path, { headers });
      assert.equal(status, 200, text);
    }
    const body = new URLSearchParams({ refresh_token: before.refresh_token }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refresh = { method: 'POST', headers: form, body };
    assert.equal((await fetchText(client, hostOf('acme', 'api'), '/auth/refresh/acme', refresh)).status, 200);
  });
  await check('every result has its receipt', () => checkResults(client, results));
  await check('the audit log of both versions is verified', () => checkAuditLog(cluster, results));
}

try {
  const commit = options.from ?? commitBefore(FIRST_FILE);
  const earlier = buildEarlierVersion(commit);
  announce(`the earlier version is built: ${commit}`);
  const trees = { 'api-host': earlier, 'stream-host': earlier };
  const clusterOptions = { trees, directories: DIRECTORIES, engine: duckdb, values: VALUES };
  await withCluster(clusterOptions, (cluster, { databaseServer }) => checkUpgrade(cluster, { trees, databaseServer }));
} catch (error) {
  // A packed copy of the sources has no earlier version. A commit that is asked for must exist.
  const isUnchecked = error instanceof MissingHistoryError && options.from === undefined;
  if (isUnchecked) counts.notChecked.push(error.message);
  else {
    counts.failed += 1;
    counts.failures.push(error.message);
  }
  process.stderr.write(`${isUnchecked ? 'NOT CHECKED' : 'FAILED'}: ${error.message}\n`);
}
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.stdout.write(`Upgrade: ${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
