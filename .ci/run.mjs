// Runs every check, all of them even when one fails, and counts the tests that ran. Ends with the time of each step, the slowest
// test files and the line "N passed, N failed".
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareSeconds } from './suite-shares.mjs';

const SLOWEST_FILES = 10;

const scratch = mkdtempSync(join(tmpdir(), 'sluice-ci-'));
const npmRun = (script) => ['npm', 'run', '--silent', script];

/** A step whose script writes `{ passed, failed, files?, failures?, secondTries?, notChecked? }` as JSON to the file that follows `option`. */
const counted = (name, command, option = '--report') => {
  const report = join(scratch, `${name}.json`);
  return { name, command: [...command, option, report], report };
};

/** Stages run one after the other; the steps of a stage run at the same time. */
const STAGES = [
  [{ name: 'install and build', command: ['node', 'deploy/local/prepare.mjs'], isRequired: true }],
  ['lint', 'style', 'typecheck', 'boundaries'].map((script) => ({ name: script, command: npmRun(script) })),
  // They include everything that `npm run contract -- --on embedded` runs.
  [counted('tests', ['node', '.ci/tests.mjs', 'local'])],
  [counted('tests with SQL rows', ['node', '.ci/tests.mjs', 'sql-rows'])],
  // They assert limits of memory, descriptors and time, so nothing else runs meanwhile.
  [counted('tests under load', ['node', '.ci/tests.mjs', 'load'])],
  [counted('OpenAPI documents', ['node', '.ci/openapi.mjs']), counted('documentation', ['node', '.ci/docs.mjs'])],
  // They copy files and wait for processes, and limit no times.
  [
    counted('Helm chart', ['node', 'deploy/helm/checks/check-chart.mjs']),
    counted('images', ['node', 'deploy/docker/check-images.mjs', '--with-trino']),
    counted('upgrade', ['node', 'deploy/upgrade/check-upgrade.mjs']),
  ],
  [counted('proxies', ['node', 'deploy/proxies/checks/check-proxies.mjs'])],
  [counted('other Node versions', ['node', '.ci/node-versions.mjs'])],
  [counted('contract on servers', ['node', '.ci/contract.mjs', '--on', 'servers'], '--outputFile')],
];

/** Runs a command and returns whether it exited with 0. With `isBuffered` its output is printed when it ends. */
function succeeds([file, ...args], isBuffered) {
  return new Promise((resolve) => {
    const output = isBuffered ? 'pipe' : 'inherit';
    const child = spawn(file, args, { stdio: ['ignore', output, output] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code === 0);
    });
  });
}

/** Time that all processors together have been busy since the machine started, in milliseconds. */
const busyTime = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

/** Runs a step. The step itself counts as one check besides the tests that it ran. */
async function runStep(step, isBuffered) {
  const start = performance.now();
  const busyBefore = busyTime();
  if (!isBuffered) process.stdout.write(`\n=== ${step.name}\n`);
  const isSuccess = await succeeds(step.command, isBuffered);
  const counts = step.report === undefined ? {} : readCounts(step.report);
  const { passed = 0, files = [], failures = [], secondTries = [], notChecked = [] } = counts;
  const failed = counts.failed || (isSuccess ? 0 : 1);
  const isPassed = failed === 0 && notChecked.length === 0;
  const outcome = failed > 0 ? 'FAILED' : isPassed ? 'passed' : 'NOT CHECKED';
  const milliseconds = performance.now() - start;
  const seconds = Math.round(milliseconds / 1000);
  const busyProcessors = (busyTime() - busyBefore) / milliseconds;
  process.stdout.write(`=== ${step.name}: ${outcome} in ${seconds} s\n`);
  return {
    step,
    seconds,
    busyProcessors,
    passed: passed + (isPassed ? 1 : 0),
    failed,
    files,
    failures,
    secondTries,
    notChecked,
  };
}

/** A missing report means that the script failed before it had results. */
function readCounts(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { failed: 1 };
  }
}

async function runStages() {
  const results = [];
  for (const steps of STAGES) {
    const isBuffered = steps.length > 1;
    if (isBuffered) process.stdout.write(`\n=== ${steps.map(({ name }) => name).join(', ')}\n`);
    results.push(...(await Promise.all(steps.map((step) => runStep(step, isBuffered)))));
    if (results.some(({ step, failed }) => step.isRequired === true && failed > 0)) break;
  }
  return results;
}

const started = performance.now();
const results = await runStages();
rmSync(scratch, { recursive: true, force: true });

const lines = [];
const secondsOf = (seconds) => seconds.toFixed(0).padStart(5);
lines.push('', `Seconds of each step, and how many of the ${cpus().length} processors were busy on average:`);
for (const { step, seconds, busyProcessors, failed, files } of results) {
  const name = `${step.name}${failed > 0 ? ` (${failed} failed)` : ''}`;
  lines.push(`${secondsOf(seconds)}  ${busyProcessors.toFixed(1)}  ${name}`);
  for (const [suite, share] of shareSeconds({ seconds, files }))
    lines.push(`            about ${share} of them: ${suite}`);
}
lines.push(`${secondsOf((performance.now() - started) / 1000)}  total`);

const files = results.flatMap((result) => result.files.map((file) => ({ ...file, step: result.step.name })));
lines.push('', `Seconds of the ${SLOWEST_FILES} slowest test files:`);
for (const { file, seconds, step } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES))
  lines.push(`${secondsOf(seconds)}  ${file} (${step})`);

const secondTries = results.flatMap((result) => result.secondTries);
if (secondTries.length > 0) lines.push('', 'Passed only at the second try:', ...secondTries);

const notChecked = results.flatMap((result) => result.notChecked);
if (notChecked.length > 0) lines.push('', 'Not checked:', ...notChecked);

const failures = results.flatMap((result) => result.failures);
if (failures.length > 0) lines.push('', 'Failed:', ...failures);

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
lines.push('', `${sum('passed')} passed, ${sum('failed')} failed`, '');
process.stdout.write(lines.join('\n'));
process.exitCode = sum('failed') === 0 ? 0 : 1;
