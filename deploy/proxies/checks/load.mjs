/** Short requests of both tenants to both hosts: queries, sign-ins and reads of metadata. */
import { until } from '@sluice/testkit';
import { duckdb, TENANTS } from '../../helm/checks/manifest-fixture.mjs';
import { emailOf, hostOf, json, PASSWORD } from '../../helm/checks/manifest-tenants.mjs';
import { signIn } from './proxied-cluster.mjs';
import { fetchText } from './tls-client.mjs';

const LOOPS = 2;
const SENT_WITHIN_MS = 120_000;
/** Every tenth request is a sign-in, which costs the most. */
const SEQUENCE = ['query', 'catalog', 'me', 'history', 'query', 'catalog', 'signIn', 'me', 'receipts', 'history'];

const read = (host, path) => (tenant, headers) => [hostOf(tenant, host), path, { headers }];

const REQUESTS = {
  query: (tenant, headers) => [hostOf(tenant, 'stream'), '/query', post({ sql: duckdb.sql }, headers)],
  catalog: read('api', '/catalog'),
  me: read('api', '/me'),
  history: read('stream', '/query/history'),
  receipts: read('stream', '/query'),
  signIn: (tenant) => [
    hostOf(tenant, 'api'),
    `/auth/login/${tenant}`,
    post({ email: emailOf(tenant), password: PASSWORD }),
  ],
};

/** Both tenants send each kind. */
const tenantAt = (index) => TENANTS[Math.floor(index / SEQUENCE.length) % TENANTS.length];

const post = (body, headers = {}) => ({ method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

/** A query is whole if its last event says so. */
const isWhole = (kind, { status, text }) =>
  status === 200 && (kind !== 'query' || (duckdb.result.test(text) && /"type":"complete"/.test(text)));

/**
 * Starts the load: two loops on each connection. `stopAfter` ends it once this many requests have been sent, and `ended` resolves with
 * the counts of each kind and a line for each failure. `sent` resolves when this many have been sent.
 * @param options.onWhole - receives kind, tenant and response of each request that succeeded
 */
export function startLoad(connections, { onWhole = () => undefined } = {}) {
  const counts = {};
  const failures = [];
  let requestsMin = Number.POSITIVE_INFINITY;
  let sent = 0;

  async function sendOne({ name, client }, kind, tenant, credentials) {
    const startedAt = performance.now();
    const fail = (reason) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      failures.push(`${name}: ${kind} of ${tenant} after ${seconds} s: ${reason}`);
    };
    try {
      const [host, path, options] = REQUESTS[kind](tenant, credentials[tenant]);
      const response = await fetchText(client, host, path, options);
      if (!isWhole(kind, response)) fail(`${response.status} ${response.text.slice(0, 300)}`);
      else if (kind === 'signIn') credentials[tenant] = { idtoken: JSON.parse(response.text).id_token };
      if (isWhole(kind, response)) onWhole(kind, tenant, response);
    } catch (error) {
      fail(error.stack);
    }
    counts[name] ??= {};
    counts[name][kind] = (counts[name][kind] ?? 0) + 1;
  }

  async function loop(connection, offset) {
    // Its own: an account has at most 50 sessions, and a new one ends another.
    const credentials = {};
    for (const tenant of TENANTS) credentials[tenant] = { idtoken: (await signIn(connection.client, tenant)).id_token };
    for (let index = offset; sent < requestsMin; index += 1) {
      sent += 1;
      await sendOne(connection, SEQUENCE[index % SEQUENCE.length], tenantAt(index), credentials);
    }
  }

  const loops = connections.flatMap((connection) =>
    Array.from({ length: LOOPS }, (_, index) => loop(connection, index * 5)),
  );
  return {
    stopAfter(requests) {
      requestsMin = requests;
    },
    sent: (requests) =>
      until(() => sent >= requests || undefined, { what: `${requests} requests`, withinMs: SENT_WITHIN_MS }),
    ended: Promise.all(loops).then(() => ({ counts, failures })),
  };
}
