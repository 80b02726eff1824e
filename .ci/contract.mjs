/**
 * Runs the contract on a set of parts: `npm run contract -- --on embedded|servers|spooled`. The embedded set is DuckDB, shared state in
 * the process and jobs in PostgreSQL. The servers set installs and starts Keycloak and Trino, and stops those that it started; it installs
 * Redis, PostgreSQL with its client programs, Chromium, GNOME Keyring, shells and Prometheus, which the tests start, because they also
 * stop, kill and empty them.
 * `spooled` is Trino with results in an S3-compatible store, whose build takes many minutes the first time. The last line is
 * "N passed, N failed".
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SHARED_HTTP_TESTS } from '../packages/testkit/jest/shared-http-tests.mjs';
import { patternsWithoutFile } from './patterns-without-file.mjs';
import { runWithSecondTry, sumOfCounts } from './test-run.mjs';

const { values } = parseArgs({ options: { on: { type: 'string' }, outputFile: { type: 'string' } } });
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--ci'];
const TRINO = 'deploy/components/trino.mjs';
const REDIS = 'deploy/components/redis.mjs';
const POSTGRES = 'deploy/components/postgres.mjs';
const POSTGRES_CLIENT = 'deploy/components/postgres-client.mjs';
const KEYCLOAK = 'deploy/components/keycloak.mjs';
const CHROMIUM = 'deploy/components/chromium.mjs';
const KEYRING = 'deploy/components/gnome-keyring.mjs';
const SHELLS = 'deploy/components/shells.mjs';
const PROMETHEUS = 'deploy/components/prometheus.mjs';
const MINIO = 'deploy/components/minio.mjs';
const POSTGRES_MAJORS = ['14', '15', '16', '17', '18'];

const SHARED = SHARED_HTTP_TESTS.map((name) => `services/stream-host/tests/${name}.test.ts`);
const EMBEDDED = [
  'engine/src/duckdb/duckdb-engine.test.ts',
  'in-process-contract.test.ts',
  'jobs/testing/postgres-contract.test.ts',
  ...SHARED,
];

/**
 * Tests that assert how soon hosts notice that a server is down or back, and how long migrations delay others. They wait for most of their
 * time, so four files run at the same time, but none beside the other tests, which keep Trino busy.
 */
const OUTAGE_TESTS = [
  '/redis-[^/]*\\.servers\\.ts$',
  '/postgres-outage\\.servers\\.ts$',
  '/store/testing/postgres-[^/]*\\.servers\\.ts$',
];

/**
 * Tests that start Chromium, which takes both processors. So two files run at the same time, and none beside Trino's tests, which limit
 * times.
 */
const CONSOLE_TESTS = ['/tests/console/(?!result-speed)[^/]*\\.servers\\.ts$'];

/** Tests that limit the frame times of Chromium, or the end of a query on Trino to one second. Nothing else runs meanwhile. */
const QUIET_TESTS = ['/tests/console/result-speed\\.servers\\.ts$', '/trino-stops\\.servers\\.ts$'];

/** Patterns of the sets, by the projects that contain their files. All are checked in every run, so `.ci/run` checks both sets. */
const PATTERNS = [
  [['unit', 'http'], EMBEDDED],
  [['servers'], [...OUTAGE_TESTS, ...CONSOLE_TESTS, ...QUIET_TESTS]],
];

const scratch = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
let reports = 0;

function node(args, env = {}) {
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options).status === 0;
}

/** Runs Node.js as `node` does, beside other commands. */
const nodeAsync = (args, env = {}) =>
  new Promise((resolve) => {
    const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
    const child = spawn(process.execPath, args, options);
    child.once('close', (code) => resolve(code === 0));
  });

/** Runs the test files of some projects; `args` are more arguments for Jest. */
function runTests(projects, args, env = {}) {
  const run = (more, report) =>
    // A second try names its files itself, which `--testPathPatterns` would add to.
    nodeAsync(
      [
        ...[...JEST, '--json', `--outputFile=${report}`, ...(more.length > 0 ? more : args)],
        ...['--selectProjects', ...projects],
      ],
      env,
    );
  reports += 1;
  return runWithSecondTry(run, scratch, String(reports));
}

const NOTHING_RAN = { passed: 0, failed: 1, files: [], failures: ['contract: nothing ran'], secondTries: [] };

/**
 * Starts components at the same time, runs the work, and stops those that did not run before. The work gets a promise that resolves with
 * whether all of them are ready.
 */
