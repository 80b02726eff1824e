/** Two replicas of each host for two tenants, as the rendered chart starts them, behind nginx and HAProxy. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DOMAIN, duckdb, withCluster } from '../../helm/checks/manifest-fixture.mjs';
import { createTenants, emailOf, hostOf, json, PASSWORD } from '../../helm/checks/manifest-tenants.mjs';
import { installProxies, makeCertificates, startHaproxy, startNginx } from './start-proxies.mjs';
import { createTlsClient, fetchText } from './tls-client.mjs';

/** A tenth of the default, as the time-outs of the scaled proxies. */
export const HEARTBEAT_MS = 1500;
export const SCALE = 0.1;
/** The delay leaves time for a reload on a busy machine. */
const DRAIN = { preStopSeconds: 1, delaySeconds: 8, graceSeconds: 2 };

/**
 * Calls `use` with the cluster, its pods, the proxies, and a client for each proxy and version of HTTP. Everything ends with it.
 * @param options.trees - folders with the files of the images, by host
 */
export async function withProxiedCluster({ trees }, use) {
  installProxies();
  // Proxies connect from 127.0.0.1; clients use other addresses.
  const values = { trustedProxies: ['127.0.0.1/32'], drain: DRAIN, apiHost: API_HOST, streamHost: STREAM_HOST };
  await withCluster({ trees, engine: duckdb, values }, async (cluster, { scratch, resources }) => {
    await cluster.migrate();
    const start = (host) => Promise.all([cluster.startReplica(host, 0), cluster.startReplica(host, 1)]);
    const [api, stream] = await Promise.all([start('api-host'), start('stream-host')]);
    await createTenants(cluster, api[0]);
    const certificates = join(scratch, 'certificates');
    const ca = makeCertificates(certificates, DOMAIN);
    const list = (host, replicas) => replicas.map((replica) => cluster.endpointOf(host, replica));
    const both = { api: list('api-host', [0, 1]), stream: list('stream-host', [0, 1]) };
    const address = `${cluster.network}.1`;
    const options = { folder: scratch, certificates, address, resources };
    // HAProxy checks them itself, so it has every address that a pod may get.
    const all = { api: list('api-host', [0, 1, 2]), stream: list('stream-host', [0, 1, 2]) };
    const startAll = (suffix, scale) =>
      Promise.all([
        startNginx({ ...options, name: `nginx${suffix}`, endpoints: both, scale }),
        startHaproxy({ ...options, name: `haproxy${suffix}`, endpoints: all, scale }),
      ]);
    const proxies = await startAll('', 1);
    const scaledProxies = await startAll('-scaled', SCALE);
    const certificate = join(certificates, 'ca.crt');
    await use({ cluster, pods: { api, stream }, proxies, scaledProxies, ca, certificate });
  });
}

/** A busy machine delays PostgreSQL and workers, which is not the subject here. */
const LONG_TIMEOUTS = [
  { name: 'DATABASE_TIMEOUT', value: '30s' },
  { name: 'QUEUE_TIMEOUT', value: '60s' },
];
const API_HOST = { extraEnv: LONG_TIMEOUTS };
const STREAM_HOST = {
  extraEnv: [
    ...LONG_TIMEOUTS,
    { name: 'SSE_HEARTBEAT_INTERVAL', value: `${HEARTBEAT_MS}ms` },
    { name: 'WORKER_THREADS', value: '1' },
    // The streams of one test are of one user.
    { name: 'TENANT_SLOTS_PERCENT', value: '100' },
    { name: 'QUERIES_PER_USER', value: '30' },
    { name: 'QUERIES_PER_TENANT', value: '60' },
  ],
  workers: { max: 8 },
  resources: { limits: { memory: '9Gi' } },
};

/** Connections of clients with addresses from this number on: each proxy with each version of HTTP that it offers. */
export function connectionsOf(proxies, ca, firstNumber) {
  const pairs = proxies.flatMap((proxy) => proxy.versions.map((version) => ({ proxy, version })));
  return pairs.map(({ proxy, version }, index) => {
    const { address, port } = proxy;
    const from = `127.0.0.${firstNumber + index}`;
    const client = createTlsClient({ version, address, port, ca, from });
    return { name: `${proxy.name}, ${version}`, proxy, version, from, client };
  });
}

/** Sends a query, a download or any other JSON, and returns the response with an open body. */
export const postJson = (client, host, path, body, headers) =>
  client.send(host, path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

/** Signs the administrator of a tenant in and returns the tokens. */
export async function signIn(client, tenant, headers = {}) {
  const body = JSON.stringify({ email: emailOf(tenant), password: PASSWORD });
  const options = { method: 'POST', headers: { ...json, ...headers }, body };
  const { status, text } = await fetchText(client, hostOf(tenant, 'api'), `/auth/login/${tenant}`, options);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}
