import { boolean, choice, duration, integer, list, secret, secretUrl, share, string, url } from '@sluice/config';
import { TENANT_NAME } from '@sluice/contract';

/** Settings that both hosts share. */
export const hostSettings = {
  listenHost: string('LISTEN_HOST', { description: 'Address to listen on.', default: '0.0.0.0' }),
  publishedAddress: string('PUBLISHED_ADDRESS', {
    description:
      'Address at which the port of a container is published. A host with a non-loopback address (this setting, or `LISTEN_HOST` without it) rejects the development secrets of `docker-compose.yml`.',
    optional: true,
  }),
  connectionsMax: integer('CONNECTIONS_MAX', {
    description: 'Maximum number of client connections. Further connections are closed at once.',
    min: 10,
    max: 100_000,
    default: '2000',
  }),
  databaseUrl: secretUrl('DATABASE_URL', {
    description: "PostgreSQL URL with the host's own role. Not the owner, who bypasses row-level security.",
    protocols: ['postgres:', 'postgresql:'],
  }),
  databaseConnectionsMax: integer('DATABASE_CONNECTIONS', {
    description: 'Maximum number of PostgreSQL connections of this process.',
    min: 1,
    max: 200,
    default: '10',
  }),
  databaseTimeoutMs: duration('DATABASE_TIMEOUT', {
    description:
      'Time limit for one PostgreSQL statement. That for getting a connection is two thirds of it, but at least 2 s.',
    min: '500ms',
    max: '1m',
    default: '3s',
  }),
  redisUrl: secretUrl('REDIS_URL', {
    description:
      'Redis (6.2 or later) for the state that hosts share; `rediss://` for TLS. Without it, run only one stream host.',
    protocols: ['redis:', 'rediss:'],
    optional: true,
  }),
  redisPrefix: string('REDIS_PREFIX', {
    description: 'Prefix of all keys in Redis. Use the same value on all hosts of a deployment.',
    pattern: /^[\w:.-]{1,64}$/,
    form: 'letters, digits and `:._-`, at most 64',
    default: 'sluice:',
  }),
  issuerTemplate: string('ISSUER_TEMPLATE', {
    description: '`iss` of tokens, with `{tenant}`. Use the same value on both hosts.',
    pattern: /^https?:\/\/\S*\{tenant\}\S*$/,
    form: 'a URL with {tenant} in it',
  }),
  audience: string('TOKEN_AUDIENCE', {
    description: '`aud` of tokens. Use the same value on both hosts.',
    default: 'sluice',
  }),
  tenantNameDefault: string('DEFAULT_TENANT', {
    description: 'Tenant of requests whose host name, path and token do not name one.',
    pattern: TENANT_NAME,
    form: 'a tenant name',
    optional: true,
  }),
  tenantOrigins: list('TENANT_ORIGINS', {
    description: "Origins of a tenant's two hosts, with `{tenant}`. Their pages may read responses (CORS).",
    pattern: /^https?:\/\/[^/\s]+$/,
    form: 'origins (https://{tenant}-api.example.com) separated by commas',
    optional: true,
  }),
  allowsLoopbackOrigins: boolean('ALLOW_LOOPBACK_ORIGINS', {
    description:
      'Allows pages from any loopback origin to read responses (CORS), and serves only loopback host names. For development only.',
    default: 'false',
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    description: 'Addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.',
    optional: true,
  }),
  trustsForwardedHost: boolean('TRUST_FORWARDED_HOST', {
    description:
      'Trusts `X-Forwarded-Host` of `TRUSTED_PROXIES` too. Only for proxies that set the header themselves: others forward the value of the client.',
    default: 'false',
  }),
  sseHeartbeatMs: duration('SSE_HEARTBEAT_INTERVAL', {
    description: 'Interval of heartbeats (comment lines) in an event stream that sends nothing else.',
    renamedFrom: 'KEEP_ALIVE',
    min: '10ms',
    max: '24d',
    default: '15s',
  }),
  hostSilenceMs: duration('HOST_SILENCE', {
    description:
      'Time without a heartbeat after which a host counts as dead, and other hosts close its queries as `UNKNOWN`. A host sends four heartbeats in this time. Use the same value on all hosts of a deployment; while hosts run, lower it to no less than half at a time.',
    min: '5s',
    max: '10m',
    default: '20s',
  }),
  drainDelayMs: duration('DRAIN_DELAY', {
    description: 'Time after SIGTERM in which new requests are still served, while load balancers remove the endpoint.',
    max: '5m',
    default: '5s',
  }),
  drainGraceMs: duration('DRAIN_GRACE', {
    description: 'Time after the drain delay in which running requests may finish.',
    max: '1h',
    default: '15s',
  }),
  auditNameKey: secret('AUDIT_NAME_KEY', {
    description:
      '32 random bytes in base64, the same on both hosts. Key for the digests of unknown account names in failed logins. Without it, the API host derives a key from its master key and the stream host writes no digests.',
    charactersMin: 43,
    optional: true,
  }),
  logLevel: choice('LOG_LEVEL', {
    description: 'Minimum level of log lines.',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
  }),
  metricsPort: integer('METRICS_PORT', {
    description: 'Port of `GET /metrics`. Without it, there is no metrics endpoint.',
    min: 0,
    max: 65_535,
    optional: true,
  }),
  metricsHost: string('METRICS_HOST', {
    description: 'Address on which `GET /metrics` listens. It needs no credential.',
    default: '127.0.0.1',
  }),
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    description:
      'OpenTelemetry collector that receives traces over HTTP (`/v1/traces` is appended). Without it, no traces are recorded and their library is not loaded.',
    optional: true,
  }),
  otlpHeaders: secret('OTEL_EXPORTER_OTLP_HEADERS', {
    description: 'Headers of the requests to the collector: `name=value,name=value`, with percent-encoded values.',
    optional: true,
  }),
  traceRatio: share('OTEL_TRACES_SAMPLER_ARG', {
    description: 'Share of the traces that are recorded, of those that no caller has decided about.',
    default: '1',
  }),
} as const;
