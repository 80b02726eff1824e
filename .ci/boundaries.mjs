// Checks who imports whom, and that the check still sees: a run without modules or edges, or one that a planted bad import
// passes unseen, is a failure.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

const EDGES_MIN = 300;
const PLANTED = 'packages/contract/src/planted-bad-import.ts';

function cruise(...paths) {
  const args = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...paths];
  const run = spawnSync(process.execPath, [...args, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (run.stdout === '') throw new Error(`dependency-cruiser said nothing: ${run.stderr}`);
  return JSON.parse(run.stdout).summary;
}

function fail(sentence) {
  process.stderr.write(`boundaries: ${sentence}\n`);
  process.exitCode = 1;
}

const summary = cruise('packages', 'services');
for (const { rule, from, to } of summary.violations) fail(`${rule.name}: ${from} imports ${to}`);
if (summary.totalDependenciesCruised < EDGES_MIN) {
  fail(`only ${summary.totalDependenciesCruised} imports were seen, so most of the code was not read`);
}

writeFileSync(
  PLANTED,
  "import { createApp } from '@sluice/http';\nimport express from 'express';\nexport const planted = [createApp, express];\n",
);
try {
  const names = new Set(
    cruise(PLANTED)
      .violations.filter(({ from }) => from === PLANTED)
      .map(({ rule }) => rule.name),
  );
  if (!names.has('contract-imports-what-stands-below')) fail('a planted bad import of a package went unseen');
} finally {
  rmSync(PLANTED);
}

if (process.exitCode === undefined) {
  process.stdout.write(
    `boundaries: ${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports, none where it must not be\n`,
  );
}
