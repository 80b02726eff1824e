import {
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
import { MAIL_LANGUAGES } from '@sluice/contract';
import { hostSettings, publicUrl, queryLimitSettings } from '@sluice/host-runtime';
import { tenantEngineSettings } from '@sluice/tenant-engines';

/** A host name, an address, or an IPv6 address in brackets, each with an optional port or `*`; or a bare IPv6 address. */
const PRIVATE_HOST = /^(?:(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?:\d{1,5}|\*))?|[0-9a-f:.]+)$/i;

/** Settings of the API host. */
export const apiHostSettings = {
  ...hostSettings,
  port: integer('API_PORT', {
    description: 'Port of the API host; 0 chooses a free one.',
    min: 0,
    max: 65_535,
    default: '8080',
  }),
  masterKey: secret('SLUICE_MASTER_KEY', {
    description:
      '32 random bytes in base64 (`openssl rand -base64 32`) that encrypt the signing keys, the client secrets of identity providers and their ID tokens.',
    charactersMin: 43,
  }),
  masterKeyPrevious: secret('SLUICE_MASTER_KEY_PREVIOUS', {
    description:
      'Another master key, whose values are still read while you rotate the key. New values are encrypted under `SLUICE_MASTER_KEY`.',
    charactersMin: 43,
    optional: true,
  }),
  apiAudience: string('API_TOKEN_AUDIENCE', {
    description:
      'Further `aud` of access tokens. This host accepts only Bearer tokens that have it. Use the same value on all API hosts.',
    optional: true,
    defaultMeaning: '`TOKEN_AUDIENCE` followed by `-api`',
  }),
  tokenLifetimeMs: duration('TOKEN_LIFETIME', {
    description: 'Lifetime of ID and access tokens.',
    min: '1m',
    max: '24h',
    default: '1h',
  }),
  sessionLifetimeMs: duration('SESSION_LIFETIME', {
    description: 'Longest time from a login to the end of its session, also if it is refreshed.',
    min: '5m',
    max: '90d',
    default: '7d',
  }),
  ssoSessionLifetimeMs: duration('SSO_SESSION_LIFETIME', {
    description:
      'Longest time from a single sign-on to the end of its session, also if it is refreshed; at most `SESSION_LIFETIME`.',
    min: '5m',
    max: '90d',
    default: '12h',
  }),
  sessionsMax: integer('SESSIONS_PER_ACCOUNT', {
    description:
      'Most sessions of one user or service account at once; a login above this ends the one that is idle longest. Each access token of a service account is a session.',
    min: 1,
    max: 100_000,
    default: '50',
  }),
  ssoPrivateHosts: list('SSO_PRIVATE_HOSTS', {
    description:
      'Hosts of identity providers that may have a private address, as `host` (ports 443 and 80), `host:port` or `host:*`; for `127.0.0.1` and `localhost` http is allowed too. Other hosts must be public and use https.',
    pattern: PRIVATE_HOST,
    form: 'hosts, each with an optional port, separated by commas',
    optional: true,
  }),
  clientDocumentPrivateHosts: list('CLIENT_DOCUMENT_PRIVATE_HOSTS', {
    description:
      'Hosts of the documents that describe programs which no admin registered, if they may have a private address, in the form of `SSO_PRIVATE_HOSTS`. Other hosts must be public and use https.',
    pattern: PRIVATE_HOST,
    form: 'hosts, each with an optional port, separated by commas',
    optional: true,
  }),
  invitationLifetimeMs: duration('INVITATION_LIFETIME', {
    description: 'Lifetime of an invitation to set a password.',
    min: '5m',
    max: '30d',
    default: '7d',
  }),
  operatorToken: secret('OPERATOR_TOKEN', {
    description: 'Token for `/operator/tenants` (`openssl rand -base64 32`). Without it these paths do not exist.',
    charactersMin: 32,
    optional: true,
  }),
  keySigningMs: duration('KEY_SIGNING_PERIOD', {
    description: 'Time after which the next key signs tokens.',
    min: '2d',
    max: '365d',
    default: '30d',
  }),
  auditSigningKey: secret('AUDIT_SIGNING_KEY', {
    description:
      '32 random bytes in base64 that sign the checkpoints of the audit log. Default: a key derived from the master key.',
    charactersMin: 43,
    optional: true,
  }),
  auditRetentionMs: duration('AUDIT_RETENTION', {
    description: 'Time for which audit records are kept, unless a tenant has its own retention.',
    min: '1d',
    max: '36500d',
    default: '400d',
  }),
  publicUrl: publicUrl('API_PUBLIC_URL'),
  streamPublicUrl: publicUrl(
    'STREAM_PUBLIC_URL',
    'Origin by which browsers reach the stream host, with `{tenant}` if each tenant has its own host name. The web console needs it.',
  ),
  smtpUrl: secretUrl('SMTP_URL', {
    description:
      'SMTP server that sends mails about access requests: `smtp://user:password@host:587`, or `smtps://` for TLS from the beginning (port 465). User name and password are percent-encoded. `smtp://` uses STARTTLS if the server offers it; with a password, it must, except on loopback. Needs `MAIL_FROM` and `API_PUBLIC_URL`. Without it, no mails are sent.',
    protocols: ['smtp:', 'smtps:'],
    optional: true,
  }),
  mailFrom: string('MAIL_FROM', {
    description: 'Sender of mails: `sluice@example.com` or `Sluice <sluice@example.com>`.',
    optional: true,
  }),
  mailLanguage: choice('MAIL_LANGUAGE', {
    description: 'Language of mails to users who have not chosen one.',
    values: MAIL_LANGUAGES,
    default: 'en',
  }),
  tenantHostSuffix: string('API_HOST_SUFFIX', {
    description: 'Part of host names after `<tenant>-`; `api.*` means `api` in any domain.',
    default: 'api.*',
  }),
  ...queryLimitSettings,
  ...tenantEngineSettings,
  harvestEveryMs: duration('HARVEST_EVERY', {
    description:
      'Interval at which the catalogs of each tenant’s engine are mirrored, in addition to the start of a host.',
    min: '1m',
    max: '24d',
    default: '1h',
  }),
  harvestLeaseMs: duration('HARVEST_LEASE', {
    description:
      'Time after the last renewal at which the host of a harvest is regarded as dead and another host continues the harvest.',
    min: '1s',
    max: '10m',
    default: '30s',
  }),
  harvestUser: string('HARVEST_USER', {
    description:
      'User that replaces `{user}` in ENGINE_USER_TEMPLATE when Trino lists its catalogs. It must be allowed to see them. Accounts cannot have a colon in their name.',
    default: 'sluice:harvest',
  }),
  workersMax: integer('API_WORKERS_MAX', {
    description:
      'Most query workers of an API host at once. They describe statements and list catalogs, and start on demand.',
    min: 2,
    max: 64,
    default: '4',
  }),
  describeTimeMs: duration('DESCRIBE_TIME', {
    description: 'Time limit of the engine to describe a statement that is saved.',
    min: '100ms',
    max: '1h',
    default: '15s',
  }),
} as const;

export type ApiHostSettings = SettingsOf<typeof apiHostSettings>;

/** Returns the environment of this process, for the entry points. */
export const processEnvironment = (): Environment => {
  // biome-ignore lint/style/noProcessEnv: the only place in this service that reads it.
  return process.env;
};
