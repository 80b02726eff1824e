// Checks and tests the Python package: ruff, mypy, pyright, and pytest against real hosts on DuckDB and, with `servers: ['trino']`, on Trino.
// The tests of types and ways out run also on Python 3.10 with the oldest libraries that the package promises, and on the newest Python.
// `--short`: a minute of tests that need httpx alone. `--without-trino` and `--one-python` leave the other engine and the other Pythons out.
// Further words are passed to pytest. `--report FILE` writes `{ passed, failed, failures }`. With SLUICE_CASES=all, results are cut at 300
// bytes instead of 40.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findPython } from '../deploy/components/find-python.mjs';
import { installPythonTools } from '../deploy/components/python-tools.mjs';

const FOLDER = resolve('packages/python');
const PYRIGHT = 'pyright@1.1.414';
/** Files of tests that import no library of dataframes. */
const SHORT_FILES = ['events', 'transport', 'client', 'proof', 'resuming', 'login'].map(
  (name) => `tests/test_${name}.py`,
);
/** Files of tests that depend on the versions of Python and of the libraries of dataframes. */
const VERSION_FILES = ['events', 'transport', 'files', 'frames', 'client', 'types', 'input', 'dbapi'].map(
  (name) => `tests/test_${name}.py`,
);
const OTHER_PYTHONS = [
  { name: 'oldest', versions: ['3.10'], requirements: 'requirements-oldest.txt' },
  { name: 'newest', versions: ['3.14', '3.13', '3.12'], requirements: 'requirements-newest.txt' },
];

const { values: options, positionals } = parseArgs({
  options: {
    report: { type: 'string' },
    short: { type: 'boolean', default: false },
    'without-trino': { type: 'boolean', default: false },
    'one-python': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const scratch = mkdtempSync(join(tmpdir(), 'sluice-python-suite-'));
const counts = { passed: 0, failed: 0, failures: [] };

/** Runs a program in the folder of the package, and returns whether it exited with 0. */
function run(programs, file, args) {
  const env = {
    ...process.env,
    PATH: `${programs}:${process.env.PATH}`,
    PYTHONPATH: join(FOLDER, 'src'),
    // Tests that import each other leave no files in the checkout.
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return spawnSync(file, args, { cwd: FOLDER, env, stdio: 'inherit' }).status === 0;
}

function fail(what) {
  counts.failed += 1;
  counts.failures.push(`python: ${what}`);
}

/** Returns the counts of a report of pytest in the form of JUnit. */
function readReport(path, suite) {
  const text = readFileSync(path, 'utf8');
  const count = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const failures = [...text.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^>]*><(?:failure|error)/g)];
  return {
    passed: count('tests') - failed,
    failed,
    failures: failures.map(([, file, name]) => `${suite}: ${file} ${name}`),
  };
}

/** Runs pytest, and adds its counts. */
function test(suite, programs, args) {
  const junit = join(scratch, `${suite}.xml`);
  const isPassed = run(programs, 'pytest', ['-p', 'no:cacheprovider', `--junitxml=${junit}`, ...args]);
  let failed = 0;
  try {
    const tests = readReport(junit, suite);
    counts.passed += tests.passed;
    counts.failed += tests.failed;
    counts.failures.push(...tests.failures);
    failed = tests.failed;
  } catch {
    // pytest ended before it had a report.
  }
  if (!isPassed && failed === 0) fail(`pytest (${suite}) failed.`);
}

function check(programs) {
  const checks = {
    ruff: ['ruff', ['check', '--no-cache', '.']],
    'ruff format': ['ruff', ['format', '--no-cache', '--check', '.']],
    mypy: ['mypy', ['--cache-dir', join(scratch, 'mypy')]],
    pyright: ['npx', ['--yes', PYRIGHT, '--pythonpath', join(programs, 'python')]],
  };
  for (const [name, [file, args]] of Object.entries(checks)) {
    if (run(programs, file, args)) counts.passed += 1;
    else fail(`${name} failed.`);
  }
}

function testOtherPython({ name, versions, requirements }) {
  const python = findPython(versions);
  if (python === undefined) {
    fail(`Python ${versions.at(0)} was not found. Install it, or uv, which installs it.`);
    return;
  }
  const programs = installPythonTools(`python-client-${name}`, join(FOLDER, requirements), python);
  test(`python-${name}`, programs, ['-m', 'not trino', ...VERSION_FILES]);
}

if (options.short) {
  const programs = installPythonTools('python-client-short', join(FOLDER, 'requirements-short.txt'));
  test('python-short', programs, ['-m', 'short', ...SHORT_FILES, ...positionals]);
} else {
  const programs = installPythonTools('python-client', join(FOLDER, 'requirements.txt'));
  check(programs);
  test('python', programs, [...(options['without-trino'] ? ['-m', 'not trino'] : []), ...positionals]);
  if (!options['one-python']) OTHER_PYTHONS.forEach(testOtherPython);
}
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
