import config from './jest.servers.config.mjs';

/**
 * HTTP tests that speak no engine's own SQL. `npm test` runs them on DuckDB, and `npm run contract -- --on servers` on Trino.
 * Not among them is `fidelity`, whose values are of DuckDB's own types: those of Trino's types are judged in the same way by
 * `trino-fidelity.servers.ts`.
 */
export const SHARED_HTTP_TESTS = [
  'audit',
  'audit-outcome',
  'bad-input',
  'concurrency',
  'cut-matrix',
  'cut-results',
  'log',
  'odd-results',
  'outage',
  'query-download-csv',
  'query-download-json',
  'query-status',
  'query-stream',
  'query-stream-failures',
  'shutdown',
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
