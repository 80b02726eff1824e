/** Import rules (docs/architecture.md). `.ci/boundaries.mjs` runs them, and checks that they find planted violations. */
const only = (name, to, from) => ({
  name: `${name}-only-in-its-folder`,
  severity: 'error',
  comment: `${name} may be imported in ${from} alone.`,
  from: {
    path: '^(packages|services)/',
    pathNot: [from, '\\.test\\.ts$', '/(tests|testing|load)/', '^packages/testkit/'],
  },
  to: { path: to },
});

const npm = (names) => `node_modules/(${names})/`;

/** Packages below http and the hosts, and what each may use of the others. */
const SIBLINGS = {
  contract: [],
  config: ['contract'],
  observability: ['contract'],
  encoders: ['contract'],
  engine: ['contract', 'encoders'],
  'result-store': ['contract'],
  'query-worker': ['contract', 'encoders', 'engine', 'result-store', 'shared-state'],
  'tenant-engines': ['contract', 'config', 'engine', 'query-worker', 'shared-state'],
  audit: ['contract', 'encoders'],
  jobs: ['contract'],
  mail: [],
  client: ['contract'],
  cli: ['client', 'contract', 'audit'],
  console: ['client', 'contract', 'audit', 'encoders'],
  store: ['contract', 'audit'],
  marketplace: ['contract', 'store'],
  auth: ['contract'],
  http: ['contract', 'observability'],
  'shared-state': ['contract'],
  'host-runtime': ['contract', 'config', 'observability', 'http', 'shared-state'],
};

const sibling = ([name, allowed]) => ({
  name: `${name}-imports-lower-packages`,
  severity: 'error',
  comment: `packages/${name} may import ${allowed.length === 0 ? 'no other package' : allowed.join(', ')} of this repository.`,
  from: { path: `^packages/${name}/`, pathNot: ['\\.test\\.ts$', '/testing/'] },
  to: { path: '^packages/', pathNot: [`^packages/(${[name, ...allowed].join('|')})/`] },
});

/** Folders of packages/store, and what each may import from the others. */
const STORE_FOLDERS = {
  migrations: [],
  batching: [],
  database: ['migrations'],
  schema: ['database', 'migrations'],
  audit: ['database'],
  search: ['database'],
  identity: ['database', 'batching', 'audit'],
  queries: ['database', 'batching', 'identity', 'audit'],
  catalog: ['database', 'audit', 'search'],
  datamaps: ['database', 'audit', 'search'],
  marketplace: ['database', 'audit', 'identity'],
  administration: ['database', 'audit', 'identity', 'marketplace'],
  resources: ['database', 'audit', 'identity', 'queries', 'administration', 'catalog', 'datamaps', 'marketplace'],
};

/** Folders of packages/http, and what each may import from the others. */
const HTTP_FOLDERS = {
  model: [],
  request: ['model'],
  response: ['model'],
  kernel: ['model', 'request', 'response'],
  server: ['model', 'request', 'response', 'kernel'],
  openapi: ['model', 'response'],
};

/** Folders of packages/query-worker, and what each may import from the others. Parent and child process share the protocol only. */
const WORKER_FOLDERS = {
  os: [],
  protocol: [],
  child: ['os', 'protocol'],
  parent: ['os', 'protocol'],
  pool: ['os', 'protocol', 'parent'],
};

/** Folders of packages/console below its features, and what each may import from the others. */
const CONSOLE_FOUNDATIONS = {
  theme: [],
  router: [],
  i18n: ['theme'],
  result: [],
  parameters: [],
  session: ['i18n'],
  api: ['session', 'i18n'],
  ui: ['theme', 'i18n', 'router', 'result', 'session', 'api'],
};

const everyFoundation = Object.keys(CONSOLE_FOUNDATIONS);

/** Features of packages/console, and what each may import. They never import each other: a page joins them by props. */
const CONSOLE_FEATURES = {
  editor: ['theme', 'ui', 'i18n', 'parameters'],
  grid: ['theme', 'ui', 'i18n', 'result'],
  charts: ['theme', 'ui', 'i18n', 'result'],
  ...Object.fromEntries(
    [
      ...['run', 'results', 'downloads', 'history', 'shell', 'search', 'snippets'],
      ...['account', 'catalog', 'marketplace', 'datamaps', 'steward', 'audit', 'admin'],
    ].map((feature) => [feature, everyFoundation]),
  ),
};

/** Folders of packages/console. Pages import all of them, and only src/app.tsx and src/routes.tsx import pages. */
const CONSOLE_FOLDERS = {
  ...CONSOLE_FOUNDATIONS,
  ...CONSOLE_FEATURES,
  pages: [...everyFoundation, ...Object.keys(CONSOLE_FEATURES)],
};

