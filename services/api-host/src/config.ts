import { duration, type Environment, integer, list, type SettingsOf, secret, string } from '@sluice/config';
import { hostSettings, publicUrl } from '@sluice/host-runtime';
import { tenantEngineSettings } from '@sluice/tenant-engines';

/** Every setting of the API host. */
export const apiHostSettings = {
  ...hostSettings,
  port: integer('API_PORT', {
    description: 'Port of the API host; 0 takes any.',
    min: 0,
    max: 65_535,
    default: '8080',
  }),
  masterKey: secret('SLUICE_MASTER_KEY', {
    description: '32 random bytes in base64 (`openssl rand -base64 32`) that encrypt the signing keys.',
    charactersMin: 43,
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
  ssoSessionLifetimeMs: duration('SSO_SESSION_LIFETIME', {
    description:
      'After this a session from single sign-on is over, however often it was refreshed; never later than `SESSION_LIFETIME`.',
    min: '5m',
    max: '90d',
    default: '12h',
  }),
  sessionsMax: integer('SESSIONS_PER_ACCOUNT', {
    description:
      'Sessions of one user or service account at once; a login beyond them ends the oldest. Each access token of a service account is a session.',
    min: 1,
    max: 100_000,
    default: '50',
  }),
  ssoPrivateHosts: list('SSO_PRIVATE_HOSTS', {
    description:
      'Hosts at which identity providers may have a private address; of `127.0.0.1` and `localhost` http is taken too. Others must be public, and https.',
    pattern: /^[a-z0-9:.-]+$/i,
    form: 'host names and addresses separated by commas',
    optional: true,
  }),
  invitationLifetimeMs: duration('INVITATION_LIFETIME', {
    description: 'How long an invitation to set a password is good.',
    min: '5m',
    max: '30d',
    default: '7d',
  }),
  operatorToken: secret('OPERATOR_TOKEN', {
    description:
      'Opens `/operator/tenants` to who shows it: `openssl rand -base64 32`. Without one there is no such path.',
    charactersMin: 32,
    optional: true,
  }),
  keySigningMs: duration('KEY_SIGNING_PERIOD', {
    description: 'How long one key signs before the next takes over.',
    min: '2d',
    max: '365d',
    default: '30d',
  }),
  auditSigningKey: secret('AUDIT_SIGNING_KEY', {
    description:
      '32 random bytes in base64 that sign the checkpoints of the audit log; without it they are signed by a key of the master key.',
    charactersMin: 43,
    optional: true,
  }),
  auditRetentionMs: duration('AUDIT_RETENTION', {
    description: 'How long audit records are kept, where a tenant has no time of its own.',
    min: '1d',
    max: '36500d',
    default: '400d',
  }),
  publicUrl: publicUrl('API_PUBLIC_URL'),
  tenantHostSuffix: string('API_HOST_SUFFIX', {
    description: 'What follows `<tenant>-` in host names; `api.*` stands for `api` in any domain.',
    default: 'api.*',
  }),
  ...tenantEngineSettings,
  harvestEveryMs: duration('HARVEST_EVERY', {
    description: 'The catalogs of each tenant’s engine are mirrored this often, besides at the start of a host.',
    min: '1m',
    max: '24d',
    default: '1h',
  }),
  harvestLeaseMs: duration('HARVEST_LEASE', {
    description:
      'A host that has not said for so long that it works on a harvest is dead, and another goes on with it.',
    min: '1s',
    max: '10m',
    default: '30s',
  }),
  harvestUser: string('HARVEST_USER', {
    description:
      'User that Trino is told it lists its catalogs for, in the place of `{user}` in ENGINE_USER_TEMPLATE; it must be allowed to see them. No account has a name with a colon.',
    default: 'sluice:harvest',
  }),
  workersMax: integer('API_WORKERS_MAX', {
    description:
      'Query workers of an API host at once, by which it describes statements and lists catalogs; they start when they are needed.',
    min: 2,
    max: 64,
    default: '4',
  }),
  describeTimeMs: duration('DESCRIBE_TIME', {
    description: 'How long an engine may take to describe a statement that is saved.',
    min: '100ms',
    max: '1h',
    default: '15s',
  }),
} as const;

export type ApiHostSettings = SettingsOf<typeof apiHostSettings>;

/** The environment of this process, for `main.ts`; nothing else reads it. */
export const processEnvironment = (): Environment => {
  // biome-ignore lint/style/noProcessEnv: the one place of this service that reads it.
  return process.env;
};
