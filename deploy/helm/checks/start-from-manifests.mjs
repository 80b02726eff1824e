/** Starts what the rendered chart says, on a real PostgreSQL and a real Redis: two replicas of each host, for two tenants. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { send, untilNotReady } from './manifest-cluster.mjs';
import { duckdb, KEYS, TENANTS, trinoAt, withCluster } from './manifest-fixture.mjs';
import { basic, createTenants, emailOf, hostOf, json, PASSWORD } from './manifest-tenants.mjs';

const HOST_MIB = 256;
/** Limit of a worker with `workers.memoryMiB` of 2048, without what Node.js maps and does not use. */
const WORKER_MIB = 976;

/** Starts PostgreSQL and Redis, renders the chart, starts its containers and checks them. `check` counts the results. Without `trinoUrl`, DuckDB runs the queries. */
export async function startFromManifests({ trees, check, trinoUrl }) {
  const engine = trinoUrl === undefined ? duckdb : trinoAt(trinoUrl);
  await withCluster({ trees, engine }, (cluster) => checkCluster(cluster, engine, check));
}

async function checkCluster(cluster, engine, check) {
  await check('the migration Job succeeds, and again on a migrated database', async () => {
    await cluster.migrate();
    await cluster.migrate();
  });
  let pods;
  await check('two replicas of each host start and pass their probes', async () => {
    const api = [await cluster.startReplica('api-host', 0), await cluster.startReplica('api-host', 1)];
    const stream = [await cluster.startReplica('stream-host', 0), await cluster.startReplica('stream-host', 1)];
    pods = { api, stream };
  });
  if (pods === undefined) return;
  await check('the command of the notes creates both tenants, whose first administrators set a password', () =>
    createTenants(cluster, pods.api[0]),
  );
  await checkRequests(pods, engine, check);
  await checkMemory(pods, check);
  await checkIsolation(cluster, pods, check);
  await checkStop(pods, engine, check);
}

const query = (pod, tenant, headers, sql) =>
  send(`${pod.url}/query`, {
    host: hostOf(tenant, 'stream'),
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ sql }),
  });

async function checkRequests({ api, stream }, { sql, result }, check) {
  for (const tenant of TENANTS) {
    await check(`${tenant} queries both stream hosts, by host name and password`, async () => {
      for (const pod of stream) {
        const { status, text } = await query(pod, tenant, basic(emailOf(tenant)), sql);
        assert.equal(status, 200, text);
        assert.match(text, result);
      }
    });
  }
  await check(
    'a token of one API host is valid on every stream host, whose key set comes from the Service',
    async () => {
      const response = await send(`${api[1].url}/auth/login/acme`, {
        host: hostOf('acme', 'api'),
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: emailOf('acme'), password: PASSWORD }),
      });
      const { id_token: idtoken } = JSON.parse(response.text);
      for (const pod of stream) assert.match((await query(pod, 'acme', { idtoken }, sql)).text, result);
      for (const pod of stream) assert.equal((await query(pod, 'globex', { idtoken }, sql)).status, 401);
    },
  );
  await check('the password of one tenant is rejected on the host name of the other', async () => {
    for (const pod of stream) assert.equal((await query(pod, 'globex', basic(emailOf('acme')), sql)).status, 401);
  });
  await check('the console and the metrics are served', async () => {
    const page = await send(`${api[0].url}/console/`, { host: hostOf('acme', 'api') });
    assert.equal(page.status, 200);
    assert.match(page.text, new RegExp(`https://${hostOf('acme', 'stream')}`));
    for (const pod of [...api, ...stream]) assert.match((await send(pod.metricsUrl)).text, /^sluice_/m);
  });
}

/** The figures by which the chart rejects memory limits, in `_memory.tpl`. */
async function checkMemory({ api, stream }, check) {
  await check('a host needs less memory than the chart plans for it', () => {
    for (const [name, pods] of Object.entries({ api, stream })) {
      for (const pod of pods) {
        const { host, workers } = pod.residentMib();
        process.stdout.write(`${name} host: ${host} MiB resident, its workers: ${workers.join(', ') || 'none'}\n`);
        assert.ok(host <= HOST_MIB, `${host} MiB`);
        for (const worker of workers) assert.ok(worker <= WORKER_MIB, `${worker} MiB`);
      }
    }
  });
}

async function checkIsolation(cluster, { stream }, check) {
  await check('the file system is read-only except /tmp, for a user without rights that is process 1', async () => {
    const script =
      'id -u; echo $$; touch /sluice/x || touch /etc/x || echo read-only; touch /tmp/x && echo writable; ' +
      'node -e "setTimeout(() => {}, 60000)" & sleep 1; head -c 1 /proc/$!/environ || echo protected; kill $!';
    const { output } = await cluster.exec('stream-host', ['sh', '-c', script]);
    assert.match(output, /^10001\n1\n/);
    assert.match(output, /read-only\n/);
    assert.match(output, /writable\n/);
    // Another process of the user, such as a query worker, cannot read the environment of Node.js.
    assert.match(output, /protected\n/);
  });
  await check('no log line has a secret', () => {
    for (const { output } of stream)
      assert.ok(!output().includes(KEYS['audit-name-key']) && !output().includes(PASSWORD));
  });
}

/** Waits until the host runs one query. */
async function untilRunning({ metricsUrl }) {
  const deadline = Date.now() + 30_000;
  while (!/^sluice_queries_running\S* 1$/m.test((await send(metricsUrl)).text)) {
    assert.ok(Date.now() < deadline, 'the query does not run');
    await delay(50);
  }
}

async function checkStop({ stream, api }, { sql, result, longSql }, check) {
  await check('a stopped host withdraws, ends its stream with an error event, and exits with 0', async () => {
    const [stopped, other] = stream;
    const streaming = query(stopped, 'acme', basic(emailOf('acme')), longSql);
    await untilRunning(stopped);
    const ending = stopped.stop();
    await untilNotReady(stopped);
    assert.equal(await stopped.probe('livenessProbe'), 200, 'it is not restarted while it drains');
    // Within DRAIN_DELAY.
    assert.match((await query(stopped, 'globex', basic(emailOf('globex')), sql)).text, result);
    assert.match((await streaming).text, /SERVER_SHUTDOWN/);
    const { code, seconds } = await ending;
    assert.equal(code, 0, stopped.output());
    process.stdout.write(`stream host: ended ${seconds.toFixed(1)} s after SIGTERM\n`);
    assert.match((await query(other, 'acme', basic(emailOf('acme')), sql)).text, result);
  });
  await check('a stopped API host exits with 0', async () => {
    assert.equal((await api[0].stop()).code, 0, api[0].output());
  });
}
