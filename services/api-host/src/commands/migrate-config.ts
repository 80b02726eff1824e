import { duration, type SettingsOf, secretUrl, string } from '@sluice/config';

const protocols = ['postgres:', 'postgresql:'];

/** Every setting of the migrate command. */
export const migrateSettings = {
  ownerUrl: secretUrl('DATABASE_OWNER_URL', {
    description: 'PostgreSQL as the role that owns the schema. No host needs it.',
    protocols,
  }),
  apiUrl: secretUrl('API_DATABASE_URL', {
    description:
      "The API host's `DATABASE_URL`. Its role is made, or given this password; without a password it must be there and keeps its own.",
    protocols,
  }),
  streamUrl: secretUrl('STREAM_DATABASE_URL', {
    description: "The stream host's `DATABASE_URL`, likewise.",
    protocols,
  }),
  lockTimeoutMs: duration('MIGRATE_LOCK_TIMEOUT', {
    description: 'Longest wait for a table that somebody else has locked, at each of twenty attempts.',
    min: '100ms',
    max: '1m',
    default: '500ms',
  }),
  publishedAddress: string('PUBLISHED_ADDRESS', {
    description:
      'Address at which the hosts are published. Beyond loopback, the secrets for development of `docker-compose.yml` are refused.',
    default: '127.0.0.1',
  }),
} as const;

export type MigrateSettings = SettingsOf<typeof migrateSettings>;
