import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nodeOf } from './nodes.mjs';
import { quarantineOf, readQuarantine } from './quarantine.mjs';

/** Length of a failure's message in the summary of a run, in characters. The output of the tests has all of it. */
const MESSAGE_CHARACTERS = 600;
/** Times that a failed file runs alone, to find out whether it always fails. */
const REPEATS = 3;
/** Failed files at most. More of them are not chance, and repeating them takes too long. */
const REPEATED_FILES_MAX = 4;
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/**
 * Runs the Jest files of a suite once. A file that fails runs three times more, alone, only to call each of its failed tests *broken* or *flaky*:
 * both fail (ADR 0030). Failures of tests in quarantine are reported and do not count.
 *
 * Returns `{ passed, failed, files, failures, quarantined }`. `files` are `{ file, seconds, processorSeconds?, project? }`; `failures` and
 * `quarantined` are texts for people.
 */
export async function runJestSuite(suite, scratch) {
  const first = await runJest(suite, scratch, suite.name);
  const verdicts = await classify(suite, scratch, first);
  const isQuarantined = quarantineOf(readQuarantine());
  const counted = verdicts.filter((failure) => isQuarantined(failure) === undefined);
  const quarantined = verdicts.filter((failure) => isQuarantined(failure) !== undefined);
  // Jest may exit with an error although every test passed, as when a handle stays open. That is one failure.
  const isUnexplained = !first.isSuccess && verdicts.length === 0;
  return {
    passed: first.passed,
    failed: counted.length + (isUnexplained ? 1 : 0),
    files: first.files,
    failures: [
      ...counted.map(describeFailure),
      ...(isUnexplained ? [`${suite.name}: Jest failed although every test passed. See its output.`] : []),
    ],
    quarantined: quarantined.map(describeFailure),
  };
}

/** Adds a `verdict` to each failed test. */
async function classify(suite, scratch, { files: ran, failed }) {
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length === 0) return [];
  if (ran.length === 0) return failed.map((failure) => ({ ...failure, verdict: 'failed before any test' }));
  if (files.length > REPEATED_FILES_MAX)
    return failed.map((failure) => ({ ...failure, verdict: `failed, with ${files.length - 1} other files` }));
  const repeats = [];
  for (let repeat = 1; repeat <= REPEATS; repeat += 1) {
    process.stdout.write(`\n=== ${suite.name}: ${files.join(', ')}, alone (${repeat} of ${REPEATS})\n`);
    repeats.push(await runJest(suite, scratch, `${suite.name}-${repeat}`, files));
  }
  return failed.map((failure) => {
    const times = repeats.filter((run) => run.failed.some((each) => isSameTest(each, failure))).length;
    const verdict = times === REPEATS ? 'broken' : `flaky, failed in ${times} of ${REPEATS} runs alone`;
    return { ...failure, verdict };
  });
}

const isSameTest = (one, other) => one.file === other.file && one.test === other.test;

const describeFailure = ({ file, test, message, verdict }) =>
  `${verdict}: ${file}: ${test}${message === '' ? '' : `\n    ${message.replaceAll('\n', '\n    ')}`}`;

/** Runs Jest: all files of the suite, or only some, alone. */
async function runJest(suite, scratch, name, files = []) {
  const report = join(scratch, `${name}.json`);
  const times = join(scratch, `${name}.times`);
  rmSync(report, { force: true });
  const node = nodeOf(suite.node);
  const env = {
    ...process.env,
    ...suite.environment,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    SLUICE_TEST_TIMES: times,
  };
  const options = ['--ci', '--json', `--outputFile=${report}`, ...(suite.options ?? [])];
  const workers = files.length > 0 || suite.workers === 1 ? ['--runInBand'] : [`--maxWorkers=${suite.workers}`];
  // A list of names must be the last option: it takes everything that follows.
  const projects = ['--selectProjects', ...suite.tests.map((set) => set.name)];
  const command =
    suite.tier === 'a' && files.length === 0
      ? ['npm', 'test', '--', ...options]
      : [node, ...JEST, ...options, ...workers, ...files.map(patternOf), ...projects];
  const isSuccess = await succeeds(command, env);
  return { isSuccess, ...readReport(report, readTimes(times), suite) };
}

const succeeds = ([file, ...args], env) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });

/** Jest assigns files to projects by pattern; a path would run in the first project only. */
const patternOf = (file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** Returns the lines that packages/testkit/jest/native/environment.mjs wrote, by file. A file may run in several projects. */
function readTimes(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function readReport(path, times, suite) {
  if (!existsSync(path))
    return { passed: 0, files: [], failed: [{ file: suite.name, test: 'did not run', message: '' }] };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
  return {
    passed: numPassedTests,
    files: times.map(({ path: file, project, wallMs, processorMs, isFirst }) => ({
      file: relative(process.cwd(), file),
      project,
      seconds: wallMs / 1000,
      processorSeconds: processorMs / 1000,
      isFirst,
    })),
    failed: testResults.filter(({ status }) => status === 'failed').flatMap(failedTestsOf),
  };
}

/** Returns the failed tests of a file with the beginnings of Jest's messages, without colours. A file without one failed as a whole. */
function failedTestsOf({ name, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const shorten = (text) => stripVTControlCharacters(text).slice(0, MESSAGE_CHARACTERS).trim();
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [{ file, test: 'did not run', message: shorten(message ?? '') }];
  return tests.map(({ fullName, failureMessages }) => ({
    file,
    test: fullName,
    message: shorten((failureMessages ?? []).join('\n')),
  }));
}
