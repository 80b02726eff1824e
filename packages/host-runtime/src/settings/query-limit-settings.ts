import { bytes, duration, integer, type SettingsOf } from '@sluice/config';

/** Limits of queries. The stream host applies them, and both hosts report them. */
export const queryLimitSettings = {
  queriesPerUser: integer('QUERIES_PER_USER', {
    description:
      'Maximum of concurrent queries of one user on all stream hosts together, unless the tenant sets its own limit. Use the same value on both hosts.',
    min: 1,
    max: 10_000,
    default: '8',
  }),
  queriesPerTenant: integer('QUERIES_PER_TENANT', {
    description:
      'Maximum of concurrent queries of one tenant on all stream hosts together, unless the tenant sets its own limit. Use the same value on both hosts.',
    min: 1,
    max: 10_000,
    default: '20',
  }),
  queuedPerUser: integer('QUEUED_PER_USER', {
    description:
      'Maximum of waiting queries of one user; further ones are rejected at once. Use the same value on both hosts.',
    min: 0,
    max: 100_000,
    default: '100',
  }),
  queuedPerTenant: integer('QUEUED_PER_TENANT', {
    description:
      'Maximum of waiting queries of one tenant; further ones are rejected at once. Use the same value on both hosts.',
    min: 0,
    max: 100_000,
    default: '500',
  }),
  queueTimeoutMs: duration('QUEUE_TIMEOUT', {
    description:
      'Time that a query waits for a worker before it is rejected with 429. Use the same value on both hosts.',
    max: '24d',
    default: '10s',
  }),
  queryTimeLimitMs: duration('QUERY_TIME', {
    description: 'Maximum run time of a query, unless its tenant sets its own limit. Use the same value on both hosts.',
    min: '1s',
    max: '24d',
    default: '30m',
  }),
  keepTimeMaxMs: duration('RESULT_KEEP_MAX', {
    description:
      'Longest time for which a query may keep its result, for tenants without a limit of their own. Use the same value on both hosts.',
    min: '1s',
    max: '90d',
    optional: true,
    defaultMeaning: 'results are not kept',
  }),
  keptBytesMax: bytes('RESULT_BYTES_MAX', {
    description:
      'Limit of the bytes of all kept results of a tenant, for tenants without a limit of their own. Use the same value on both hosts.',
    min: '1MiB',
    default: '10GiB',
  }),
} as const;

export type QueryLimitSettings = SettingsOf<typeof queryLimitSettings>;
