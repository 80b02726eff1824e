import { availableParallelism } from 'node:os';
import { bytes, choice, duration, integer, list, type SettingsOf, secret, string, url } from '@sluice/config';
import { USER_TEMPLATE_DEFAULT } from '../resolver/user-template.ts';

const PEM = 'in PEM format';

/** Settings of the Trino that runs the queries. Without an address DuckDB runs them. */
const trinoSettings = {
  engineUrl: url('ENGINE_URL', {
    description: 'Address of the Trino that runs the queries: scheme, host and port. If unset, DuckDB runs them.',
    optional: true,
  }),
  engineCatalogs: list('ENGINE_CATALOGS', {
    description:
      'Trino catalogs of the tenants that ENGINE_TENANTS does not name. The first is the default catalog of unqualified names.',
    pattern: /^[A-Za-z_][\w-]*$/,
    form: 'names of catalogs, separated by commas',
    optional: true,
  }),
  engineSchema: string('ENGINE_SCHEMA', {
    description: 'Default schema of unqualified names, in the first catalog.',
    optional: true,
  }),
  engineUser: string('ENGINE_USER', {
    description:
      'Trino account of this service, which must be allowed to impersonate the users. Requires ENGINE_PASSWORD.',
    optional: true,
  }),
  engineUserTemplate: string('ENGINE_USER_TEMPLATE', {
    description:
      'Template of the Trino user that a statement runs as: `{tenant}` is the tenant’s name, `{user}` the e-mail or client id. Without `{tenant}`, two tenants may have the same Trino user.',
    default: USER_TEMPLATE_DEFAULT,
  }),
  enginePassword: secret('ENGINE_PASSWORD', { description: 'Password of ENGINE_USER.', optional: true }),
  engineToken: secret('ENGINE_TOKEN', {
    description: 'JWT with which this service authenticates to Trino.',
    optional: true,
  }),
  engineCertificate: secret('ENGINE_CERTIFICATE', {
    description: `Client certificate for Trino, ${PEM}. Requires ENGINE_KEY.`,
    optional: true,
  }),
  engineKey: secret('ENGINE_KEY', { description: `Private key of ENGINE_CERTIFICATE, ${PEM}.`, optional: true }),
  engineKeyPassphrase: secret('ENGINE_KEY_PASSPHRASE', { description: 'Passphrase of ENGINE_KEY.', optional: true }),
  engineCa: secret('ENGINE_CA', {
    description: `Certificate authority of Trino’s certificate, if the system does not trust it, ${PEM}.`,
    optional: true,
  }),
  engineTenants: secret('ENGINE_TENANTS', {
    description:
      'JSON object of settings by tenant: `{"acme": {"catalogs": ["sales"], "schema": "public"}}`. Further keys: `user_template`; `url`, and with it `user` and `password`, `token`, or `certificate`, `key` and `passphrase`, and `ca`. The credentials above are never sent to another address.',
    optional: true,
  }),
  engineSpooling: choice('ENGINE_SPOOLING', {
    description: 'Whether results are fetched by the spooled protocol if Trino supports it.',
    values: ['offered', 'off'],
    default: 'offered',
  }),
  engineSegmentOrigins: list('ENGINE_SEGMENT_ORIGINS', {
    description: 'Additional origins that spooled segments may be fetched from, such as Trino’s object store.',
    pattern: /^https?:\/\/[^/]+$/,
    form: 'origins such as `https://store.example:9000`, separated by commas',
    optional: true,
  }),
  engineAnswerTimeoutMs: duration('ENGINE_ANSWER_TIMEOUT', {
    description: 'A request to Trino fails when no byte arrives for this long.',
    min: '100ms',
    max: '1h',
    default: '20s',
  }),
  engineHeartbeatMs: duration('ENGINE_HEARTBEAT', {
    description:
      'Interval of heartbeats to Trino while a client does not read. Must be less than half of Trino’s query.client.timeout, after which Trino drops the query.',
    min: '100ms',
    max: '1h',
    default: '30s',
  }),
} as const;

/** Default of `WORKER_MEMORY` in MiB. */
const WORKER_MEMORY_DEFAULT_MIB = 2048;

/** Settings of the engines and the resource limits of their workers. They must be the same on all hosts that use engines. */
export const tenantEngineSettings = {
  ...trinoSettings,
  duckDbCatalogs: list('DUCKDB_CATALOGS', {
    description: 'DuckDB database files that every tenant can read, as `name=path`.',
    pattern: /^[A-Za-z_]\w*=.+$/,
    form: 'items like name=path, separated by commas',
    optional: true,
  }),
  duckDbDefaultSchema: string('DUCKDB_DEFAULT_SCHEMA', {
    description: 'Default catalog and schema of unqualified names, as `catalog.schema`.',
    pattern: /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/,
    form: 'catalog.schema',
    default: 'memory.main',
  }),
  duckDbPlanningMs: duration('DUCKDB_PLANNING_TIME', {
    description:
      'Processor time limit for planning a DuckDB statement, which otherwise fails with RESOURCE_LIMIT. Waiting for a processor does not count.',
    min: '1s',
    default: '20s',
  }),
  filesCatalog: string('FILES_CATALOG', {
    description:
      'DuckDB database file with views on SLUICE_DATA_DIR. It becomes the catalog `files` of the default tenant.',
    optional: true,
  }),
  filesReport: string('FILES_REPORT', {
    description: 'JSON list of the files that FILES_CATALOG was made from, for `GET /catalog/files`.',
    optional: true,
  }),
  dataFolder: string('SLUICE_DATA_DIR', {
    description: 'Only folder that the views of FILES_CATALOG may read.',
    optional: true,
  }),
  workerMemoryBytes: bytes('WORKER_MEMORY', {
    description: 'Address space limit of a query worker. A query that exceeds it fails with RESOURCE_LIMIT.',
    min: '1536MiB',
    default: `${WORKER_MEMORY_DEFAULT_MIB}MiB`,
  }),
  workerTempBytes: bytes('WORKER_TEMP', {
    description:
      'Disk space that a query worker may use in the temporary folder for data that does not fit its memory.',
    default: '4GiB',
  }),
  workerThreads: integer('WORKER_THREADS', {
    description: 'Number of threads of one query.',
    min: 1,
    max: 64,
    default: String(Math.min(4, availableParallelism())),
    defaultMeaning: 'number of processors, at most 4',
  }),
} as const;

/** Values of these settings, with the tenant that the folder of files belongs to. */
export type TenantEngineSettings = SettingsOf<typeof tenantEngineSettings> & {
  readonly tenantNameDefault: string | undefined;
};
