/**
 * The suites of tests and checks, in the order in which they run. `.ci/run`, `npm run verify` and jest.config.mjs follow from this table, and
 * check-suites.mjs compares package.json and CONTRIBUTING.md with it.
 *
 * - `tier`: `a` is `npm test`. `.ci/run` runs `a` and `b`, `npm run verify` runs `c`.
 * - `shard`: the part of `npm run verify`, of at most ten minutes, to which a suite of tier `c` belongs.
 * - `proves`: what a failure would mean, for people.
 * - `tests`: sets of test files of one kind (`KINDS`), as git's path patterns without braces. Each is a project of jest.config.mjs.
 * - `command`: another program. It takes `--report FILE` and writes `{ passed, failed, files?, failures?, notChecked? }` there as JSON.
 * - `script`: a script of package.json, which only exits with 0 or not.
 * - `options`: further options of Jest.
 * - `environment`: variables of the tests or the program. `SLUICE_CASES=all` runs the long forms of tests.
 * - `workers`: Jest's workers. One where times or descriptors are limited, because nothing else runs meanwhile.
 * - `stage`: suites with the same one run at the same time.
 * - `components`: what deploy/components installs for the tests to start. `servers` are started before the suite.
 * - `programs`: what people install, with which the suite installs the rest itself.
 * - `node`: `image` is the Node.js of the images, `other` the supported one that is not installed (nodes.mjs).
 * - `inputs`: paths and patterns of what the suite tests, for `npm run verify -- --changed`. Its own test files are added.
 */
import { SHARED_HTTP_TESTS } from '../packages/testkit/jest/shared-http-tests.mjs';

/** Settings of the tests of one kind: setup files of packages/testkit/jest, and a graph of modules of their own. */
export const KINDS = {
  plain: { setup: [] },
  /** Modules that read SLUICE_TEST_ENGINE when they load are not shared with other tests in the same worker. */
  trino: { setup: ['on-trino'], moduleGraph: 'trino' },
  /** Nothing that a module of this repository keeps reaches another test file. */
  alone: { setup: [], moduleGraph: 'of-each-file' },
};

const API = 'services/api-host/tests';
const STREAM = 'services/stream-host/tests';
const EMBEDDED = 'services/embedded/tests';
const under = (folder, names) => names.map((name) => `${folder}/${name}.test.ts`);
const servers = (folder, names) => names.map((name) => `${folder}/${name}.servers.ts`);

/**
 * Tests that take more processor time than a file of `npm test` may, of what must never happen: a changed value, a part of a result that looks
 * whole, a query without its client, an audit log that misses or repeats, a way around the guard or the login.
 */
const DEEP = [
  ...[
    'cells/every-type',
    'duckdb-engine',
    'guard/argument-values',
    'guard/text-functions',
    'parquet/write-stored-parquet',
    'typed-path/bad-input',
    'typed-path/random-values',
    'typed-path/sheet-cells',
    'typed-path/typed-result',
  ].map((name) => `packages/engine/src/duckdb/${name}.test.ts`),
  'packages/encoders/src/zip/zip-writer.test.ts',
  'packages/engine/src/stored/write-stored-rows.test.ts',
  'packages/query-worker/src/pool/worker-pool.test.ts',
  'packages/query-worker/src/parent/kept-rows.test.ts',
  'packages/query-worker/src/parent/stored-job.test.ts',
  'services/embedded/src/demo/demo-data.test.ts',
  'services/embedded/src/files/files-catalog.test.ts',
  ...under(STREAM, [
    'audit/audit-outcome',
    'door/answer-catalogue',
    'door/kept-pages',
    'door/shared-answers',
    'door/trino-client',
    'marketplace/marketplace-download',
    'operations/outage',
    'operations/row-writer',
    'operations/shutdown',
    'queries/slow-reader',
    'queries/stop-reasons',
    'queries/tenant-limits',
    'results/detached-queries',
    'results/fidelity',
    'results/kept-results',
    'results/outside-stops',
    'results/query-download-parquet',
    'results/query-download-xlsx',
    'results/query-stream',
    'results/resumed-events',
    'results/stops',
  ]),
  ...under(API, [
    'audit/audit-evidence',
    'audit/audit-forgery',
    'audit/audit-page-text',
    'catalog/metadata-file-import',
    'identity/oauth-attacks',
    'identity/oauth-refusals',
    'identity/return-to',
    'identity/single-sign-on-refused',
    'operations/outage',
  ]),
  ...under(EMBEDDED, [
    'audit/audit-scenarios',
    'audit/tables-read',
    'cli/download*',
    'cli/login',
    'cli/process-end',
    'cli/query',
    'identity/credential-matrix',
    'operations/rotate-keys',
    'queries/administration',
    'queries/client-cuts',
    'queries/client-hostile-host',
    'queries/client-query',
    'queries/client-resume',
  ]),
];

