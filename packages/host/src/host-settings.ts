import { boolean, choice, duration, integer, list, secret, secretUrl, string } from '@sluice/config';
import { TENANT_NAME } from '@sluice/contract';

/** The settings that both hosts have, under the same names. */
export const hostSettings = {
  listenHost: string('LISTEN_HOST', { description: 'Address to listen on.', default: '0.0.0.0' }),
  publishedAddress: string('PUBLISHED_ADDRESS', {
    description:
      'Address at which the port of a container is published. A host that is reached beyond loopback (here, or without it at `LISTEN_HOST`) refuses the secrets for development of `docker-compose.yml`.',
    optional: true,
  }),
  connectionsMax: integer('CONNECTIONS_MAX', {
    description: 'Connections of clients at a time; a new one beyond them is closed at once.',
    min: 10,
    max: 100_000,
    default: '2000',
  }),
  databaseUrl: secretUrl('DATABASE_URL', {
    description: "PostgreSQL as the host's own role: not the owner, whom row-level security does not bind.",
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
  redisUrl: secretUrl('REDIS_URL', {
    description:
      'Redis 6.2 or later for what hosts share; `rediss://` for TLS. Without it a stream host must be the only one of its kind.',
    protocols: ['redis:', 'rediss:'],
    optional: true,
  }),
  redisPrefix: string('REDIS_PREFIX', {
    description: 'Begins every key in Redis; the same on all hosts of a deployment.',
    pattern: /^[\w:.-]{1,64}$/,
    form: 'letters, digits and `:._-`, at most 64',
    default: 'sluice:',
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
  tenantNameDefault: string('DEFAULT_TENANT', {
    description: 'The tenant where neither host name, path nor token names one.',
    pattern: TENANT_NAME,
    form: 'a tenant name',
    optional: true,
  }),
  tenantOrigins: list('TENANT_ORIGINS', {
    description: "Origins of a tenant's own two hosts, with `{tenant}`, whose pages may read answers.",
    pattern: /^https?:\/\/[^/\s]+$/,
    form: 'origins (https://{tenant}-api.example.com) separated by commas',
    optional: true,
  }),
  allowsLoopbackOrigins: boolean('ALLOW_LOOPBACK_ORIGINS', {
    description:
      'Lets pages of any port of this machine read answers, and answers to names of this machine alone. For development only.',
    default: 'false',
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    description: 'Addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.',
    optional: true,
  }),
  trustsForwardedHost: boolean('TRUST_FORWARDED_HOST', {
    description:
      'Believes `X-Forwarded-Host` of `TRUSTED_PROXIES` too. Only for proxies that set it themselves: others pass on what a client sent.',
    default: 'false',
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
  auditNameKey: secret('AUDIT_NAME_KEY', {
    description:
      'The same 32 random bytes in base64 for both hosts; names of failed logins of unknown accounts are digested under it. Without it the API host takes a key of its master key, and the stream host writes no digest.',
    charactersMin: 43,
    optional: true,
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
  metricsHost: string('METRICS_HOST', {
    description: 'Address on which `GET /metrics` listens; it has no credential.',
    default: '127.0.0.1',
  }),
} as const;
