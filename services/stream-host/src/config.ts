import {
  boolean,
  bytes,
  duration,
  type Environment,
  integer,
  type SettingsOf,
  secret,
  string,
  url,
} from '@sluice/config';
import { hostSettings, publicUrl, queryLimitSettings } from '@sluice/host-runtime';
import { tenantEngineSettings } from '@sluice/tenant-engines';

/** All settings of the stream host. */
export const streamHostSettings = {
  ...hostSettings,
  port: integer('STREAM_PORT', {
    description: 'Port of the stream host; 0 selects a free one.',
    min: 0,
    max: 65_535,
    default: '8081',
  }),
  publicUrl: publicUrl('STREAM_PUBLIC_URL'),
  tenantHostSuffix: string('STREAM_HOST_SUFFIX', {
    description: 'Suffix after `<tenant>-` in host names; `stream.*` means `stream` in any domain.',
    default: 'stream.*',
  }),
  jwksUrl: url('JWKS_URL', {
    description: 'Key set of the API host, to verify tokens. The log warns about http beyond the loopback.',
  }),
  ...tenantEngineSettings,
  workersMax: integer('WORKERS_MAX', {
    description: 'Maximum number of query workers.',
    min: 1,
    max: 256,
    optional: true,
    defaultMeaning:
      'three quarters of the memory divided by `WORKER_MEMORY`, at least 2 and at most 16, or 4 per processor if that is more',
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
    description: 'Share of the query workers that one tenant may hold while another one waits, in percent.',
    min: 1,
    max: 100,
    default: '50',
  }),
  ...queryLimitSettings,
  slowReaderBytes: bytes('SLOW_READER', {
    description:
      'Minimum of bytes per second that a client must read, over SLOW_READER_TIME. The query of a slower client is stopped when another account waits for a worker.',
    min: '1B',
    default: '1KiB',
  }),
  slowReaderTimeMs: duration('SLOW_READER_TIME', {
    description: 'Time over which the read rate of a client is measured.',
    min: '1s',
    max: '24d',
    default: '60s',
  }),
  historyMs: duration('QUERY_HISTORY', {
    description: 'Age up to which `GET /query/history` lists queries. Receipts are kept longer.',
    min: '1m',
    max: '36500d',
    default: '30d',
  }),
  downloadRetentionMs: duration('MARKETPLACE_DOWNLOAD_RETENTION', {
    description:
      'Time to keep the records of which queries were marketplace downloads, for reports from the database. Counts of items and audit records are kept longer.',
    // Longer than the maximum of QUERY_TIME.
    min: '25d',
    max: '36500d',
    default: '400d',
  }),
  ticketLifetimeMs: duration('TICKET_LIFETIME', {
    description: 'Time in which a ticket of `POST /tickets` can be used.',
    min: '100ms',
    max: '10m',
    default: '60s',
  }),
  ticketsPerUser: integer('TICKETS_PER_USER', {
    description: 'Maximum number of unused tickets of one user or service account.',
    min: 1,
    max: 10_000,
    default: '100',
  }),
  stallTimeoutMs: duration('STALL_TIMEOUT', {
    description: 'Time after which the connection of a client that reads no byte is cut and its query cancelled.',
    min: '100ms',
    max: '24d',
    default: '60s',
  }),
  resultFolder: string('RESULT_FOLDER', {
    description:
      'Folder for kept results, for a deployment with one stream host. Without it and RESULT_BUCKET, no results are kept.',
    optional: true,
  }),
  resultBucket: string('RESULT_BUCKET', {
    description:
      'S3-compatible bucket for kept results. Credentials come from the AWS SDK: variables, a profile, or a role. Bucket and prefix must be of this deployment alone.',
    optional: true,
  }),
  resultBucketPrefix: string('RESULT_BUCKET_PREFIX', {
    description: 'Beginning of the names of all objects in RESULT_BUCKET, without a slash at its end.',
    optional: true,
  }),
  resultBucketRegion: string('RESULT_BUCKET_REGION', {
    description: 'Region of RESULT_BUCKET.',
    optional: true,
    defaultMeaning: 'that of the AWS SDK',
  }),
  resultBucketUrl: url('RESULT_BUCKET_URL', {
    description: 'Address of an S3-compatible server other than AWS.',
    optional: true,
  }),
  resultKey: secret('RESULT_KEY', {
    description:
      '32 random bytes in base64, the same on all stream hosts. Keys of kept results are wrapped with keys that are derived from it. Needed with RESULT_FOLDER and RESULT_BUCKET.',
    charactersMin: 43,
    optional: true,
  }),
  resumeWaitMs: duration('RESULT_RESUME_WAIT', {
    description:
      'Time for which a query with `keep` runs on after its client has left, until a client asks for its events. 0: it ends with its connection. Use the same value on all hosts.',
    min: '0s',
    max: '1h',
    default: '60s',
  }),
  trinoDoor: boolean('TRINO_DOOR', {
    description: 'Whether clients of Trino can run statements, at the paths below `/v1/`.',
    default: 'false',
  }),
  trinoPollWaitMs: duration('TRINO_POLL_WAIT', {
    description:
      'Time without a request for a page after which the statement of a Trino client is cancelled. Use the same value on all hosts.',
    min: '1s',
    max: '1h',
    default: '60s',
  }),
  resultFilesBytesMax: bytes('RESULT_FILES_MAX', {
    description:
      'Disk space in the temporary folder for files of kept results, which are made for downloads and kept for some minutes. One tenant uses at most half of it, so no file can be larger.',
    min: '1MiB',
    default: '4GiB',
  }),
} as const;

export type StreamHostSettings = SettingsOf<typeof streamHostSettings>;

/** Returns the environment of this process. Only `main.ts` calls it. */
export const processEnvironment = (): Environment => {
  // biome-ignore lint/style/noProcessEnv: the one place of this service that reads the environment.
  return process.env;
};
