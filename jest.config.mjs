import { SHARED_HTTP_TESTS } from './packages/testkit/jest/shared-http-tests.mjs';

/** Tests run on the TypeScript sources (the export condition "source"), as ES modules of Node (packages/testkit/jest/native). */
const common = {
  runtime: '<rootDir>/packages/testkit/jest/native/runtime.mjs',
  testEnvironment: '<rootDir>/packages/testkit/jest/native/environment.mjs',
  injectGlobals: false,
  transform: {},
  globalSetup: '<rootDir>/packages/testkit/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.mjs',
  setupFiles: ['<rootDir>/packages/testkit/jest/property-seed.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.sluice'],
};

const project = (displayName, testMatch, changes = {}) => ({
  ...common,
  displayName,
  testMatch: testMatch.map((glob) => `<rootDir>/${glob}`),
  ...changes,
});

/** Tests that need no server: DuckDB, and a PostgreSQL that the run starts itself. */
const LOCAL_PROJECTS = [
  project('unit', ['packages/*/{src,tests,testing}/**/*.test.ts', 'services/*/src/**/*.test.ts']),
  project('http', ['services/*/tests/**/*.test.ts']),
];

/** Projects that run only when `--selectProjects` names them: they need servers, or a quiet machine. */
const OTHER_PROJECTS = [
  project('load', ['{packages,services}/*/load/**/*.test.ts']),
  project('servers', ['{packages,services}/*/{src,tests,testing}/**/*.servers.ts']),
  project(
    'trino',
    SHARED_HTTP_TESTS.map((name) => `services/stream-host/tests/${name}.test.ts`),
    {
      setupFiles: [...common.setupFiles, '<rootDir>/packages/testkit/jest/on-trino.mjs'],
      // Modules that read SLUICE_TEST_ENGINE when they load are not shared with other projects in the same worker.
      testEnvironmentOptions: { moduleGraph: 'trino' },
    },
  ),
  project('spooled', ['packages/engine/testing/**/*.spooled.ts']),
];

const isSelecting = process.argv.some((argument) => argument.startsWith('--selectProjects'));

export default {
  projects: isSelecting ? [...LOCAL_PROJECTS, ...OTHER_PROJECTS] : LOCAL_PROJECTS,
  testSequencer: '<rootDir>/packages/testkit/jest/longest-first.mjs',
  // Most files wait for a database, a timer or a child process for more than half of their time.
  maxWorkers: 4,
  // Ends a test that hangs. Tests that assert how long something takes do so themselves.
  testTimeout: 120_000,
  // A worker that has run a hundred files takes longer than the default of 500 ms to free its memory on a busy machine. One that is
  // still there after this time has an open handle, which Jest then reports.
  workerGracefulExitTimeout: 10_000,
};
