/** A rolling restart of both hosts behind the proxies, and requests that reach another replica than those before. */
import assert from 'node:assert/strict';
import { until } from '@sluice/testkit';
import { untilNotReady } from '../../helm/checks/manifest-cluster.mjs';
import { startLoad } from './load.mjs';
import { connectionsOf } from './proxied-cluster.mjs';
import { cancel, receiptOf, restOf, startQuery } from './stream-checks.mjs';

const ROUNDS_MAX = 30;
export const REQUESTS_MIN = 2000;

/** Replicas that the proxy's log names for requests of an address, once there are this many. */
async function replicasOf({ proxy, from }, request, count) {
  const find = () => {
    const lines = proxy
      .log()
      .split('\n')
      .filter((line) => line.includes(`${from} `) && line.includes(`"${request}"`));
    return lines.length >= count ? lines.map((line) => /upstream=(\S+)/.exec(line)[1]) : undefined;
  };
  return until(find, { what: `${count} log lines of ${request}`, withinMs: 30_000 });
}

/** A query is cancelled and its receipt is read through another replica than the one that ran it. Nothing else uses the address. */
export async function checkNoStickySessions(connection) {
  const { client } = connection;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const { queryId, reads } = await startQuery(client);
    await cancel(client, queryId);
    assert.match(await restOf(reads), /QUERY_CANCELLED/);
    for (let read = 0; read < 2; read += 1) await receiptOf(client, queryId);
    const ran = (await replicasOf(connection, 'POST /query', round)).at(-1);
    const [cancelled] = await replicasOf(connection, `DELETE /query/${queryId}`, 1);
    const receipts = await replicasOf(connection, `GET /query/${queryId}`, 2);
    if (ran !== cancelled && receipts.some((replica) => replica !== ran)) return;
  }
  assert.fail('every request of a query reached one replica');
}

/** Replaces every replica of a host, one after the other, as a Deployment with `maxUnavailable: 0` does. */
async function rollOut({ cluster, pods, proxies }, name, key, endpoints) {
  const announce = () => Promise.all(proxies.map((proxy) => proxy.setEndpoints(endpoints)));
  const seconds = [];
  // The new pods get the free address, and then that of the pod before.
  let free = 2;
  for (const [index, replica] of [0, 1].entries()) {
    const startedAt = performance.now();
    const fresh = await cluster.startReplica(name, free);
    endpoints[key].push(cluster.endpointOf(name, free));
    await announce();
    const old = pods[key][index];
    const ending = old.stop();
    const withdrawing = performance.now();
    await untilNotReady(old);
    endpoints[key] = endpoints[key].filter((each) => each !== cluster.endpointOf(name, replica));
    await announce();
    const withdrawn = ((performance.now() - withdrawing) / 1000).toFixed(1);
    const { code } = await ending;
    assert.equal(code, 0, old.output());
    pods[key][index] = fresh;
    free = replica;
    seconds.push(
      `${((performance.now() - startedAt) / 1000).toFixed(1)} s (withdrawn ${withdrawn} s after its deletion)`,
    );
  }
  process.stdout.write(`${name}: replaced in ${seconds.join(' and ')}\n`);
}

/** Replaces all replicas of both hosts at the same time, while short requests and long streams run. Returns what happened. */
export async function restartUnderLoad(context) {
  const { cluster, proxies, ca } = context;
  const connections = connectionsOf(proxies, ca, 20);
  const streams = await Promise.all(connections.map(({ client }) => startQuery(client)));
  const endings = streams.map(({ reads }) => restOf(reads));
  for (const ending of endings) ending.catch(() => undefined);
  const load = startLoad(connections);
  const endpoints = {
    api: [0, 1].map((replica) => cluster.endpointOf('api-host', replica)),
    stream: [0, 1].map((replica) => cluster.endpointOf('stream-host', replica)),
  };
  const startedAt = performance.now();
  try {
    await Promise.all([
      rollOut(context, 'api-host', 'api', endpoints),
      rollOut(context, 'stream-host', 'stream', endpoints),
    ]);
  } finally {
    load.stopAfter(REQUESTS_MIN);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { counts, failures } = await load.ended;
  return { seconds, counts, failures, endings: await Promise.all(endings) };
}