/** The other tests that take more processor time than a file of `npm test` may. */
const DEEP_FULL = [
  ...under(STREAM, [
    'audit/audit-kill',
    'door/lost-workers',
    'operations/tracing',
    'results/killed-keeping',
    'results/reused-results',
    'results/result-shares',
    'trino/trino-faults',
  ]),
  ...under(API, [
    'catalog/harvest',
    'catalog/metadata-file-bad-input',
    'catalog/metadata-file-export',
    'catalog/metadata-file-round-trip',
    'datamaps/datamap-description',
  ]),
  ...under(EMBEDDED, [
    'audit/message-search',
    'audit/metadata-reads',
    'cli/audit-*',
    'cli/browse',
    'cli/doctor',
    'cli/market*',
    'cli/metadata-file*',
    'cli/oauth-login',
    'cli/proxies',
    'cli/query-terminal',
    'cli/result',
    'cli/sql',
    'cli/table-names',
    'marketplace/mail-faults',
    'operations/incremental-marking',
    'operations/operate-tenants',
    'operations/signing-keys',
    'queries/waiting-callers',
  ]),
];

/** Runs of the same tests again, or of tests of files that others make, so that one failure here adds little to those of `npm test`. */
const LONG = {
  hostileHost: under(EMBEDDED, ['cli/hostile-host']),
  auditField: under(API, ['audit/add-audit-field']),
  packages: ['packages/cli/tests/package.test.ts', 'packages/client/tests/package.test.ts'],
  search: ['packages/bench/src/scenarios/search.test.ts'],
};
/** Tests with a long form that neither `exact-long` nor a suite of servers runs. */
const LONG_FORMS = [
  'packages/engine/src/statement-lexer.test.ts',
  'packages/engine/src/stored/write-stored-rows.test.ts',
  'packages/engine/src/trino/**/*.test.ts',
  'packages/http/src/response/compressed-stream.test.ts',
  'packages/query-worker/src/pool/admission/admission-histories.test.ts',
  'packages/trino-protocol/src/linear-time.test.ts',
  'services/api-host/src/use-cases/catalog/table-beginning.test.ts',
  'services/api-host/src/use-cases/identity/check-return-to.test.ts',
  ...under(API, ['audit/audit-tampering', 'catalog/metadata-file-kill']),
  ...under(STREAM, ['marketplace/marketplace-corners', 'queries/concurrency', 'queries/stored-statements']),
  ...under(EMBEDDED, [
    'cli/environment-session',
    'queries/client-cuts',
    'queries/client-kept-results',
    'queries/client-resume',
  ]),
];
/** Tests that run in their long form only, in `exact-long`, `long-forms` or `cli-full`. */
const ONLY_LONG = [
  ...under(API, ['catalog/metadata-file-kill']),
  ...under(STREAM, [
    'marketplace/marketplace-corners',
    'queries/concurrency',
    'results/generated-fidelity',
    'results/kept-downloads',
  ]),
  ...under(EMBEDDED, ['cli/environment-session', 'cli/faults', 'queries/client-kept-results']),
];
const NOT_IN_A = [...DEEP, ...DEEP_FULL, ...ONLY_LONG, ...Object.values(LONG).flat()];

const except = (patterns) => patterns.map((pattern) => `!${pattern}`);

const UNITS = [
  ...['src', 'tests', 'testing'].map((folder) => `packages/*/${folder}/**/*.test.ts`),
  'services/*/src/**/*.test.ts',
  ...except(NOT_IN_A.filter((file) => file.startsWith('packages/') || file.includes('/src/'))),
];

/**
 * Files that limit the memory of processes or compare bytes, or need a million rows, so two of them may run at a time. All others under
 * load limit times too.
 */
const LOAD_OF_MEMORY = [
  'packages/store/load/old-rows.test.ts',
  'packages/query-worker/load/bad-results.test.ts',
  'packages/query-worker/load/worker-limits.test.ts',
  'services/api-host/load/login-storm.test.ts',
  'services/api-host/load/metadata-file-memory.test.ts',
  'services/embedded/load/cli-metadata-memory.test.ts',
  'services/embedded/load/cli-query-memory.test.ts',
  'services/stream-host/load/door-half-read.test.ts',
  'services/stream-host/load/killed-host.test.ts',
  'services/stream-host/load/long-kept-download.test.ts',
  'services/stream-host/load/long-workbook.test.ts',
  'services/stream-host/load/wide-parquet.test.ts',
];

