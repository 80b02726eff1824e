import {
  boolean,
  choice,
  duration,
  type Environment,
  integer,
  list,
  type SettingsOf,
  secret,
  secretUrl,
  string,
} from '@sluice/config';

const TENANT_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Every setting of the API host. */
export const apiHostSettings = {
  listenHost: string('LISTEN_HOST', { description: 'Address to listen on.', default: '0.0.0.0' }),
  port: integer('API_PORT', {
    description: 'Port of the API host; 0 takes any.',
    min: 0,
    max: 65_535,
    default: '8080',
  }),
  databaseUrl: secretUrl('DATABASE_URL', {
    description: 'PostgreSQL as the api role: not the owner, whom row-level security does not bind.',
    protocols: ['postgres:', 'postgresql:'],
  }),
  databaseConnectionsMax: integer('DATABASE_CONNECTIONS', {
    description: 'Connections of this process to PostgreSQL.',
    min: 1,
    max: 200,
    default: '10',
  }),
  databaseTimeoutMs: duration('DATABASE_TIMEOUT', {
    description: 'Longest wait for one statement.',
    min: '500ms',
    max: '1m',
    default: '3s',
  }),
  masterKey: secret('SLUICE_MASTER_KEY', {
    description: '32 random bytes in base64 (`openssl rand -base64 32`) that encrypt the signing keys.',
    charactersMin: 43,
  }),
  issuerTemplate: string('ISSUER_TEMPLATE', {
    description: 'The `iss` of tokens, with `{tenant}`; the same on both hosts.',
    pattern: /^https?:\/\/\S*\{tenant\}\S*$/,
    form: 'a URL with {tenant} in it',
  }),
  audience: string('TOKEN_AUDIENCE', {
    description: 'The `aud` of tokens; the same on both hosts.',
    default: 'sluice',
  }),
  tokenLifetimeMs: duration('TOKEN_LIFETIME', {
    description: 'How long ID and access tokens are valid.',
    min: '1m',
    max: '24h',
    default: '1h',
  }),
  sessionLifetimeMs: duration('SESSION_LIFETIME', {
    description: 'After this a session is over, however often it was refreshed.',
    min: '5m',
    max: '90d',
    default: '7d',
  }),
  keySigningMs: duration('KEY_SIGNING_PERIOD', {
    description: 'How long one key signs before the next takes over.',
    min: '2d',
    max: '365d',
    default: '30d',
  }),
  tenantNameDefault: string('DEFAULT_TENANT', {
    description: 'The tenant where neither host name, path nor token names one.',
    pattern: TENANT_NAME,
    form: 'a tenant name',
    optional: true,
  }),
  tenantHostSuffix: string('API_HOST_SUFFIX', {
    description: 'What follows `<tenant>-` in host names; `api.*` stands for `api` in any domain.',
    default: 'api.*',
  }),
  tenantOrigins: list('TENANT_ORIGINS', {
    description: "Origins of a tenant's own two hosts, with `{tenant}`, whose pages may read answers.",
    pattern: /^https?:\/\/[^/\s]+$/,
    form: 'origins (https://{tenant}-api.example.com) separated by commas',
    optional: true,
  }),
  allowsLoopbackOrigins: boolean('ALLOW_LOOPBACK_ORIGINS', {
    description: 'Lets pages of any port of this machine read answers. For development only.',
    default: 'false',
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    description: 'Addresses and networks whose `X-Forwarded-*` is believed.',
    optional: true,
  }),
  drainDelayMs: duration('DRAIN_DELAY', {
    description: 'New requests are served for so long after SIGTERM, while the endpoint is withdrawn.',
    max: '5m',
    default: '5s',
  }),
  drainGraceMs: duration('DRAIN_GRACE', {
    description: 'Running requests may take so long after that.',
    max: '1h',
    default: '15s',
  }),
  logLevel: choice('LOG_LEVEL', {
    description: 'Least level that is logged.',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
  }),
  metricsPort: integer('METRICS_PORT', {
    description: 'Port of `GET /metrics`; without it there is none.',
    min: 0,
    max: 65_535,
    optional: true,
  }),
} as const;

export type ApiHostSettings = SettingsOf<typeof apiHostSettings>;

/** The environment of this process, for `main.ts`; nothing else reads it. */
export const processEnvironment = (): Environment => {
  // biome-ignore lint/style/noProcessEnv: the one place of this service that reads it.
  return process.env;
};
