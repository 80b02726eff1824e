import config from './jest.servers.config.mjs';

/** HTTP tests that speak no engine's own SQL. `npm test` runs them on DuckDB, and `npm run contract -- --on servers` on Trino. */
export const SHARED_HTTP_TESTS = [
  'audit',
  'bad-input',
  'concurrency',
  'log',
  'outage',
  'query-download-csv',
  'query-download-json',
  'query-status',
  'query-stream',
  'query-stream-failures',
  'slow-reader',
  'stop-reasons',
  'stopped-results',
  'tenant-limits',
  'tenants',
];

export default {
  ...config,
  testMatch: SHARED_HTTP_TESTS.map((name) => `<rootDir>/services/stream-host/tests/${name}.test.ts`),
  maxWorkers: 1,
};
