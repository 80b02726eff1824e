/**
 * Checks nginx and HAProxy, with the files of deploy/proxies, in front of two replicas of each host for two tenants:
 * `npm run test:proxy [-- --trees FOLDER] [--report FILE]`. The hosts run as the rendered Helm chart says. `--trees` names a folder with
 * the assembled files of both hosts; by default it assembles them. `--report` writes `{ passed, failed, failures }`. The last line is
 * "N passed, N failed".
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assembleHost, HOSTS } from '../../docker/assemble-host.mjs';
import '../../../packages/testkit/jest/native/register.mjs';

// They import the sources of packages, which only a process with the hooks can load.
const { checkCut, checkOffer } = await import('./cut-checks.mjs');
const { connectionsOf, withProxiedCluster } = await import('./proxied-cluster.mjs');
const { checkNoStickySessions, REQUESTS_MIN, restartUnderLoad } = await import('./restart-checks.mjs');
const { checkAuditEvents, checkEvents, checkLeaving, checkSlowReader, startLongStream } = await import(
  './stream-checks.mjs'
);
const { checkAddresses, checkForgedHeaders, checkForgedHost, checkRedirect, checkTenants, checkTicket } = await import(
  './tenant-checks.mjs'
);

const { values: options } = parseArgs({ options: { trees: { type: 'string' }, report: { type: 'string' } } });
/** Ends a check that waits for something that a proxy holds back. */
const CHECK_WITHIN_MS = 300_000;
const counts = { passed: 0, failed: 0, failures: [] };
const startedAt = performance.now();

async function check(name, test) {
  try {
    const limit = new AbortController();
    const tooLate = delay(CHECK_WITHIN_MS, undefined, { signal: limit.signal }).then(() =>
      assert.fail('it does not end'),
    );
    await Promise.race([test(), tooLate]).finally(() => limit.abort());
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    counts.failures.push(`${name}: ${error.message}`);
    process.stderr.write(`FAILED: ${name}\n${error.stack}\n`);
  }
}

const announce = (what) => process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${what}\n`);

async function checkAll(context) {
  const { ca, pods, proxies, scaledProxies, certificate } = context;
  announce('the hosts and proxies run');
  const connections = connectionsOf(proxies, ca, 2);
  const scaled = connectionsOf(scaledProxies, ca, 10);
  const long = await Promise.all(scaled.map(startLongStream));
  for (const connection of connections) {
    const each = (name, test) => check(`${connection.name}: ${name}`, () => test(connection));
    await each('events arrive one by one', checkEvents);
    await each('events of the audit log arrive', checkAuditEvents);
    await each('a client that leaves ends its query', checkLeaving);
    await each('a slow reader stops the engine', (one) => checkSlowReader(one, pods));
    await each('credentials and ids of one tenant are useless for the other', checkTenants);
    await each('a ticket works for its tenant and is in no log', checkTicket);
    await each('forged headers change nothing', checkForgedHeaders);
    await each('a forged Host is rejected, or needs credentials of its tenant', (one) => checkForgedHost(one, ca));
    await each('the audit log has the address of the client', (one) => checkAddresses(one, `agent of ${one.name}`));
    await each('plain HTTP leads to https', checkRedirect);
    announce(connection.name);
  }
  for (const connection of connectionsOf(proxies, ca, 30))
    await check(`${connection.name}: no sticky sessions are needed`, () => checkNoStickySessions(connection));
  await check('HAProxy uses HTTP/1.1 with clients that offer HTTP/2', () => checkOffer(proxies[1], ca));
  for (const [index, { name, client }] of scaled.entries())
    await check(`${name}: a stream of ten scaled minutes is not cut`, async () => {
      process.stdout.write(`${name}: ${await long[index](client)} heartbeats\n`);
    });
  announce('the long streams are over');
  await checkRestart(context);
  announce('all replicas are replaced');
  const kill = async () => {
    for (const pod of pods.stream) pod.killWorkers();
  };
  await checkCut(connections, certificate, kill, check, 'its worker is killed');
  const killHosts = () => Promise.all(pods.stream.map((pod) => pod.kill()));
  await checkCut(connections, certificate, killHosts, check, 'its host is killed');
}

async function checkRestart(context) {
  let result;
  await check('all replicas of both hosts are replaced under load', async () => {
    result = await restartUnderLoad(context);
  });
  if (result === undefined) return;
  const { seconds, counts: requests, failures, endings } = result;
  process.stdout.write(`${JSON.stringify(requests)} in ${seconds.toFixed(0)} s\n`);
  await check('no short request is lost while the replicas are replaced', () => {
    assert.deepEqual(failures, []);
    const sum = Object.values(requests).reduce(
      (total, kinds) => total + Object.values(kinds).reduce((a, b) => a + b),
      0,
    );
    assert.ok(sum >= REQUESTS_MIN, `${sum} requests`);
  });
  await check('each long stream ends with its error event', () => {
    for (const text of endings) assert.match(text, /"type":"error"[^\n]*SERVER_SHUTDOWN/);
  });
}

async function assemble(folder) {
  const trees = Object.fromEntries(HOSTS.map((host) => [host, join(options.trees ?? folder, host)]));
  if (options.trees === undefined) for (const host of HOSTS) assembleHost(host, trees[host]);
  return trees;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-proxies-'));
try {
  // The user of the containers reads it.
  chmodSync(folder, 0o755);
  await withProxiedCluster({ trees: await assemble(folder) }, checkAll);
} catch (error) {
  counts.failed += 1;
  counts.failures.push(error.message);
  process.stderr.write(`FAILED: ${error.stack}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.stdout.write(`Proxies: ${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
