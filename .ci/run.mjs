// Runs every check one after the other, all of them even when one fails, and counts what really ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCounts } from './test-counts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-ci-'));
const testReport = join(scratch, 'tests.json');
const loadTestReport = join(scratch, 'load-tests.json');
const contractReport = join(scratch, 'contract.json');

const STEPS = [
  { name: 'install and build', command: ['node', 'deploy/local/prepare.mjs'], isRequired: true },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'] },
  {
    name: 'tests',
    command: ['npm', 'test', '--', '--ci', '--json', `--outputFile=${testReport}`],
    countsFrom: testReport,
  },
  {
    // They judge memory, descriptors and time, so they come one after the other, when the other tests have ended.
    name: 'tests under load',
    command: ['npm', 'run', '--silent', 'test:load', '--', '--ci', '--json', `--outputFile=${loadTestReport}`],
    countsFrom: loadTestReport,
  },
  { name: 'README', command: ['node', '.ci/readme.mjs'] },
  {
    // Last, since it takes the longest: Trino, Redis and five versions of PostgreSQL, installed where they are not.
    name: 'contract on servers',
    command: ['node', '.ci/contract.mjs', '--on', 'servers', `--outputFile=${contractReport}`],
    countsFrom: contractReport,
  },
];

const counts = { passed: 0, failed: 0 };

for (const step of STEPS) {
  process.stdout.write(`\n=== ${step.name}\n`);
  const start = performance.now();
  const [file, ...args] = step.command;
  const { status } = spawnSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write(
    `=== ${step.name}: ${status === 0 ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - start) / 1000)} s\n`,
  );
  const found = step.countsFrom === undefined ? { passed: 0, failed: 0 } : testCounts(step.countsFrom);
  counts.passed += found.passed + (status === 0 ? 1 : 0);
  counts.failed += found.failed + (status !== 0 && found.failed === 0 ? 1 : 0);
  if (status !== 0 && step.isRequired === true) break;
}

rmSync(scratch, { recursive: true, force: true });
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
