/**
 * Breaks the guards of mutants.mjs and auth-mutants.mjs, one at a time, and checks that the tests of each fail: `npm run test:mutants`,
 * `-- NAME-PART ...` for some. `--set NAME` takes those of one file, `--list` prints them, `--report FILE` writes
 * `{ passed, failed, failures }`. The last line is "N passed, N failed".
 *
 * A broken file is restored to the bytes that were read, however the run ends, unless it is killed. Nothing else may build or test in the same
 * working copy meanwhile.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { AUTH_MUTANTS } from './auth-mutants.mjs';
import { MUTANTS } from './mutants.mjs';
import { isInSet } from './set-patterns.mjs';
import { SUITES } from './suites.mjs';

const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
/** A broken guard may make a test wait forever. Each of the tests takes a few seconds at most. */
const TEST_TIMEOUT_MS = 30_000;
/** Ends a run that no timer can end, because a broken guard runs forever without a turn of the event loop. That finds nothing. */
const RUN_TIMEOUT_MS = 180_000;
/** Length of a message about a file that does not load, in characters. */
const MESSAGE_CHARACTERS = 600;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const MUTANT_SETS = { product: MUTANTS, authentication: AUTH_MUTANTS };
const TEST_SETS = SUITES.filter(({ tier }) => tier === 'a' || tier === 'b').flatMap(({ tests = [] }) => tests);

function mutantsOf(set) {
  if (set === undefined) return Object.values(MUTANT_SETS).flat();
  if (Object.hasOwn(MUTANT_SETS, set)) return MUTANT_SETS[set];
  throw new RangeError(`There is no set ${set}; the sets are ${Object.keys(MUTANT_SETS).join(', ')}.`);
}

function chooseMutants(parts, set) {
  const all = mutantsOf(set);
  const isNamed = (mutant, part) => mutant.name.toLowerCase().includes(part.toLowerCase());
  const unknown = parts.find((part) => !all.some((mutant) => isNamed(mutant, part)));
  if (unknown !== undefined) throw new RangeError(`No mutant has ${unknown} in its name; \`--list\` prints the names.`);
  return parts.length === 0 ? all : all.filter((mutant) => parts.some((part) => isNamed(mutant, part)));
}

/** Returns what is wrong with an entry of the list, in sentences. */
function findProblems({ name, file, find, replace, tests }) {
  const count = existsSync(file) ? readFileSync(file, 'utf8').split(find).length - 1 : 0;
  return [
    ...(count === 1
      ? []
      : [
          `its source is ${count} times in ${file}, not once. Update the list in .ci, or restore a file of a killed run.`,
        ]),
    ...(find === replace ? ['it changes nothing.'] : []),
    ...(tests.length === 0 ? ['it names no tests.'] : []),
    ...tests
      .filter((test) => !existsSync(test) || !TEST_SETS.some((set) => isInSet(test, set)))
      .map((test) => `${test} is not a test file of npm test or .ci/run.`),
  ].map((problem) => `${name}: ${problem}`);
}

/** The checks of the list find what is wrong in a planted entry. */
function checkChecks() {
  const planted = { name: 'planted', file: 'package.json', find: '"', replace: '"', tests: ['package.json'] };
  const problems = findProblems(planted);
  if (problems.length !== 3) throw new Error(`A planted entry has ${problems.length} problems instead of 3.`);
}

let restore = () => undefined;
let running;

/** Replaces the fragment of the source while the work runs. */
async function withMutant({ file, find, replace, isBuilt = false }, work) {
  const source = readFileSync(file);
  const { atime, mtime } = statSync(file);
  restore = () => {
    restore = () => undefined;
    writeFileSync(file, source);
    // The build compares times. Without the old one it would start again, and after a build of the mutant it has to.
    if (!isBuilt) utimesSync(file, atime, mtime);
  };
  try {
    writeFileSync(
      file,
      source.toString('utf8').replace(find, () => replace),
    );
    if (isBuilt) build();
    return await work();
  } finally {
    restore();
    if (isBuilt) build();
  }
}

function build() {
  const { status } = spawnSync(process.execPath, ['deploy/local/prepare.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The sources do not compile.');
}

/** Runs test files and returns Jest's report of each. */
async function runTests(tests, scratch) {
  const report = join(scratch, 'report.json');
  rmSync(report, { force: true });
  const options = ['--ci', '--json', `--outputFile=${report}`, '--runInBand', `--testTimeout=${TEST_TIMEOUT_MS}`];
  const signal = await new Promise((resolve) => {
    const limit = { timeout: RUN_TIMEOUT_MS, killSignal: 'SIGKILL' };
    running = spawn(process.execPath, [...JEST, ...options, ...tests], { stdio: 'ignore', ...limit });
    running.once('close', (_, endedBy) => resolve(endedBy));
  });
  running = undefined;
  return signal === null && existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
}

const failedTestsOf = (results) =>
  results.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'));

/** A file that does not load says nothing about the guard. */
const messageOfLoad = (results, tests) =>
  results
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ message }) => stripVTControlCharacters(message).slice(0, MESSAGE_CHARACTERS))
    .concat(results.length === tests.length ? [] : [`${results.length} of ${tests.length} files ran.`])[0];

/** Tests that fail anyway would find every mutant. */
async function findFailuresWithoutMutant(mutants, scratch) {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  const results = await runTests(tests, scratch);
  const failed = failedTestsOf(results).map(({ fullName }) => `${fullName}: fails without a mutant.`);
  const message = messageOfLoad(results, tests);
  return message === undefined ? failed : [...failed, message];
}

async function runMutant(mutant, scratch) {
  const start = performance.now();
  const results = await withMutant(mutant, () => runTests(mutant.tests, scratch));
  const message = messageOfLoad(results, mutant.tests);
  const [first, ...others] = failedTestsOf(results);
  const outcome = message !== undefined ? 'NOT LOADED' : first === undefined ? 'NOT FOUND' : 'found';
  const by =
    first === undefined ? '' : ` (${first.fullName}${others.length === 0 ? '' : `, and ${others.length} more`})`;
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${outcome.padEnd(10)} ${seconds} s  ${mutant.name}${by}\n`);
  if (outcome === 'found') return undefined;
  return `${outcome}: ${mutant.name}: ${message ?? `no test of ${mutant.tests.join(', ')} fails.`}`;
}

async function runMutants(mutants) {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-mutants-'));
  try {
    const problems = [...mutants.flatMap(findProblems)];
    if (problems.length === 0) problems.push(...(await findFailuresWithoutMutant(mutants, scratch)));
    if (problems.length > 0) return { passed: 0, failed: problems.length, failures: problems };
    const failures = [];
    for (const mutant of mutants) failures.push(await runMutant(mutant, scratch));
    const missed = failures.filter((failure) => failure !== undefined);
    return { passed: mutants.length - missed.length, failed: missed.length, failures: missed };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.once('exit', () => restore());
for (const [signal, code] of Object.entries(SIGNALS))
  process.once(signal, () => {
    running?.kill(signal);
    process.exit(code);
  });

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'string' },
    set: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
checkChecks();
try {
  const mutants = chooseMutants(positionals, values.set);
  if (values.list) for (const { name, file } of mutants) process.stdout.write(`${name} (${file})\n`);
  else {
    const counts = await runMutants(mutants);
    for (const failure of counts.failures) process.stderr.write(`${failure}\n`);
    if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
    process.exitCode = counts.failed === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
