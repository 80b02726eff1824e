import { bytes, duration, type Environment, integer, type SettingsOf, string, url } from '@sluice/config';
import { hostSettings, publicUrl } from '@sluice/host';
import { tenantEngineSettings } from '@sluice/tenant-engines';

/** Every setting of the stream host. */
export const streamHostSettings = {
  ...hostSettings,
  port: integer('STREAM_PORT', {
    description: 'Port of the stream host; 0 takes any.',
    min: 0,
    max: 65_535,
    default: '8081',
  }),
  publicUrl: publicUrl('STREAM_PUBLIC_URL'),
  tenantHostSuffix: string('STREAM_HOST_SUFFIX', {
    description: 'What follows `<tenant>-` in host names; `stream.*` stands for `stream` in any domain.',
    default: 'stream.*',
  }),
  jwksUrl: url('JWKS_URL', {
    description: "The API host's key set, by which tokens are verified; https beyond loopback, or the log warns.",
  }),
  ...tenantEngineSettings,
  workersMax: integer('WORKERS_MAX', {
    description: 'Query workers at once.',
    min: 1,
    max: 256,
    optional: true,
    defaultMeaning: 'as many as three quarters of the memory carry by `WORKER_MEMORY`, 2 to 16',
  }),
  workersWarm: integer('WORKERS_WARM', {
    description: 'Idle query workers kept ready for any tenant.',
    min: 0,
    max: 64,
    default: '2',
  }),
  workersWarmPerTenant: integer('WORKERS_WARM_PER_TENANT', {
    description: 'Idle query workers kept ready for each tenant that ran a query in the last five minutes.',
    min: 0,
    max: 64,
    default: '2',
  }),
  tenantSlotsPercent: integer('TENANT_SLOTS_PERCENT', {
    description: 'Part of the query workers that one tenant may hold while another one waits, in percent.',
    min: 1,
    max: 100,
    default: '50',
  }),
  queriesPerUser: integer('QUERIES_PER_USER', {
    description: 'Queries of one user at once on all stream hosts together, unless the tenant has a limit of its own.',
    min: 1,
    max: 10_000,
    default: '8',
  }),
  queriesPerTenant: integer('QUERIES_PER_TENANT', {
    description: 'Queries of one tenant at once on all stream hosts together, unless it has a limit of its own.',
    min: 1,
    max: 10_000,
    default: '20',
  }),
  queuedPerUser: integer('QUEUED_PER_USER', {
    description: 'Queries of one user that may wait; more are refused at once.',
    min: 0,
    max: 100_000,
    default: '100',
  }),
  queuedPerTenant: integer('QUEUED_PER_TENANT', {
    description: 'Queries of one tenant that may wait; more are refused at once.',
    min: 0,
    max: 100_000,
    default: '500',
  }),
  queueTimeoutMs: duration('QUEUE_TIMEOUT', {
    description: 'How long a query waits for its turn before it is refused with 429.',
    max: '24d',
    default: '10s',
  }),
  slowReaderBytes: bytes('SLOW_READER', {
    description:
      'A client that reads less of a result a second, over SLOW_READER_TIME, loses its worker when another account waits for one.',
    min: '1B',
    default: '1KiB',
  }),
  slowReaderTimeMs: duration('SLOW_READER_TIME', {
    description: 'Time over which the pace of a client is measured.',
    min: '1s',
    max: '24d',
    default: '60s',
  }),
  queryTimeLimitMs: duration('QUERY_TIME', {
    description: 'How long a query may run, unless its tenant has a limit of its own.',
    min: '1s',
    max: '24d',
    default: '30m',
  }),
  keepAliveMs: duration('KEEP_ALIVE', {
    description: 'After so much silence a stream sends a comment line.',
    min: '10ms',
    max: '24d',
    default: '15s',
  }),
  downloadRetentionMs: duration('MARKETPLACE_DOWNLOAD_RETENTION', {
    description:
      'How long it is kept which queries were downloads of marketplace items, for whoever asks the database; counts of items and audit records stay.',
    // Longer than any query may run.
    min: '25d',
    max: '36500d',
    default: '400d',
  }),
  stallTimeoutMs: duration('STALL_TIMEOUT', {
    description: 'A client that takes no byte for so long is cut and its query cancelled.',
    min: '100ms',
    max: '24d',
    default: '60s',
  }),
} as const;

export type StreamHostSettings = SettingsOf<typeof streamHostSettings>;

/** The environment of this process, for `main.ts`; nothing else reads it. */
export const processEnvironment = (): Environment => {
  // biome-ignore lint/style/noProcessEnv: the one place of this service that reads it.
  return process.env;
};
