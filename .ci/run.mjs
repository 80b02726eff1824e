// Runs every check one after the other, all of them even when one fails, and counts what really ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSecondTry } from './second-try.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-ci-'));
const contractReport = join(scratch, 'contract.json');
const openApiReport = join(scratch, 'openapi.json');

const STEPS = [
  { name: 'install and build', command: ['node', 'deploy/local/prepare.mjs'], isRequired: true },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'] },
  // Among them is all that `npm run contract -- --on embedded` runs.
  { name: 'tests', tests: ['npm', 'test', '--'] },
  {
    // They judge memory, descriptors and time, so they come one after the other, when the other tests have ended.
    name: 'tests under load',
    tests: ['npm', 'run', '--silent', 'test:load', '--'],
  },
  {
    name: 'OpenAPI documents',
    command: ['node', '.ci/openapi.mjs', '--report', openApiReport],
    countsFrom: openApiReport,
  },
  { name: 'README', command: ['node', '.ci/readme.mjs'] },
  {
    // Last, since it takes the longest: Trino, Redis and five versions of PostgreSQL, installed where they are not.
    name: 'contract on servers',
    command: ['node', '.ci/contract.mjs', '--on', 'servers', `--outputFile=${contractReport}`],
    countsFrom: contractReport,
  },
];

const total = { passed: 0, failed: 0, secondTries: [] };

function isWell([file, ...args]) {
  return spawnSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** What a step found, itself one check beside the tests it ran. */
function countsOf(step) {
  if (step.tests !== undefined) {
    const run = (args, report) => isWell([...step.tests, '--ci', '--json', `--outputFile=${report}`, ...args]);
    return withSecondTry(run, scratch, step.name);
  }
  const passed = isWell(step.command);
  if (step.countsFrom === undefined) return { passed: 0, failed: passed ? 0 : 1, secondTries: [] };
  try {
    return JSON.parse(readFileSync(step.countsFrom, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, secondTries: [] };
  }
}

for (const step of STEPS) {
  process.stdout.write(`\n=== ${step.name}\n`);
  const start = performance.now();
  const { passed, failed, secondTries = [] } = countsOf(step);
  const seconds = Math.round((performance.now() - start) / 1000);
  process.stdout.write(`=== ${step.name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  total.passed += passed + (failed === 0 ? 1 : 0);
  total.failed += failed;
  total.secondTries.push(...secondTries);
  if (failed > 0 && step.isRequired === true) break;
}

rmSync(scratch, { recursive: true, force: true });
if (total.secondTries.length > 0) {
  process.stdout.write(`\nPassed only at the second try, alone:\n${total.secondTries.join('\n')}\n`);
}
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
