/**
 * What every set of parts must do: `npm run contract -- --on embedded|servers|spooled`. The embedded set is DuckDB, shared state in
 * the process and jobs in PostgreSQL. On servers, Keycloak and then Trino are installed and started, and stopped again unless they ran already; Redis and
 * PostgreSQL are installed, and started by the tests that stop, kill and empty them. `spooled` is Trino with results in an
 * S3-compatible store, whose build takes many minutes the first time. It ends with the line "N passed, N failed".
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TESTS_BY_THEMSELVES, TESTS_ON_KEYCLOAK } from '../jest.contract.config.mjs';
import { SHARED_HTTP_TESTS } from '../jest.trino.config.mjs';
import { patternsWithoutFile } from './patterns-without-file.mjs';
import { withSecondTry } from './second-try.mjs';

const { values } = parseArgs({ options: { on: { type: 'string' }, outputFile: { type: 'string' } } });
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--ci',
  // One process runs all files here, and a timer that one of them leaves would hold it when every test has passed (seen once).
  '--forceExit',
];
const TRINO = 'deploy/components/trino.mjs';
const REDIS = 'deploy/components/redis.mjs';
const POSTGRES = 'deploy/components/postgres.mjs';
const KEYCLOAK = 'deploy/components/keycloak.mjs';
const MINIO = 'deploy/components/minio.mjs';
const POSTGRES_MAJORS = ['14', '15', '16', '17', '18'];

const SHARED = SHARED_HTTP_TESTS.map((name) => `services/stream-host/tests/${name}.test.ts`);
const EMBEDDED = [
  'engine/src/duckdb/duckdb-engine.test.ts',
  'pooled-engine.test.ts',
  'in-process-contract.test.ts',
  'jobs/testing/postgres-contract.test.ts',
  ...SHARED,
];

/** What the sets name, by the configuration that finds it. All of them are looked at whichever runs, so `.ci/run` sees to both. */
const PATTERNS = {
  'jest.config.mjs': EMBEDDED,
  'jest.servers.config.mjs': [...TESTS_BY_THEMSELVES, TESTS_ON_KEYCLOAK],
};

const scratch = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
let reports = 0;

function node(args, env = {}) {
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options).status === 0;
}

/** The files of a configuration whose names match a pattern; all of them without patterns. */
function runTests({ config = 'jest.config.mjs', patterns = [] }, env = {}) {
  const run = (args, report) =>
    node(
      [...JEST, '--config', config, '--json', `--outputFile=${report}`, ...(args.length > 0 ? args : patterns)],
      env,
    );
  reports += 1;
  return withSecondTry(run, scratch, String(reports));
}

const NOTHING_RAN = { passed: 0, failed: 1, secondTries: [] };

const sum = (counts) =>
  counts.reduce((all, one) => ({
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    secondTries: [...all.secondTries, ...one.secondTries],
  }));

/** Starts a component, runs what needs it, and stops it again unless it ran already. A component that is not there is one failure. */
function withComponent(script, options, work) {
  const isOurs = !node([script, 'status', ...options]);
  try {
    return node([script, 'start', ...options]) ? work() : NOTHING_RAN;
  } finally {
    if (isOurs) node([script, 'stop', ...options]);
  }
}

/** Jest runs what it finds, so without this a file that is renamed would leave the contract and nobody would hear of it. */
function hasEveryFile() {
  const missing = Object.entries(PATTERNS).flatMap(([config, patterns]) => patternsWithoutFile(config, patterns));
  for (const pattern of missing)
    process.stderr.write(`The contract names tests that are not there: no file matches ${pattern}\n`);
  return missing.length === 0;
}

const runEmbedded = () => runTests({ patterns: EMBEDDED });

function runOnServers() {
  // Before the tests, whose time is for tests; the sentence of the part that cannot be had stands above the count.
  const isInstalled =
    node([REDIS, 'install']) &&
    node([KEYCLOAK, 'install']) &&
    POSTGRES_MAJORS.every((major) => node([POSTGRES, 'install', '--major', major]));
  if (!isInstalled) return NOTHING_RAN;
  const onKeycloak = () =>
    withComponent(KEYCLOAK, [], () => runTests({ config: 'jest.servers.config.mjs', patterns: [TESTS_ON_KEYCLOAK] }));
  const onTrino = () =>
    withComponent(TRINO, [], () =>
      sum([
        runTests({ config: 'jest.servers.config.mjs', patterns: TESTS_BY_THEMSELVES }),
        runTests({ config: 'jest.contract.config.mjs' }),
      ]),
    );
  return sum([onKeycloak(), onTrino()]);
}

/** Where clients get the rows from: through Trino, or from the store itself. */
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
  return withComponent(MINIO, store, () =>
    sum(
      RETRIEVALS.map((retrieval) => {
        const options = [...trino, '--s3-key', STORE.secret, '--s3-secret', STORE.secret, '--s3-retrieval', retrieval];
        return withComponent(TRINO, options, () => runTests({ config: 'jest.spooled.config.mjs' }, env));
      }),
    ),
  );
}

const SETS = { embedded: runEmbedded, servers: runOnServers, spooled: runSpooled };
const run = SETS[values.on];
if (run === undefined) {
  process.stderr.write(`Usage: npm run contract -- --on ${Object.keys(SETS).join('|')}\n`);
  process.exitCode = 2;
} else {
  const counts = hasEveryFile() ? run() : NOTHING_RAN;
  const { passed, failed, secondTries } = counts;
  if (values.outputFile !== undefined) writeFileSync(values.outputFile, JSON.stringify(counts));
  if (secondTries.length > 0)
    process.stdout.write(`\nPassed only at the second try, alone:\n${secondTries.join('\n')}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
rmSync(scratch, { recursive: true, force: true });
