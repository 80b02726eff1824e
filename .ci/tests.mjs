// Runs the tests that need no installed server, for .ci/run: `node .ci/tests.mjs local|sql-rows|load --report FILE`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { patternsWithoutFile } from './patterns-without-file.mjs';
import { runOnce, runWithSecondTry, sumOfCounts } from './test-run.mjs';

const JEST = ['npm', 'run', '--silent', 'jest', '--'];
/** Files that limit the memory of processes or compare bytes, so two of them may run at a time. All others limit times too. */
const MEMORY_TESTS = [
  'api-host/load/',
  'query-worker/load/',
  'stream-host/load/(?:killed-host|long-workbook|wide-parquet)\\.',
];
const LOAD = [...JEST, '--selectProjects', 'load'];

/** The commands of a suite run one after the other. */
const SUITES = {
  local: [['npm', 'test', '--']],
  'sql-rows': [[...JEST, '--selectProjects', 'sql-rows', '--maxWorkers=2']],
  load: [
    [...LOAD, '--maxWorkers=2', '--testPathPatterns', ...MEMORY_TESTS],
    [...LOAD, '--runInBand', '--testPathIgnorePatterns', ...MEMORY_TESTS],
  ],
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } });
const suite = positionals[0];
const commands = SUITES[suite];
const missing = suite === 'load' ? patternsWithoutFile(['load'], MEMORY_TESTS) : [];
if (missing.length > 0) throw new Error(`No test file under load matches ${missing.join(', ')}`);
const scratch = mkdtempSync(join(tmpdir(), 'sluice-tests-'));

const runJest = (command) => (more, report) => {
  // A second try names its files itself, which the options of the first would add to.
  const [file, ...rest] = [...(more.length > 0 ? LOAD : command), '--ci', '--json', `--outputFile=${report}`, ...more];
  return spawnSync(file, rest, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
};

const runSuite = suite === 'load' ? runWithSecondTry : runOnce;
const results = [];
for (const [index, command] of commands.entries())
  results.push(await runSuite(runJest(command), scratch, `tests-${index}`));
rmSync(scratch, { recursive: true });
const counts = sumOfCounts(results);
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