/** Whole runs of `npm start`, and what happens to them when a disk is full. The suite `docs` starts it for each change. */
const LOAD_OF_EMBEDDED = ['audit-wal-full', 'disk-full', 'embedded'].map(
  (name) => `services/embedded/load/${name}.test.ts`,
);

/** Promised times while a service is lost, a disk or a processor is busy, or much is stopped at once. */
const LOAD_OF_OUTAGES = [
  'packages/query-worker/load/pooled-engine.test.ts',
  'services/api-host/load/outage-times.test.ts',
  'services/api-host/load/provider-times.test.ts',
  'services/embedded/load/admin-stop-times.test.ts',
  'services/embedded/load/busy-start.test.ts',
  'services/stream-host/load/account-share-times.test.ts',
  'services/stream-host/load/outage-times.test.ts',
  'services/stream-host/load/shutdown-times.test.ts',
];

/** Shared HTTP tests that run on Trino for each change. All others of them run on Trino in `trino-full`. */
const ON_TRINO = ['results/query-download-json', 'results/query-stream', 'results/stops'];
const TRINO_CORE = [
  'packages/engine/testing/trino-contract.servers.ts',
  'packages/engine/testing/trino-values.servers.ts',
  ...servers(STREAM, ['trino/on-trino', 'trino/trino-catalog-isolation', 'results/trino-fidelity']),
];
/** They limit the end of a query on Trino to one second, so nothing else runs meanwhile. */
const TRINO_QUIET = servers(STREAM, ['trino/trino-stops']);
const TRINO_FULL = [
  'packages/engine/testing/trino-credentials.servers.ts',
  'packages/engine/testing/trino-kept.servers.ts',
  ...servers(API, ['catalog/trino-harvest', 'datamaps/trino-datamap-reads']),
  ...servers(EMBEDDED, ['trino-start', 'audit/tables-read-on-trino', 'operations/trino-credentials-rotation']),
  ...servers(STREAM, ['results/kept-trino-downloads', 'trino/trino-shared-results', 'trino/trino-slow-reader']),
];

/** Third-party clients of Trino: what they do with Trino and with the door, and what they do when requests and processes end. */
const TRINO_CLIENTS = [
  ...servers(STREAM, ['door/clients/clients-on-*', 'door/clients/external-*', 'door/clients/generated-*']),
  ...servers(EMBEDDED, ['queries/trino-drivers']),
];
/** Superset, which takes some minutes to install the first time. */
const TRINO_SUPERSET = servers(STREAM, ['door/clients/superset']);
const TRINO_CLIENT_FAULTS = servers(STREAM, [
  'door/clients/faulty-*',
  'door/clients/killed-*',
  'door/clients/two-hosts-*',
]);

/** Pages that every person passes: the door, a query with its result in any state, downloads, data found. */
const CONSOLE_CORE = servers(`${EMBEDDED}/console`, [
  'downloads',
  'find-data',
  'first-query',
  'result-grid',
  'result-states',
  'session',
]);
/** Pages of those who describe, own, watch and administer. */
const CONSOLE_DESKS = servers(`${EMBEDDED}/console`, [
  'account',
  'administration',
  'administration-apply',
  'administration-faults',
  'administration-programs',
  'administration-provider',
  'audit*',
  'datamap-lifecycle',
  'describe-fields',
  'edit-*',
  'hostile-marketplace',
  'import-metadata',
  'invite-users',
  'item-facts',
  'layout-sweep',
  'marketplace-faults',
  'metadata-files',
  'page-reads',
  'phone',
  'steward-desk',
]);
/** It limits the frame times of Chromium. */
const CONSOLE_QUIET = servers(`${EMBEDDED}/console`, ['result-speed']);
const CONSOLE_WITH_SERVERS = servers(`${EMBEDDED}/console`, [
  'keycloak-and-trino',
  'keycloak-sign-on',
  'provider-login',
]);

const HOSTS = ['packages', 'services'];
const ENGINE = ['packages/engine', 'packages/query-worker', 'packages/encoders', 'packages/tenant-engines'];
const CLIENTS = ['packages/client', 'packages/cli', 'packages/contract'];
const PAGES = [
  'packages/console',
  'packages/client',
  'packages/contract',
  'services/api-host/src',
  'services/stream-host/src',
];
const LOCK = ['pnpm-lock.yaml'];

