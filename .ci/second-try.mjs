import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** More files than this do not fail by chance. */
const FILES_MAX = 2;

/**
 * Runs tests, and the one or two files that failed once more, by themselves, when everything else has ended: a machine that stalls for
 * seconds must not decide whether a change lands. What passed only then is named in `secondTries`, for it may as well be a race of
 * ours. `run(args, report)` runs Jest with more arguments, writes its JSON report, and answers whether it ended well.
 */
export function withSecondTry(run, scratch, name) {
  const first = runOnce(run, [], join(scratch, `${name}.json`));
  if (first.failedFiles.length === 0 || first.failedFiles.length > FILES_MAX)
    return { ...countsOf(first), secondTries: [] };
  process.stdout.write(`\n=== once more, alone:\n${first.failures.join('\n')}\n`);
  const alone = ['--runInBand', ...first.failedFiles.map(patternOf)];
  const second = runOnce(run, alone, join(scratch, `${name}-again.json`));
  const { passed, failed } = countsOf(second);
  // Of the files that ran twice, only the second run counts.
  return {
    passed: first.passed - first.passedInFailedFiles + passed,
    failed,
    secondTries: failed === 0 ? first.failures : [],
  };
}

function runOnce(run, args, path) {
  const isWell = run(args, path);
  const report = readReport(path);
  const files = report.testResults.filter(({ status }) => status === 'failed');
  return {
    isWell,
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    failedFiles: files.map(({ name }) => name),
    failures: files.flatMap(failuresOf),
    passedInFailedFiles: files.flatMap(({ assertionResults }) => assertionResults).filter(isPassed).length,
  };
}

/** A report that is not there counts as a failure: the tests did not run. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numRuntimeErrorTestSuites: 0, testResults: [] };
  }
}

/** Patterns, unlike paths, leave it to the configuration which project a file belongs to. */
const patternOf = (file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

const isPassed = ({ status }) => status === 'passed';

function failuresOf({ name, assertionResults }) {
  const file = relative(process.cwd(), name);
  const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return tests.length === 0 ? [`${file}: did not run`] : tests.map((test) => `${file}: ${test}`);
}

/** Jest may fail although every test passed; then that is one failure. */
const countsOf = ({ isWell, passed, failed }) => ({ passed, failed: failed + (!isWell && failed === 0 ? 1 : 0) });
