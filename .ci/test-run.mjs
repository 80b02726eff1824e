import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Length of a failure's message in the summary of a run, in characters. The output of the tests has all of it. */
const MESSAGE_CHARACTERS = 600;

/** More failed files than this are not chance, and get no second try. */
const RETRIED_FILES_MAX = 4;

/**
 * Runs tests once. `run(args, report)` starts Jest with more arguments, writes its JSON report and returns whether it exited with 0. The
 * counts are `{ passed, failed, files, failures, secondTries }`; `files` has the seconds that each test file took, and `failures` a message for
 * each test that failed.
 */
export const runOnce = async (run, scratch, name) =>
  withoutSecondTry(await runAndRead(run, [], join(scratch, `${name}.json`)));

/**
 * Runs tests on servers or under load, and then the few files that failed once more, alone (ADR 0017). Has the parameters and counts of
 * `runOnce`. `secondTries` has a message for each test that passed only the second time.
 */
export async function runWithSecondTry(run, scratch, name) {
  const first = await runAndRead(run, [], join(scratch, `${name}.json`));
  const isRetried = first.failedFiles.length > 0 && first.failedFiles.length <= RETRIED_FILES_MAX;
  if (!isRetried) return withoutSecondTry(first);
  process.stdout.write(`\n=== second try, alone:\n${first.failedTests.join('\n')}\n`);
  const alone = ['--runInBand', ...first.failedFiles.map(patternOf)];
  const second = await runAndRead(run, alone, join(scratch, `${name}-again.json`));
  const { passed, failed } = countsOf(second);
  const passedNow = (_failure, index) => !second.failedTests.includes(first.failedTests[index]);
  const didRun = second.files.length > 0;
  return {
    // Of the files that ran twice, only the second run counts.
    passed: first.passed - first.passedInFailedFiles + passed,
    failed,
    files: [...first.files, ...second.files],
    failures: didRun ? second.failures : first.failures,
    secondTries: didRun ? first.failures.filter(passedNow) : [],
  };
}

const withoutSecondTry = (run) => ({ ...countsOf(run), files: run.files, failures: run.failures, secondTries: [] });

/** Adds up the counts of several runs. */
export const sumOfCounts = (counts) =>
  counts.reduce((all, one) => ({
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    files: [...all.files, ...one.files],
    failures: [...all.failures, ...one.failures],
    secondTries: [...all.secondTries, ...one.secondTries],
  }));

async function runAndRead(run, args, path) {
  const isSuccess = await run(args, path);
  const report = readReport(path);
  const failed = report.testResults.filter(({ status }) => status === 'failed');
  return {
    isSuccess,
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    failedFiles: failed.map(({ name }) => name),
    failedTests: failed.flatMap(failedTestsOf),
    failures: failed.flatMap(failuresOf),
    passedInFailedFiles: failed.flatMap(({ assertionResults }) => assertionResults).filter(isPassed).length,
    files: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.length,
    })),
  };
}

/** A missing report counts as a failure, because the tests did not run. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numRuntimeErrorTestSuites: 0, testResults: [] };
  }
}

/** Jest assigns files to projects by pattern; a path would run in the first project only. */
const patternOf = (file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

const isPassed = ({ status }) => status === 'passed';

/** Returns the failed tests of a file with the messages of Jest. A file without one failed as a whole. */
function readFailures({ name, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [{ test: `${file}: did not run`, message: message ?? '' }];
  return tests.map(({ fullName, failureMessages }) => ({
    test: `${file}: ${fullName}`,
    message: (failureMessages ?? []).join('\n'),
  }));
}

const failedTestsOf = (file) => readFailures(file).map(({ test }) => test);

/** Returns what the end of a run says of each failure: the test and the beginning of its message, without colours. */
const failuresOf = (file) =>
  readFailures(file).map(({ test, message }) => {
    const text = stripVTControlCharacters(message).slice(0, MESSAGE_CHARACTERS).trim();
    return text === '' ? test : `${test}\n    ${text.replaceAll('\n', '\n    ')}`;
  });

/** Jest may exit with an error although every test passed; that counts as one failure. */
const countsOf = ({ isSuccess, passed, failed }) => ({
  passed,
  failed: failed + (!isSuccess && failed === 0 ? 1 : 0),
});