export const SUITES = [
  ...[
    ['lint', 'style and mistakes that Biome finds'],
    ['style', 'the words of docs/style.md'],
    ['typecheck', 'types, of tests too'],
    ['boundaries', 'imports, folders, unused exports'],
    ['suites', 'this table, the scripts and the table of CONTRIBUTING.md'],
  ].map(([name, proves]) => ({ name, tier: 'b', stage: 'static', proves, script: name })),
  {
    name: 'tests',
    tier: 'a',
    proves: 'units, and both hosts over HTTP with PostgreSQL and DuckDB',
    tests: [
      {
        name: 'unit',
        kind: 'plain',
        files: UNITS,
      },
      {
        name: 'http',
        kind: 'plain',
        files: ['services/*/tests/**/*.test.ts', ...except(NOT_IN_A.filter((file) => file.startsWith('services/')))],
      },
    ],
    workers: 4,
  },
  {
    name: 'deep',
    tier: 'b',
    proves: 'values, stops, cuts, records, the guard and logins under faults, on the Node.js of the images',
    tests: [{ name: 'deep', kind: 'plain', files: DEEP }],
    workers: 4,
    node: 'image',
  },
  {
    name: 'load',
    tier: 'b',
    proves: 'promised times, the ends of processes, slow readers',
    tests: [
      {
        name: 'load',
        kind: 'plain',
        files: [
          ...['packages/*/load/**/*.test.ts', 'services/*/load/**/*.test.ts'],
          ...except([...LOAD_OF_MEMORY, ...LOAD_OF_EMBEDDED, ...LOAD_OF_OUTAGES]),
        ],
      },
    ],
    workers: 1,
  },
  {
    name: 'openapi',
    tier: 'b',
    stage: 'documents',
    proves: 'both OpenAPI documents: each branch of the schemas of the stream host, random requests to the API host',
    command: ['node', '.ci/openapi.mjs'],
  },
  {
    name: 'docs',
    tier: 'b',
    stage: 'documents',
    proves: 'every command and snippet of README.md, docs/ and examples/, and their output',
    command: ['node', '.ci/docs.mjs'],
  },
  {
    name: 'python-short',
    tier: 'b',
    stage: 'documents',
    proves: 'rows, downloads and their proofs of the Python package, with httpx alone',
    command: ['node', '.ci/python.mjs', '--short'],
    programs: ['python3'],
  },
  {
    name: 'redis',
    tier: 'b',
    stage: 'servers',
    proves: 'shared state of several hosts in a real Redis, and its loss',
    tests: [
      {
        name: 'redis',
        kind: 'plain',
        files: [
          'packages/shared-state/testing/redis-contract.servers.ts',
          'packages/jobs/testing/redis-contract.servers.ts',
          'packages/shared-state/testing/redis-outage.servers.ts',
          ...servers(EMBEDDED, ['operations/redis-replicas']),
        ],
      },
    ],
    workers: 4,
    components: ['redis'],
  },
  {
    name: 'postgres',
    tier: 'b',
    stage: 'servers',
    proves: 'migrations and limits on PostgreSQL 14 and 18, and an outage',
    tests: [
      {
        name: 'postgres',
        kind: 'plain',
        files: [
          'packages/store/testing/postgres-versions.servers.ts',
          ...servers(STREAM, ['operations/postgres-outage']),
        ],
      },
    ],
    workers: 2,
    components: ['postgres'],
  },
  {
    // It limits the tasks of a page, so nothing else runs meanwhile: beside two other suites, one of 15,732 tasks took 409 ms, and alone 15.
    name: 'browser',
    tier: 'b',
    proves: 'the client, and downloads, in a real Chromium',
    tests: [
      {
        name: 'browser',
        kind: 'plain',
        files: [...servers(EMBEDDED, ['queries/chromium-client']), ...servers(STREAM, ['results/chromium-downloads'])],
      },
    ],
    workers: 1,
    components: ['chromium'],
  },
  {
    name: 'trino',
    tier: 'b',
    proves: 'results, stops, failures and isolation on a real Trino',
    tests: [
      { name: 'trino servers', kind: 'plain', files: TRINO_CORE },
      { name: 'trino', kind: 'trino', files: under(STREAM, ON_TRINO) },
    ],
    workers: 3,
    servers: ['trino'],
  },
  {
    name: 'trino-stops',
    tier: 'b',
    proves: 'a query on Trino ends within a second of its client',
    tests: [{ name: 'trino-stops', kind: 'plain', files: TRINO_QUIET }],
    workers: 1,
    servers: ['trino'],
  },
  {
    name: 'console',
    tier: 'b',
    proves: 'the main pages of the console in a real Chromium',
    tests: [{ name: 'console', kind: 'plain', files: CONSOLE_CORE }],
    workers: 2,
    components: ['chromium'],
  },
  {
    name: 'deep-full',
    tier: 'c',
    shard: 13,
    proves: 'kills, large files, operator and command line programs, on the Node.js of the images',
    tests: [{ name: 'deep-full', kind: 'plain', files: DEEP_FULL }],
    workers: 4,
    node: 'image',
    inputs: [...HOSTS, ...LOCK],
  },
  {
    name: 'load-outages',
    tier: 'c',
    shard: 13,
    proves: 'promised times while services are lost, processors are busy, and all is stopped',
    tests: [{ name: 'load-outages', kind: 'plain', files: LOAD_OF_OUTAGES }],
    workers: 1,
    inputs: ['services/*/src/**', 'packages/http', 'packages/host-runtime', 'packages/query-worker', 'packages/store'],
  },
  {
    name: 'console-full',
    tier: 'c',
    shard: 1,
    proves: 'all other pages of the console, and each state in both themes and widths',
    tests: [
      {
        name: 'console-full',
        kind: 'plain',
        files: [
          `${EMBEDDED}/console/*.servers.ts`,
          ...except([...CONSOLE_CORE, ...CONSOLE_DESKS, ...CONSOLE_QUIET, ...CONSOLE_WITH_SERVERS]),
        ],
      },
    ],
    workers: 2,
    components: ['chromium'],
    environment: { SLUICE_CASES: 'all' },
    inputs: [...PAGES, ...LOCK],
  },
  {
    name: 'console-desks',
    tier: 'c',
    shard: 2,
    proves: 'pages of stewards, owners, auditors and administrators, on a phone too',
    tests: [{ name: 'console-desks', kind: 'plain', files: CONSOLE_DESKS }],
    workers: 2,
    components: ['chromium'],
    environment: { SLUICE_CASES: 'all' },
    inputs: [...PAGES, ...LOCK],
  },
  {
    name: 'console-speed',
    tier: 'c',
    shard: 1,
    proves: 'frame times of long results',
    tests: [{ name: 'console-speed', kind: 'plain', files: CONSOLE_QUIET }],
    workers: 1,
    components: ['chromium'],
    inputs: [...PAGES, ...LOCK],
  },
  {
    name: 'trino-full',
    tier: 'c',
    shard: 3,
    proves: 'all other shared tests of the stream host on Trino, credentials, harvest',
    tests: [
      { name: 'trino-full servers', kind: 'plain', files: TRINO_FULL },
      {
        name: 'trino-full',
        kind: 'trino',
        files: under(
          STREAM,
          SHARED_HTTP_TESTS.filter((name) => !ON_TRINO.includes(name)),
        ),
      },
    ],
    workers: 3,
    servers: ['trino'],
    inputs: [...ENGINE, 'services/stream-host/src', 'services/api-host/src', 'deploy/components'],
  },
  {
    name: 'keycloak',
    tier: 'c',
    shard: 2,
    proves: 'single sign-on with a real Keycloak, also of the command line, and from the console to Trino',
    tests: [
      {
        name: 'keycloak',
        kind: 'plain',
        files: [...servers(API, ['identity/keycloak-sso']), ...CONSOLE_WITH_SERVERS],
      },
    ],
    workers: 1,
    components: ['chromium'],
    servers: ['keycloak', 'trino'],
    inputs: [
      'packages/auth',
      'packages/cli',
      'packages/client',
      'packages/console',
      'services/api-host/src',
      'deploy/keycloak',
      'deploy/components',
    ],
  },
  {
    name: 'oauth-clients',
    tier: 'c',
    shard: 2,
    proves: 'logins of programs with third-party libraries, in JavaScript, Python and Go',
    tests: [{ name: 'oauth-clients', kind: 'plain', files: servers(API, ['identity/oauth-clients']) }],
    workers: 1,
    programs: ['go', 'python3'],
    inputs: ['packages/auth', 'packages/contract/src/identity', 'packages/store/src/identity', 'services/api-host/src'],
  },
  {
    name: 'trino-door-clients',
    tier: 'c',
    shard: 6,
    proves: 'clients of Trino in Python, Java, Go and JavaScript do with the door what they do with Trino',
    tests: [{ name: 'trino-door-clients', kind: 'plain', files: TRINO_CLIENTS }],
    workers: 1,
    programs: ['go', 'javac', 'mvn', 'python3'],
    components: ['trino-clients'],
    servers: ['trino'],
    inputs: [...ENGINE, 'packages/trino-protocol', 'services', 'deploy/components'],
  },
  {
    name: 'trino-door-superset',
    tier: 'c',
    shard: 12,
    proves: 'Apache Superset does with the door what it does with Trino',
    tests: [{ name: 'trino-door-superset', kind: 'plain', files: TRINO_SUPERSET }],
    workers: 1,
    programs: ['python3'],
    servers: ['trino'],
    inputs: [...ENGINE, 'packages/trino-protocol', 'services/stream-host/src', 'deploy/components'],
  },
  {
    name: 'trino-door-faults',
    tier: 'c',
    shard: 7,
    proves: 'no client of Trino takes a part of a result for the whole when requests, workers and hosts are lost',
    tests: [{ name: 'trino-door-faults', kind: 'plain', files: TRINO_CLIENT_FAULTS }],
    workers: 1,
    programs: ['go', 'javac', 'mvn', 'python3'],
    components: ['trino-clients'],
    servers: ['trino'],
    inputs: [...ENGINE, 'packages/trino-protocol', 'services/stream-host/src', 'deploy/components'],
  },
  {
    name: 'mutants',
    tier: 'c',
    shard: 3,
    proves: 'tests of `npm test` and `.ci/run` fail when a guard of the product is broken',
    command: ['node', '--disable-warning=ExperimentalWarning', '.ci/test-mutants.mjs', '--set', 'product'],
    inputs: ['packages', 'services', '.ci'],
  },
  {
    name: 'auth-mutants',
    tier: 'c',
    shard: 4,
    proves: 'tests of `npm test` fail when a guard of the authentication is broken',
    command: ['node', '--disable-warning=ExperimentalWarning', '.ci/test-mutants.mjs', '--set', 'authentication'],
    inputs: ['packages/auth', 'packages/store', 'services/api-host', '.ci'],
  },
  {
    name: 's3',
    tier: 'c',
    shard: 3,
    proves: 'kept results in an S3-compatible bucket',
    tests: [{ name: 's3', kind: 'plain', files: ['packages/result-store/testing/s3-contract.servers.ts'] }],
    workers: 1,
    servers: ['s3'],
    inputs: ['packages/result-store'],
  },
  {
    name: 'redis-full',
    tier: 'c',
    shard: 3,
    proves: 'bad starts, outages and the audit log with Redis',
    tests: [
      {
        name: 'redis-full',
        kind: 'plain',
        files: [
          ...servers(API, ['audit/redis-audit']),
          ...servers(EMBEDDED, ['operations/redis-bad-starts', 'operations/redis-outage']),
        ],
      },
    ],
    workers: 4,
    components: ['redis'],
    inputs: [
      'packages/shared-state',
      'packages/jobs',
      'packages/audit',
      'packages/host-runtime',
      'services/api-host/src',
    ],
  },
  {
    name: 'postgres-majors',
    tier: 'c',
    shard: 6,
    proves: 'PostgreSQL 14 to 18, TLS, outages of both hosts',
    tests: [
      {
        name: 'postgres-majors',
        kind: 'plain',
        files: [
          'packages/store/testing/postgres-*.servers.ts',
          ...[API, STREAM].flatMap((folder) => servers(folder, ['operations/postgres-outage'])),
        ],
      },
    ],
    workers: 2,
    components: ['postgres'],
    environment: { SLUICE_CASES: 'all' },
    inputs: ['packages/store', 'services/api-host/src/commands', 'deploy/postgres', 'deploy/components'],
  },
  {
    name: 'load-memory',
    tier: 'c',
    shard: 7,
    proves: 'memory of programs and of half-read results, logins at the production cost, removal of a million rows',
    tests: [{ name: 'load-memory', kind: 'plain', files: LOAD_OF_MEMORY }],
    workers: 2,
    inputs: [...ENGINE, 'packages/http', 'packages/auth', 'packages/store', 'services/*/src/**'],
  },
  {
    name: 'load-embedded',
    tier: 'c',
    shard: 6,
    proves: '`npm start`: its starts, stops, lost processes, and full disks',
    tests: [{ name: 'load-embedded', kind: 'plain', files: LOAD_OF_EMBEDDED }],
    workers: 1,
    inputs: ['services', 'packages/host-runtime', 'packages/audit', 'packages/store', 'deploy/bundles', 'deploy/local'],
  },
  {
    name: 'exact-long',
    tier: 'c',
    shard: 11,
    proves: 'values and bytes in the long forms of the tests: the row writer, all lengths, the corpus of the guard',
    tests: [
      {
        name: 'exact-long',
        kind: 'plain',
        files: [
          ...LONG.search,
          ...under(STREAM, [
            'results/fidelity',
            'results/generated-fidelity',
            'results/kept-downloads',
            'results/kept-results',
            'results/resumed-events',
            'results/stops',
            'results/outside-stops',
          ]),
          'packages/engine/src/duckdb/**/*.test.ts',
          'packages/engine/src/linear-time.test.ts',
          'packages/http/src/request/linear-time.test.ts',
        ],
      },
    ],
    workers: 4,
    environment: { SLUICE_CASES: 'all' },
    inputs: [...ENGINE, 'packages/http', 'services/stream-host/src'],
  },
  {
    name: 'long-forms',
    tier: 'c',
    shard: 12,
    proves: 'cuts, kills, histories and random inputs in the long forms of the tests of the hosts and the client',
    tests: [{ name: 'long-forms', kind: 'plain', files: LONG_FORMS }],
    workers: 3,
    environment: { SLUICE_CASES: 'all' },
    inputs: [...HOSTS, ...CLIENTS],
  },
  {
    name: 'cli-full',
    tier: 'c',
    shard: 5,
    proves: 'the command line in a process of its own for each case, and against hostile hosts',
    tests: [{ name: 'cli-full', kind: 'plain', files: [...under(EMBEDDED, ['cli/faults']), ...LONG.hostileHost] }],
    workers: 2,
    environment: { SLUICE_CASES: 'all' },
    inputs: CLIENTS,
  },
  {
    name: 'npm-packages',
    tier: 'c',
    shard: 4,
    proves: 'the packages of the client and the command line, packed, installed and used',
    tests: [{ name: 'npm-packages', kind: 'plain', files: LONG.packages }],
    workers: 2,
    programs: ['python3'],
    inputs: [...CLIENTS, ...LOCK],
  },
  {
    name: 'python',
    tier: 'c',
    shard: 5,
    proves: 'the Python package: types of both engines, cuts, wrong receipts, logins, notebooks, other Pythons',
    command: ['node', '.ci/python.mjs'],
    environment: { SLUICE_CASES: 'all' },
    programs: ['python3'],
    servers: ['trino'],
    inputs: ['packages/python', 'packages/contract', 'services/stream-host/src', 'docs/values.md', 'docs/python.md'],
  },
  {
    name: 'audit-field',
    tier: 'c',
    shard: 4,
    proves: 'a field added to the audit log as CONTRIBUTING.md describes',
    tests: [{ name: 'audit-field', kind: 'plain', files: LONG.auditField }],
    workers: 1,
    inputs: ['packages/audit', 'packages/store', 'packages/contract/src/audit', 'CONTRIBUTING.md'],
  },
  {
    name: 'node-other',
    tier: 'c',
    shard: 8,
    proves: 'units and the row writer on the other supported Node.js',
    tests: [{ name: 'node-other', kind: 'plain', files: [...UNITS, ...under(STREAM, ['operations/row-writer'])] }],
    workers: 3,
    node: 'other',
    inputs: [...HOSTS, ...LOCK],
  },
  {
    name: 'node-other-memory',
    tier: 'c',
    shard: 8,
    proves: 'the memory of workers on the other supported Node.js',
    tests: [
      {
        name: 'node-other-memory',
        kind: 'plain',
        files: [
          'packages/query-worker/load/worker-limits.test.ts',
          'services/stream-host/load/containment.test.ts',
          'services/stream-host/load/wide-parquet.test.ts',
        ],
      },
    ],
    workers: 1,
    node: 'other',
    inputs: [...ENGINE, 'services/stream-host/src', ...LOCK],
  },
  {
    name: 'test-order',
    tier: 'c',
    shard: 8,
    proves: 'units in a random order, and with modules of their own for each file',
    tests: [{ name: 'test-order', kind: 'alone', files: UNITS }],
    options: ['--randomize', '--workerIdleMemoryLimit=2GB'],
    workers: 3,
    inputs: [...HOSTS, ...LOCK],
  },
  {
    name: 'node-versions',
    tier: 'c',
    shard: 4,
    proves: 'a version of Node.js that is too old is rejected with one sentence',
    command: ['node', '.ci/node-versions.mjs'],
    inputs: ['deploy/local', 'package.json'],
  },
  {
    name: 'versions',
    tier: 'c',
    shard: 4,
    proves: 'no pinned version is older than the newest patch release on npm',
    command: ['node', '.ci/versions.mjs'],
    inputs: ['package.json', 'packages/*/package.json', 'services/*/package.json', 'pnpm-workspace.yaml', ...LOCK],
  },
  {
    name: 'openapi-full',
    tier: 'c',
    shard: 9,
    proves: 'each branch of the schemas of the API host, random requests and sequences of them to both hosts',
    command: ['node', '.ci/openapi.mjs', '--random'],
    programs: ['python3'],
    inputs: ['packages/contract', 'packages/http', 'services/*/src/**', '.ci/openapi'],
  },
  {
    name: 'metrics',
    tier: 'c',
    shard: 8,
    proves: 'dashboards and alerts on a real Prometheus',
    tests: [{ name: 'metrics', kind: 'plain', files: servers(EMBEDDED, ['operations/metrics-alerts']) }],
    workers: 1,
    components: ['prometheus'],
    inputs: ['packages/observability', 'deploy/helm/sluice', 'packages/audit', 'services/*/src/**'],
  },
  {
    name: 'keyring',
    tier: 'c',
    shard: 5,
    proves: 'logins of the command line and of the Python package in a real GNOME Keyring',
    tests: [{ name: 'keyring', kind: 'plain', files: servers(EMBEDDED, ['cli/keyring-login']) }],
    workers: 1,
    components: ['gnome-keyring'],
    programs: ['python3'],
    inputs: ['packages/cli', 'packages/python/src'],
  },
  {
    name: 'shells',
    tier: 'c',
    shard: 5,
    proves: 'completion in real bash, zsh and fish',
    tests: [{ name: 'shells', kind: 'plain', files: servers(EMBEDDED, ['cli/shell-completion']) }],
    workers: 1,
    components: ['shells'],
    inputs: ['packages/cli'],
  },
  {
    name: 'backup',
    tier: 'c',
    shard: 8,
    proves: 'backup and restore with pg_dump and pg_restore',
    tests: [{ name: 'backup', kind: 'plain', files: servers(EMBEDDED, ['operations/backup-restore']) }],
    workers: 1,
    components: ['postgres-client'],
    inputs: ['packages/store', 'deploy/postgres', 'docs/operations.md'],
  },
  {
    name: 'chart',
    tier: 'c',
    shard: 10,
    stage: 'deployment',
    proves: 'the Helm chart, rendered',
    command: ['node', 'deploy/helm/checks/check-chart.mjs'],
    programs: ['go', 'python3'],
    inputs: ['deploy/helm', 'services/*/src/config.ts', 'packages/host-runtime/src/settings'],
  },
  {
    name: 'images',
    tier: 'c',
    shard: 10,
    stage: 'deployment',
    proves: 'the files and processes of the images, on DuckDB and Trino',
    command: ['node', 'deploy/docker/check-images.mjs', '--with-trino'],
    programs: ['python3', 'mvn'],
    inputs: ['deploy/docker', 'deploy/bundles', 'services/*/src/**', ...LOCK],
  },
  {
    name: 'upgrade',
    tier: 'c',
    shard: 10,
    stage: 'deployment',
    proves: 'hosts of the release before beside those of this one',
    command: ['node', 'deploy/upgrade/check-upgrade.mjs'],
    inputs: ['packages/store', 'packages/contract', 'deploy/upgrade'],
  },
  {
    name: 'proxies',
    tier: 'c',
    shard: 9,
    proves: 'streams and downloads through nginx and HAProxy',
    command: ['node', 'deploy/proxies/checks/check-proxies.mjs'],
    components: ['nginx', 'haproxy'],
    inputs: ['deploy/proxies', 'packages/http', 'services/stream-host/src'],
  },
];

/** Scripts of package.json that run suites, for people who know what they changed. */
export const SUITE_SCRIPTS = {
  'test:load': ['load', 'load-outages', 'load-memory', 'load-embedded'],
  'test:redis': ['redis', 'redis-full'],
  'test:postgres': ['postgres', 'postgres-majors'],
  'test:trino': ['trino', 'trino-stops', 'trino-full'],
  'test:keycloak': ['keycloak'],
  'test:oauth-clients': ['oauth-clients'],
  'test:trino-door': ['trino-door-clients', 'trino-door-superset', 'trino-door-faults'],
  'test:browser': ['browser'],
  'test:console': ['console', 'console-full', 'console-desks', 'console-speed'],
  'test:metrics': ['metrics'],
  'test:keyring': ['keyring'],
  'test:shells': ['shells'],
  'test:backup': ['backup'],
  'test:mutants': ['mutants', 'auth-mutants'],
  'test:openapi': ['openapi'],
  'test:chart': ['chart'],
  'test:images': ['images'],
  'test:upgrade': ['upgrade'],
  'test:proxy': ['proxies'],
};
