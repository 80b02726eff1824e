import { duration, secretUrl, string } from '@sluice/config';

const PROTOCOLS = ['postgres:', 'postgresql:'];

/** Settings of the migrate command. */
export const migrateSettings = {
  ownerUrl: secretUrl('DATABASE_OWNER_URL', {
    description: 'PostgreSQL as the role that owns the schema. Hosts do not need it.',
    protocols: PROTOCOLS,
  }),
  apiUrl: secretUrl('API_DATABASE_URL', {
    description:
      "The API host's `DATABASE_URL`. Its role is created, or gets this password. Without a password the role must exist and keeps its own.",
    protocols: PROTOCOLS,
  }),
  streamUrl: secretUrl('STREAM_DATABASE_URL', {
    description: "The stream host's `DATABASE_URL`, with the same rules.",
    protocols: PROTOCOLS,
  }),
  lockTimeoutMs: duration('MIGRATE_LOCK_TIMEOUT', {
    description: 'Longest wait for a locked table, in each of twenty attempts.',
    min: '100ms',
    max: '1m',
    default: '500ms',
  }),
  publishedAddress: string('PUBLISHED_ADDRESS', {
    description:
      'Address at which the hosts are published. Unless it is a loopback address, the development secrets of `docker-compose.yml` are rejected.',
    default: '127.0.0.1',
  }),
} as const;
