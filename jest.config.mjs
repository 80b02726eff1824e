import { SHARED_HTTP_TESTS } from './packages/testkit/jest/shared-http-tests.mjs';
import { TIMED_TESTS } from './packages/testkit/jest/timed-tests.mjs';

/** Tests whose results the row writer writes. */
const SQL_ROWS_TESTS = [
  'packages/engine/src/duckdb/{duckdb-engine,early-rows,errors,invalid-text}.test.ts',
  'packages/engine/src/duckdb/{cells,rows}/*.test.ts',
  ...[
    'fidelity',
    'odd-results',
    'outside-stops',
    'query-download-csv',
    'query-download-json',
    'query-download-ndjson',
    'query-stream',
    'query-stream-failures',
    'stops',
  ].map((name) => `services/stream-host/tests/results/${name}.test.ts`),
];

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

/** Promised times are limits as they are, because nothing else runs meanwhile. */
const strict = { setupFiles: [...common.setupFiles, '<rootDir>/packages/testkit/jest/strict-times.mjs'] };

/** Projects that run only when `--selectProjects` names them: they need servers, or a quiet machine. */
const OTHER_PROJECTS = [
  project('load', ['{packages,services}/*/load/**/*.test.ts', ...TIMED_TESTS], strict),
  project('servers', ['{packages,services}/*/{src,tests,testing}/**/*.servers.ts'], strict),
  project(
    'trino',
    SHARED_HTTP_TESTS.map((name) => `services/stream-host/tests/${name}.test.ts`),
    {
      setupFiles: [...strict.setupFiles, '<rootDir>/packages/testkit/jest/on-trino.mjs'],
      // Modules that read SLUICE_TEST_ENGINE when they load are not shared with other projects in the same worker.
      testEnvironmentOptions: { moduleGraph: 'trino' },
    },
  ),
  // Tests of results, once more with rows written by SQL, as where WebAssembly cannot start.
  project('sql-rows', SQL_ROWS_TESTS, {
    setupFiles: [...common.setupFiles, '<rootDir>/packages/testkit/jest/with-sql-rows.mjs'],
    // Modules that read SLUICE_TEST_ROW_WRITER when they load are not shared with other projects in the same worker.
    testEnvironmentOptions: { moduleGraph: 'sql-rows' },
  }),
  project('spooled', ['packages/engine/testing/**/*.spooled.ts']),
];

const isSelecting = process.argv.some((argument) => argument.startsWith('--selectProjects'));

export default {
  projects: isSelecting ? [...LOCAL_PROJECTS, ...OTHER_PROJECTS] : LOCAL_PROJECTS,
  testSequencer: '<rootDir>/packages/testkit/jest/longest-first.mjs',
  // Most files wait for a database, a timer or a child process for more than half of their time.
  maxWorkers: 4,
  // Ends a test that hangs. Tests that assert how long something takes do so themselves. Some start a hundred processes: 30 s of processor
  // time, and minutes beside other work.
  testTimeout: 300_000,
  // A worker that has run a hundred files takes longer than the default of 500 ms to free its memory on a busy machine. One that is
  // still there after this time has an open handle, which Jest then reports.
  workerGracefulExitTimeout: 10_000,
};
