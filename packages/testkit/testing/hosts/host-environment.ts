import { randomBytes } from 'node:crypto';

export type Settings = Readonly<Record<string, string>>;

/** Settings of all hosts of a test. */
const HOST_SETTINGS = {
  LISTEN_HOST: '127.0.0.1',
  ISSUER_TEMPLATE: 'https://{tenant}.issuer.test',
  DEFAULT_TENANT: 'acme',
  DRAIN_DELAY: '0',
  // A machine that stalls is not a database that does not respond. Tests of that limit set their own.
  DATABASE_TIMEOUT: '30s',
} as const;

/** Returns the environment of an API host on a free port, with a master key of its own. */
export const apiEnvironment = (databaseUrl: string, settings: Settings): Settings => ({
  ...HOST_SETTINGS,
  API_PORT: '0',
  DATABASE_URL: databaseUrl,
  SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
  ...settings,
});

/** Returns the environment of a stream host on a free port, which reads the keys of the API host at `apiUrl`. */
export const streamEnvironment = (databaseUrl: string, apiUrl: string, settings: Settings): Settings => ({
  ...HOST_SETTINGS,
  STREAM_PORT: '0',
  DATABASE_URL: databaseUrl,
  JWKS_URL: `${apiUrl}/.well-known/jwks.json`,
  WORKER_THREADS: '1',
  ...settings,
});