const folderOf =
  (source) =>
  ([name, allowed]) => ({
    name: `${source.split('/')[1]}-${name}-imports-allowed-folders`,
    severity: 'error',
    comment: `${source}/${name} may import ${allowed.length === 0 ? 'no other folder' : allowed.join(', ')} of ${source}.`,
    from: { path: `^${source}/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${source}/`, pathNot: `^${source}/(${[name, ...allowed].join('|')})/` },
  });

/** Parts of the contract without schemas, for the command line and the console. */
const WITHOUT_SCHEMAS =
  '^packages/contract/src/(queries/sql/|catalog/metadata-files/|(fields/visible-text|fields/nearest-names|identity/permission|audit/audit-action)\\.ts)';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'packages-import-no-service',
      severity: 'error',
      from: { path: '^packages/', pathNot: ['^packages/(testkit|bench)/'] },
      to: { path: '^services/' },
    },
    {
      name: 'hosts-do-not-import-each-other',
      severity: 'error',
      from: { path: '^services/(api|stream)-host/src/' },
      to: { path: '^services/', pathNot: '^services/$1-host/' },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: ['\\.test\\.ts$', '/(tests|testing|load)/', '^packages/testkit/'],
      },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'tests-import-no-tests-of-another-service',
      severity: 'error',
      comment: 'Fixtures that the tests of several services share are in packages/testkit/testing.',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/[^/]+/(tests|load)/', pathNot: '^services/$1/' },
    },
    {
      name: 'use-cases-import-no-http',
      severity: 'error',
      from: { path: '^services/[^/]+/src/use-cases/' },
      to: { path: ['^services/[^/]+/src/routes/', '^packages/http/', npm('express')] },
    },
    ...Object.entries(SIBLINGS).map(sibling),
    ...Object.entries(STORE_FOLDERS).map(folderOf('packages/store/src')),
    ...Object.entries(HTTP_FOLDERS).map(folderOf('packages/http/src')),
    ...Object.entries(WORKER_FOLDERS).map(folderOf('packages/query-worker/src')),
    ...Object.entries(CONSOLE_FOLDERS).map(folderOf('packages/console/src')),
    {
      name: 'console-folders-are-declared',
      severity: 'error',
      comment: 'A folder of packages/console/src needs its walls: see CONSOLE_FOLDERS.',
      from: { path: '^packages/console/src/' },
      to: {
        path: '^packages/console/src/[^/]+/',
        pathNot: `^packages/console/src/(${Object.keys(CONSOLE_FOLDERS).join('|')})/`,
      },
    },
    {
      name: 'query-workers-load-no-schemas',
      severity: 'error',
      comment:
        'A value of @sluice/contract loads every schema, a third of the start of a query worker. Use @sluice/contract/problems.',
      from: {
        path: '^packages/(encoders/src|engine/src|query-worker/src/(child|os|protocol))/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^packages/contract/src/index', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-imports-types-of-the-contract',
      severity: 'error',
      comment: 'The packed client depends on nothing. Only src/contract-types.ts imports the contract, and types only.',
      from: { path: '^packages/client/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-imports-node-in-its-folder',
      severity: 'error',
      comment: 'Everything outside of src/node runs in browsers.',
      from: { path: '^packages/client/src/', pathNot: ['\\.test\\.ts$', '^packages/client/src/node/'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cli-commands-do-not-import-each-other',
      severity: 'error',
      comment:
        'What two commands share has a folder of its own in packages/cli/src. Only command-list.ts imports commands.',
      from: { path: '^packages/cli/src/(?!command-list)', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/cli/src/commands/' },
    },
    {
      name: 'cli-imports-types-of-the-contract',
      severity: 'error',
      comment: 'Everything goes through the client. A value of the contract would bring its schemas into the bundle.',
      from: { path: '^packages/cli/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/contract/', pathNot: WITHOUT_SCHEMAS, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cli-imports-the-verifier-of-audit',
      severity: 'error',
      comment:
        'Verification without a host is the one thing that does not go through the client (ADR 0013). Only src/audit-log/verify-file.ts imports @sluice/audit/verify, which neither signs nor writes.',
      from: { path: '^packages/cli/src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/audit/',
        pathNot: '^packages/audit/(src|dist)/verify-files',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('verify', '^packages/audit/(src|dist)/verify-files', '^packages/cli/src/audit-log/'),
    {
      name: 'console-imports-the-verifier-of-audit',
      severity: 'error',
      comment:
        'The page verifies evidence packages with the verifier of the command line (ADR 0013). Only src/audit/verify imports @sluice/audit/verify-in-browser, which needs nothing of Node.js.',
      from: { path: '^packages/console/src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/audit/',
        pathNot: '^packages/audit/(src|dist)/verify-in-browser',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-imports-the-text-formats-of-encoders',
      severity: 'error',
      comment:
        'The page saves rows that it holds with the bytes of a download, so it writes them by the same rules. Only src/downloads imports @sluice/encoders/text-formats, which needs nothing of Node.js.',
      from: { path: '^packages/console/src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/encoders/',
        pathNot: '^packages/encoders/(src|dist)/text-formats',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('text-formats', '^packages/encoders/(src|dist)/text-formats', '^packages/console/src/downloads/'),
    only('verify-in-browser', '^packages/audit/(src|dist)/verify-in-browser', '^packages/console/src/audit/verify/'),
    {
      name: 'cli-process-only-in-main-terminal-and-credentials',
      severity: 'error',
      comment:
        'Commands get streams, signals and the environment from their context. biome.json forbids the global of the same name.',
      from: {
        path: '^packages/cli/src/',
        pathNot: ['\\.test\\.ts$', '^packages/cli/src/(main\\.ts|terminal/|credentials/)'],
      },
      to: { path: '^(node:)?process$' },
    },
    {
      name: 'console-imports-types-of-the-contract',
      severity: 'error',
      comment: 'The console calls the hosts through the client. A value of the contract would bring its schemas along.',
      from: { path: '^packages/console/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/contract/', pathNot: WITHOUT_SCHEMAS, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-calls-the-client-in-four-folders',
      severity: 'error',
      comment: 'Only api, run, downloads and session of the console call the client. Others may import its types.',
      from: {
        path: '^packages/console/src/',
        pathNot: ['\\.test\\.ts$', '^packages/console/src/(api|run|downloads|session)/'],
      },
      to: { path: '^packages/client/', dependencyTypesNot: ['type-only'] },
    },
    only('codemirror', npm('@codemirror/[^/]+|@lezer/[^/]+|sql-formatter'), '^packages/console/src/editor/'),
    // Its export condition "source" names files that it does not publish, so its imports are not resolved.
    only(
      'react-aria',
      '(^|node_modules/)(react-aria-components|react-aria|react-stately)(/|$)',
      '^packages/console/src/ui/',
    ),
    only('tanstack-virtual', npm('@tanstack/react-virtual'), '^packages/console/src/(grid|ui)/'),
    only('observable-plot', npm('@observablehq/plot'), '^packages/console/src/charts/'),
    only('react', npm('react|react-dom|@tanstack/react-query|vite'), '^packages/console/'),
    only('commander', npm('commander'), '^(packages/cli/src/build-program|services/api-host/src/commands/)'),
    only('opentelemetry', npm('@opentelemetry/[^/]+'), '^packages/observability/src/tracing/otlp-tracer'),
    only('express', npm('express'), '^packages/(http|bench)/'),
    only('pg', npm('pg|knex'), '^packages/(store|jobs|bench)/'),
    only('bullmq', npm('bullmq'), '^packages/jobs/'),
    only('redis', npm('ioredis'), '^packages/(shared-state|jobs)/'),
    only('credentials', npm('jose|@node-rs/argon2|passport|passport-http|openid-client'), '^packages/(auth|bench)/'),
    only('undici', npm('undici'), '^packages/auth/'),
    only('archives-of-evidence', npm('archiver|yauzl'), '^packages/audit/'),
    only('archives-in-browsers', npm('@zip\\.js/zip\\.js'), '^packages/console/src/audit/verify/'),
    only('nodemailer', npm('nodemailer'), '^packages/mail/'),
    only('s3', npm('@aws-sdk/[^/]+'), '^packages/result-store/src/stores/s3-store'),
    only('csv', npm('fast-csv'), '^services/api-host/src/metadata-files/'),
    only('development-provider', npm('oidc-provider'), '^services/embedded/'),
    only('duckdb', npm('@duckdb/[^/]+'), '^(packages/engine/src/duckdb|services/embedded/src|packages/bench/src)/'),
    {
      name: 'one-writer-of-values',
      severity: 'error',
      comment: 'Only the statement that binds parameters may write values into SQL for Trino.',
      from: {
        path: '^(packages|services)/',
        pathNot: ['^packages/engine/src/trino/parameters/bound-statement', '\\.test\\.ts$'],
      },
      to: { path: '^packages/engine/src/trino/parameters/value-literal' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      // The compiled contract is only there after `npm run typecheck`.
      to: { couldNotResolve: true, pathNot: '^(virtual:|react-aria-components$)|/contract/dist/index\\.js$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|services)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Without this condition every package would resolve to dist, and nothing would be seen.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'types', 'node', 'default'],
    },
  },
};