async function withComponents(components, work) {
  const started = components.filter((component) => !node([component.script, 'status', ...component.options]));
  const starts = Promise.all(components.map(({ script, options }) => nodeAsync([script, 'start', ...options])));
  try {
    return await work(starts.then((ready) => ready.every(Boolean)));
  } finally {
    await starts;
    await Promise.all(started.map(({ script, options }) => nodeAsync([script, 'stop', ...options])));
  }
}

/** Jest runs what it finds, so without this check a renamed file would leave the contract unnoticed. */
function hasEveryFile() {
  const missing = PATTERNS.flatMap(([projects, patterns]) => patternsWithoutFile(projects, patterns));
  for (const pattern of missing) process.stderr.write(`No test file of the contract matches ${pattern}\n`);
  return missing.length === 0;
}

const runEmbedded = () => runTests(['unit', 'http'], EMBEDDED);

async function runOnServers() {
  // Installed before the tests, whose time limits do not include downloads.
  const isInstalled =
    node([REDIS, 'install']) &&
    node([KEYCLOAK, 'install']) &&
    node([CHROMIUM, 'install']) &&
    node([KEYRING, 'install']) &&
    node([SHELLS, 'install']) &&
    node([PROMETHEUS, 'install']) &&
    node([POSTGRES_CLIENT, 'install']) &&
    POSTGRES_MAJORS.every((major) => node([POSTGRES, 'install', '--major', major]));
  if (!isInstalled) return NOTHING_RAN;
  const components = [KEYCLOAK, TRINO].map((script) => ({ script, options: [] }));
  return withComponents(components, async (areReady) => {
    // They take minutes and need neither server, so both start meanwhile.
    const outages = await runTests(['servers'], ['--testPathPatterns', ...OUTAGE_TESTS, '--maxWorkers', '4']);
    if (!(await areReady)) return sumOfCounts([outages, NOTHING_RAN]);
    const others = ['--testPathIgnorePatterns', ...OUTAGE_TESTS, ...CONSOLE_TESTS, ...QUIET_TESTS, '--maxWorkers', '3'];
    return sumOfCounts([
      outages,
      await runTests(['servers', 'trino'], others),
      await runTests(['servers'], ['--testPathPatterns', ...CONSOLE_TESTS, '--maxWorkers', '2']),
      await runTests(['servers'], ['--testPathPatterns', ...QUIET_TESTS, '--runInBand']),
    ]);
  });
}

/** Ways in which clients fetch segments of rows: through Trino, and from the store directly. */
const RETRIEVALS = ['coordinator_proxy', 'storage'];
const STORE = { port: '29010', bucket: 'spool', secret: 'sluice-tests' };
const SPOOLED_TRINO_PORT = '28092';

function runSpooled() {
  const storeUrl = `http://127.0.0.1:${STORE.port}`;
  const store = ['--port', STORE.port, '--bucket', STORE.bucket, '--key', STORE.secret, '--secret', STORE.secret];
  const trino = [
    '--port',
    SPOOLED_TRINO_PORT,
    '--s3-endpoint',
    storeUrl,
    '--s3-location',
    `s3://${STORE.bucket}/trino/`,
  ];
  const env = {
    SLUICE_TEST_SPOOLED_TRINO: `http://127.0.0.1:${SPOOLED_TRINO_PORT}`,
    SLUICE_TEST_SPOOLED_STORE: storeUrl,
  };
  return withComponents([{ script: MINIO, options: store }], async (isStored) => {
    if (!(await isStored)) return NOTHING_RAN;
    const counts = [];
    for (const retrieval of RETRIEVALS) {
      const options = [...trino, '--s3-key', STORE.secret, '--s3-secret', STORE.secret, '--s3-retrieval', retrieval];
      counts.push(
        await withComponents([{ script: TRINO, options }], async (isReady) =>
          (await isReady) ? runTests(['spooled'], ['--runInBand'], env) : NOTHING_RAN,
        ),
      );
    }
    return sumOfCounts(counts);
  });
}

const SETS = { embedded: runEmbedded, servers: runOnServers, spooled: runSpooled };
const run = SETS[values.on];
if (run === undefined) {
  process.stderr.write(`Usage: npm run contract -- --on ${Object.keys(SETS).join('|')}\n`);
  process.exitCode = 2;
} else {
  const counts = hasEveryFile() ? await run() : NOTHING_RAN;
  const { passed, failed, secondTries } = counts;
  if (values.outputFile !== undefined) writeFileSync(values.outputFile, JSON.stringify(counts));
  if (secondTries.length > 0) process.stdout.write(`\nPassed only at the second try:\n${secondTries.join('\n')}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
rmSync(scratch, { recursive: true, force: true });
