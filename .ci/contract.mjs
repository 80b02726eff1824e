/**
 * What every set of parts must do: `npm run contract -- --on embedded|servers`. The embedded set is DuckDB and shared state in the
 * process. On servers, Trino is installed and started, and stopped again unless it ran already; Redis is installed, and started
 * by the tests that stop, kill and empty it. It ends with the line "N passed, N failed".
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SHARED_HTTP_TESTS } from '../jest.trino.config.mjs';
import { testCounts } from './test-counts.mjs';

const { values } = parseArgs({ options: { on: { type: 'string' }, outputFile: { type: 'string' } } });
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--ci',
];
const TRINO = 'deploy/components/trino.mjs';
const REDIS = 'deploy/components/redis.mjs';

const EMBEDDED = ['engine/src/duckdb/duckdb-engine.test.ts', 'pooled-engine.test.ts', 'in-process-contract.test.ts'];

const RUNS = {
  embedded: [
    { args: [...EMBEDDED, ...SHARED_HTTP_TESTS.map((name) => `services/stream-host/tests/${name}.test.ts`)], env: {} },
  ],
  servers: [
    { args: ['--config', 'jest.servers.config.mjs'], env: {} },
    { args: ['--config', 'jest.trino.config.mjs'], env: { SLUICE_TEST_ENGINE: 'trino' } },
  ],
};

const scratch = mkdtempSync(join(tmpdir(), 'sluice-contract-'));

function node(args, env = {}) {
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options).status === 0;
}

function runTests(runs) {
  const counts = { passed: 0, failed: 0 };
  for (const [index, { args, env }] of runs.entries()) {
    const report = join(scratch, `${index}.json`);
    const isWell = node([...JEST, '--json', `--outputFile=${report}`, ...args], env);
    const found = testCounts(report);
    counts.passed += found.passed;
    counts.failed += found.failed + (!isWell && found.failed === 0 ? 1 : 0);
  }
  return counts;
}

function runOnServers() {
  const isOurs = !node([TRINO, 'status']);
  try {
    const isReady = node([REDIS, 'install']) && node([TRINO, 'start']);
    return isReady ? runTests(RUNS.servers) : { passed: 0, failed: 1 };
  } finally {
    if (isOurs) node([TRINO, 'stop']);
  }
}

if (RUNS[values.on] === undefined) {
  process.stderr.write('Usage: npm run contract -- --on embedded|servers\n');
  process.exitCode = 2;
} else {
  const { passed, failed } = values.on === 'servers' ? runOnServers() : runTests(RUNS.embedded);
  if (values.outputFile !== undefined) {
    const report = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: 0 };
    writeFileSync(values.outputFile, JSON.stringify(report));
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
rmSync(scratch, { recursive: true, force: true });
