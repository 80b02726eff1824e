import { realpath } from 'node:fs/promises';
import { startApiHost } from '@sluice/api-host';
import { deriveNameKey, parseMasterKey } from '@sluice/auth';
import type { Environment, SettingsOf } from '@sluice/config';
import type { ResourceStack } from '@sluice/host-runtime';
import type { SecurePort } from '@sluice/http';
import { startStreamHost } from '@sluice/stream-host';
import type { embeddedSettings } from './config.ts';
import type { StoredIdentity } from './home/server-identity.ts';
import type { Addresses } from './ready-line.ts';
import { StartFailure, startFailure } from './start-failure.ts';

/** The embedded run listens on the loopback only, because the passwords of its demo accounts are publicly known. */
export const HOST = '127.0.0.1';
const DEFAULT_TENANT = 'acme';

/** Paths of DuckDB databases. */
export interface Catalogs {
  readonly demo: string;
  readonly files?: {
    readonly database: string;
    /** Path of the list of files. */
    readonly report: string;
  };
}

interface HostsOptions {
  readonly settings: SettingsOf<typeof embeddedSettings>;
  readonly environment: Environment;
  readonly masterKey: string;
  /** Folder and key of kept results. */
  readonly results: { readonly folder: string; readonly key: string };
  /** Undefined: no TLS. */
  readonly tls: StoredIdentity | undefined;
  /** Issuer URL of the development identity provider. */
  readonly issuer: string;
  readonly databaseUrls: { readonly api: string; readonly stream: string };
  /** Receives progress messages. */
  readonly announce: (line: string) => void;
  /** Undefined when another engine runs the queries. */
  readonly catalogs: Catalogs | undefined;
}

/** Starts both hosts in this process, each with the environment of a separate process. They communicate over HTTP only. */
export async function startHosts(options: HostsOptions, resources: ResourceStack): Promise<Addresses> {
  const { apiPort, streamPort } = options.settings;
  const addresses: Addresses = {
    api: `http://${HOST}:${apiPort}`,
    stream: `http://${HOST}:${streamPort}`,
    identityProvider: options.issuer,
    trino: undefined,
  };
  const shared = sharedEnvironment(options, addresses);
  try {
    const engines = await engineEnvironment(options);
    const api = await startApiHost({ environment: { ...shared, ...engines, ...apiEnvironment(options, addresses) } });
    resources.add({ [Symbol.asyncDispose]: () => api.drain() });
    const secure = securePortOf(options);
    const stream = await startStreamHost({
      environment: { ...shared, ...engines, ...streamEnvironment(options, addresses) },
      ...(secure === undefined ? {} : { overrides: { secure } }),
    });
    resources.add({ [Symbol.asyncDispose]: () => stream.drain() });
    return { ...addresses, trino: trinoAddress(options, stream.securePort) };
  } catch (thrown) {
    throw startFailure('The hosts could not be started', thrown);
  }
}

/** Returns the second port of the stream host. The drivers of Trino send no password without TLS. */
const securePortOf = ({ settings, tls, announce }: HostsOptions): SecurePort | undefined =>
  tls && {
    port: settings.streamTlsPort,
    key: tls.key,
    certificate: tls.certificate,
    onUnavailable: (sentence) =>
      announce(`Sluice starts without https for Trino clients (STREAM_TLS_PORT): ${sentence}`),
  };

/** Returns where Trino clients connect. Undefined: they cannot, because there is no TLS or no door. */
const trinoAddress = ({ environment, tls }: HostsOptions, port: number | undefined): Addresses['trino'] =>
  tls === undefined || port === undefined || environment['TRINO_DOOR'] === 'false'
    ? undefined
    : { port, certificatePath: tls.certificatePath };

/** Time for which the embedded run lets queries keep their results. */
const KEEP_MAX = '24h';

const sharedEnvironment = ({ environment }: HostsOptions, { api }: Addresses): Environment => ({
  // A busy machine is not a database that does not respond: both are this machine.
  DATABASE_TIMEOUT: '30s',
  // The terminal shows only warnings and errors by default. No load balancer has to withdraw an endpoint here.
  LOG_LEVEL: 'warn',
  DRAIN_DELAY: '0s',
  DRAIN_GRACE: '0s',
  RESULT_KEEP_MAX: KEEP_MAX,
  TRINO_DOOR: 'true',
  ...withoutOwnSettings(environment),
  LISTEN_HOST: HOST,
  DEFAULT_TENANT,
  ISSUER_TEMPLATE: `${api}/auth/{tenant}`,
  ALLOW_LOOPBACK_ORIGINS: 'true',
});

