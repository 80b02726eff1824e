import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isInSet } from './.ci/set-patterns.mjs';
import { KINDS, SUITES } from './.ci/suites.mjs';

const JEST_FOLDER = '<rootDir>/packages/testkit/jest';

/** Tests run on the TypeScript sources (the export condition "source"), as ES modules of Node (packages/testkit/jest/native). */
const common = {
  runtime: `${JEST_FOLDER}/native/runtime.mjs`,
  testEnvironment: `${JEST_FOLDER}/native/environment.mjs`,
  injectGlobals: false,
  transform: {},
  globalSetup: `${JEST_FOLDER}/global-setup.mjs`,
  globalTeardown: `${JEST_FOLDER}/global-teardown.mjs`,
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.sluice'],
};

/** Jest replaces `<rootDir>` only at the beginning of a pattern. */
const inRoot = (pattern) => (pattern.startsWith('!') ? `!**/${pattern.slice(1)}` : `<rootDir>/${pattern}`);

function project({ name, kind, files }) {
  const { setup, moduleGraph } = KINDS[kind];
  return {
    ...common,
    displayName: name,
    testMatch: files.map(inRoot),
    setupFiles: ['property-seed', ...setup].map((file) => `${JEST_FOLDER}/${file}.mjs`),
    ...(moduleGraph === undefined ? {} : { testEnvironmentOptions: { moduleGraph } }),
  };
}

const SETS = SUITES.flatMap(({ tier, tests = [] }) => tests.map((set) => ({ ...set, tier })));
/** A Trino with results in an S3-compatible store, which takes many minutes to build (.ci/spooled.mjs). */
const SPOOLED = { name: 'spooled', kind: 'plain', files: ['packages/engine/testing/**/*.spooled.ts'] };

/** Returns the sets to run: `--selectProjects` chooses among all; a file that is named runs in the first set that has it; else `npm test`. */
function chooseSets() {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument.startsWith('--selectProjects'))) return [...SETS, SPOOLED];
  const ofTests = SETS.filter(({ tier }) => tier === 'a');
  const named = args
    .filter((argument) => /\.(?:test|servers)\.ts$/.test(argument) && existsSync(argument))
    .map((argument) => relative(import.meta.dirname, resolve(argument)));
  const firstSets = named.map((file) => SETS.find((set) => isInSet(file, set))).filter(Boolean);
  return [...new Set([...ofTests, ...firstSets])];
}

export default {
  projects: chooseSets().map(project),
  testSequencer: `${JEST_FOLDER}/longest-first.mjs`,
  // Most files wait for a database, a timer or a child process for more than half of their time.
  maxWorkers: 4,
  // Ends a test that hangs. Tests that assert how long something takes do so themselves. Some start a hundred processes: 30 s of processor
  // time, and minutes beside other work.
  testTimeout: 300_000,
  // A worker that has run a hundred files takes longer than the default of 500 ms to free its memory on a busy machine. One that is
  // still there after this time has an open handle, which Jest then reports.
  workerGracefulExitTimeout: 10_000,
};
