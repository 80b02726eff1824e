import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOverBudget } from './budgets.mjs';
import { createComponents } from './components.mjs';
import { runJestSuite } from './jest-run.mjs';
import { measureSlowness } from './machine-speed.mjs';
import { shareSeconds } from './suite-shares.mjs';
import { writeTimes } from './times.mjs';

const SLOWEST_FILES = 10;

/**
 * Runs suites of suites.mjs, all of them even when one fails, and prints the time of each, the slowest files, what failed, and at last
 * "N passed, N failed". Returns whether all passed. `writesTimes` rewrites times.json.
 */
export async function runSuites(suites, { writesTimes = false } = {}) {
  const started = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-ci-'));
  const components = createComponents();
  const slowness = [await measureSlowness()];
  const results = [];
  try {
    for (const group of groupsOf(suites)) {
      if (group.length > 1) process.stdout.write(`\n=== ${group.map(({ name }) => name).join(', ')}\n`);
      const runs = group.map((suite) => runSuite(suite, { scratch, components, isBuffered: group.length > 1 }));
      results.push(...(await Promise.all(runs)));
    }
  } finally {
    components.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  slowness.push(await measureSlowness());
  if (writesTimes) writeTimes(results);
  const overBudget = findOverBudget(results, Math.max(1, ...slowness.map(({ processor }) => processor)));
  return printSummary({ results, overBudget, slowness, seconds: (performance.now() - started) / 1000 });
}

/** Suites that follow each other with the same `stage` run at the same time. */
function groupsOf(suites) {
  const groups = [];
  for (const suite of suites) {
    const last = groups.at(-1);
    if (suite.stage !== undefined && last?.[0].stage === suite.stage) last.push(suite);
    else groups.push([suite]);
  }
  return groups;
}

/** Runs a suite, which counts as one check besides the tests that it ran. */
async function runSuite(suite, { scratch, components, isBuffered }) {
  const problem = components.prepare(suite);
  if (problem !== undefined) return resultOf(suite, { failed: 1, failures: [`${suite.name} cannot run: ${problem}.`] });
  const start = performance.now();
  const busyBefore = busyTime();
  if (!isBuffered) process.stdout.write(`\n=== ${suite.name}\n`);
  const counts = await (suite.tests === undefined ? runProgram : runJestSuite)(suite, scratch, isBuffered);
  const milliseconds = performance.now() - start;
  const result = resultOf(suite, {
    ...counts,
    seconds: milliseconds / 1000,
    busyProcessors: (busyTime() - busyBefore) / milliseconds,
  });
  process.stdout.write(`=== ${suite.name}: ${result.outcome} in ${Math.round(result.seconds)} s\n`);
  return result;
}

function resultOf(suite, counts) {
  const { passed = 0, failed = 0, files = [], failures = [], quarantined = [], notChecked = [] } = counts;
  const { seconds = 0, busyProcessors = 0 } = counts;
  const isPassed = failed === 0 && notChecked.length === 0;
  const outcome = failed > 0 ? 'FAILED' : isPassed ? 'passed' : 'NOT CHECKED';
  return {
    suite,
    outcome,
    seconds,
    busyProcessors,
    passed: passed + (isPassed ? 1 : 0),
    failed,
    files,
    failures,
    quarantined,
    notChecked,
  };
}

/** Runs a script of package.json, or a command that writes a report. */
async function runProgram(suite, scratch, isBuffered) {
  const report = join(scratch, `${suite.name}.json`);
  const command =
    suite.command === undefined ? ['npm', 'run', '--silent', suite.script] : [...suite.command, '--report', report];
  const isSuccess = await succeeds(command, { isBuffered, environment: suite.environment });
  const counts = suite.command === undefined ? {} : readCounts(report);
  const failed = counts.failed || (isSuccess ? 0 : 1);
  const failures = counts.failures ?? [];
  return {
    ...counts,
    failed,
    failures: failed > 0 && failures.length === 0 ? [`${suite.name}: see its output.`] : failures,
  };
}

/** A missing report means that the program failed before it had results. */
function readCounts(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { failed: 1 };
  }
}

/** Runs a command and returns whether it exited with 0. With `isBuffered` its output is printed when it ends. */
function succeeds([file, ...args], { isBuffered, environment }) {
  return new Promise((resolve) => {
    const output = isBuffered ? 'pipe' : 'inherit';
    const child = spawn(file, args, { stdio: ['ignore', output, output], env: { ...process.env, ...environment } });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', () => resolve(false));
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code === 0);
    });
  });
}

/** Time that all processors together have been busy since the machine started, in milliseconds. */
const busyTime = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

function printSummary({ results, overBudget, slowness, seconds }) {
  const lines = ['', `Seconds of each suite, and how many of the ${cpus().length} processors were busy on average:`];
  for (const result of results) {
    const { suite, busyProcessors, failed } = result;
    const name = `${suite.name}${failed > 0 ? ` (${failed} failed)` : ''}`;
    lines.push(`${secondsColumn(result.seconds)}  ${busyProcessors.toFixed(1)}  ${name}`);
    for (const [product, share] of shareSeconds(result)) lines.push(`            about ${share} of them: ${product}`);
  }
  lines.push(`${secondsColumn(seconds)}  total`);
  const speeds = slowness.map(({ wall, processor }) => `${wall.toFixed(2)} (processor time: ${processor.toFixed(2)})`);
  lines.push(
    '',
    `A fixed piece of work took ${speeds[0]} times as long as on the reference machine at the begin, ${speeds[1]} at the end.`,
  );

  const files = results.flatMap((result) => result.files.map((file) => ({ ...file, suite: result.suite.name })));
  lines.push('', `Seconds, and seconds of processor time, of the ${SLOWEST_FILES} slowest test files:`);
  for (const { file, seconds: wall, processorSeconds = 0, suite } of files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_FILES))
    lines.push(`${secondsColumn(wall)} ${secondsColumn(processorSeconds)}  ${file} (${suite})`);

  const list = (title, entries) => entries.length > 0 && lines.push('', title, ...entries);
  list(
    'In quarantine, failed and not counted:',
    results.flatMap((result) => result.quarantined),
  );
  list(
    'Not checked:',
    results.flatMap((result) => result.notChecked),
  );
  list('Failed:', [...results.flatMap((result) => result.failures), ...overBudget]);

  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failed = sum('failed') + overBudget.length;
  const isComplete = results.every((result) => result.notChecked.length === 0);
  lines.push('', `${sum('passed')} passed, ${failed} failed`, '');
  process.stdout.write(lines.join('\n'));
  return failed === 0 && isComplete;
}

const secondsColumn = (seconds) => seconds.toFixed(0).padStart(5);
