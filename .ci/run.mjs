// Runs what must hold before a change lands: the tiers a and b of suites.mjs. `--all` adds tier c, and `--write-times` rewrites times.json.
// Ends with the time of each suite, the slowest test files and the line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runSuites } from './run-suites.mjs';
import { SUITES } from './suites.mjs';

const { values: options } = parseArgs({
  options: { all: { type: 'boolean', default: false }, 'write-times': { type: 'boolean', default: false } },
});

const start = performance.now();
if (
  spawnSync(process.execPath, ['deploy/local/prepare.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
) {
  process.stdout.write(`=== installed and built in ${Math.round((performance.now() - start) / 1000)} s\n`);
  const suites = SUITES.filter(({ tier }) => options.all || tier !== 'c');
  process.exitCode = (await runSuites(suites, { writesTimes: options['write-times'] })) ? 0 : 1;
} else {
  process.stdout.write('\n0 passed, 1 failed\n');
  process.exitCode = 1;
}