const apiEnvironment = (
  { settings, environment, databaseUrls, masterKey }: HostsOptions,
  { api, stream }: Addresses,
): Environment => ({
  API_PORT: String(settings.apiPort),
  STREAM_PUBLIC_URL: stream,
  // Mails link to the console.
  ...(environment['SMTP_URL'] !== undefined && environment['API_PUBLIC_URL'] === undefined
    ? { API_PUBLIC_URL: api }
    : {}),
  DATABASE_URL: databaseUrls.api,
  SLUICE_MASTER_KEY: masterKey,
  SSO_PRIVATE_HOSTS: [environment['SSO_PRIVATE_HOSTS'], `${HOST}:${settings.identityProviderPort}`]
    .filter((host) => host !== undefined)
    .join(','),
});

const streamEnvironment = (
  { settings, environment, databaseUrls, masterKey, results }: HostsOptions,
  { api }: Addresses,
): Environment => ({
  STREAM_PORT: String(settings.streamPort),
  DATABASE_URL: databaseUrls.stream,
  // The API host derives the same key from its master key. The stream host gets no other derived key.
  AUDIT_NAME_KEY: Buffer.from(deriveNameKey(parseMasterKey(masterKey))).toString('base64'),
  JWKS_URL: `${api}/.well-known/jwks.json`,
  RESULT_FOLDER: results.folder,
  RESULT_KEY: results.key,
  TRINO_DOOR: environment['TRINO_DOOR'] ?? 'true',
});

/** Both hosts use the same engine: one runs statements, the other describes them and lists catalogs. */
const engineEnvironment = async ({ settings, catalogs }: HostsOptions): Promise<Environment> => {
  if (catalogs === undefined) return {};
  if (catalogs.demo.includes(','))
    throw new StartFailure('The path of SLUICE_HOME must not contain a comma, which separates values of settings.');
  return {
    DUCKDB_CATALOGS: `demo=${catalogs.demo}`,
    DUCKDB_DEFAULT_SCHEMA: 'demo.vega',
    ...(catalogs.files === undefined ? {} : await filesEnvironment(catalogs.files, settings.dataFolder ?? '')),
  };
};

const filesEnvironment = async (
  { database, report }: NonNullable<Catalogs['files']>,
  dataFolder: string,
): Promise<Environment> => ({
  FILES_CATALOG: database,
  FILES_REPORT: report,
  SLUICE_DATA_DIR: await realpath(dataFolder),
});

/** Settings that the embedded run sets itself. They are not passed on from the environment, where a DATABASE_URL is likely meant for another program. */
const OWN = [
  'SLUICE_HOME',
  'SLUICE_DATA_DIR',
  'SLUICE_DATA_MERGE',
  'SLUICE_MASTER_KEY',
  'SLUICE_MASTER_KEY_FILE',
  'DATABASE_URL_FILE',
  'REDIS_URL',
  'REDIS_URL_FILE',
  'METRICS_PORT',
  'METRICS_HOST',
  'PUBLISHED_ADDRESS',
  'AUDIT_NAME_KEY',
  'AUDIT_NAME_KEY_FILE',
  'RESULT_FOLDER',
  'RESULT_BUCKET',
  'RESULT_KEY',
  'RESULT_KEY_FILE',
];

/** Variables of the command line (packages/cli/src/environment.ts). Users export them as README.md says, and start Sluice in the same shell. */
const OF_COMMAND_LINE = [
  'API_URL',
  'CACHE',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CREDENTIAL_STORE',
  'EMAIL',
  'IDLE_TIMEOUT',
  'OPERATOR_TOKEN',
  'PASSWORD',
  'PROFILE',
  'STREAM_URL',
  'TENANT',
  'TOKEN',
].map((name) => `SLUICE_${name}`);

const NOT_PASSED_ON = new Set([...OWN, ...OF_COMMAND_LINE]);

/** Returns the variables for the hosts, which would warn about names that are not theirs. */
export const withoutOwnSettings = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !NOT_PASSED_ON.has(name)));
