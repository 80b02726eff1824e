// Checks and tests the Python package: ruff, mypy, pyright, and pytest against real hosts on DuckDB and, with `servers: ['trino']`, on Trino.
// `--without-trino` leaves the second engine out. Further words are passed to pytest. `--report FILE` writes `{ passed, failed, failures }`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPythonTools } from '../deploy/components/python-tools.mjs';

const FOLDER = resolve('packages/python');
const PYRIGHT = 'pyright@1.1.414';

const { values: options, positionals } = parseArgs({
  options: { report: { type: 'string' }, 'without-trino': { type: 'boolean', default: false } },
  allowPositionals: true,
});

const programs = installPythonTools('python-client', join(FOLDER, 'requirements.txt'));
const scratch = mkdtempSync(join(tmpdir(), 'sluice-python-suite-'));
const environment = {
  ...process.env,
  PATH: `${programs}:${process.env.PATH}`,
  PYTHONPATH: join(FOLDER, 'src'),
  // Tests that import each other leave no files in the checkout.
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs a program in the folder of the package, and returns whether it exited with 0. */
const run = (file, args) => spawnSync(file, args, { cwd: FOLDER, env: environment, stdio: 'inherit' }).status === 0;

/** Returns the counts of a report of pytest in the form of JUnit. */
function readReport(path) {
  const text = readFileSync(path, 'utf8');
  const count = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const failures = [...text.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^>]*><(?:failure|error)/g)];
  return {
    passed: count('tests') - failed,
    failed,
    failures: failures.map(([, file, name]) => `python: ${file} ${name}`),
  };
}

const CHECKS = {
  ruff: ['ruff', ['check', '--no-cache', '.']],
  'ruff format': ['ruff', ['format', '--no-cache', '--check', '.']],
  mypy: ['mypy', ['--cache-dir', join(scratch, 'mypy')]],
  pyright: ['npx', ['--yes', PYRIGHT, '--pythonpath', join(programs, 'python')]],
};

const counts = { passed: 0, failed: 0, failures: [] };
for (const [name, [file, args]] of Object.entries(CHECKS)) {
  if (run(file, args)) counts.passed += 1;
  else {
    counts.failed += 1;
    counts.failures.push(`python: ${name} failed.`);
  }
}
const junit = join(scratch, 'report.xml');
const marker = options['without-trino'] ? ['-m', 'not trino'] : [];
const isPassed = run('pytest', ['-p', 'no:cacheprovider', `--junitxml=${junit}`, ...marker, ...positionals]);
try {
  const tests = readReport(junit);
  counts.passed += tests.passed;
  counts.failed += tests.failed;
  counts.failures.push(...tests.failures);
} catch {
  // pytest ended before it had a report.
}
if (!isPassed && counts.failed === 0) counts.failed = 1;
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
