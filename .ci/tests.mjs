// Runs the tests that need no installed server, for .ci/run: `node .ci/tests.mjs local|sql-rows|load --report FILE`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runOnce, runWithSecondTry } from './test-run.mjs';

const SUITES = {
  local: { command: ['npm', 'test', '--'], run: runOnce },
  'sql-rows': {
    command: ['npm', 'run', '--silent', 'jest', '--', '--selectProjects', 'sql-rows', '--maxWorkers=2'],
    run: runOnce,
  },
  load: { command: ['npm', 'run', '--silent', 'test:load', '--'], run: runWithSecondTry },
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } });
const { command, run } = SUITES[positionals[0]];
const scratch = mkdtempSync(join(tmpdir(), 'sluice-tests-'));

function runJest(args, report) {
  const [file, ...rest] = [...command, '--ci', '--json', `--outputFile=${report}`, ...args];
  return spawnSync(file, rest, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

const counts = await run(runJest, scratch, 'tests');
rmSync(scratch, { recursive: true });
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
