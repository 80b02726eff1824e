import config from './jest.servers.config.mjs';

/**
 * HTTP tests that speak no engine's own SQL. `npm test` runs them on DuckDB, and `npm run contract -- --on servers` on Trino.
 * Not among them is `fidelity`, whose values are of DuckDB's own types: those of Trino's types are judged in the same way by
 * `trino-fidelity.servers.ts`.
 */
export const SHARED_HTTP_TESTS = [
  'audit/audit',
  'audit/audit-outcome',
  'operations/log',
  'operations/outage',
  'operations/shutdown',
  'queries/bad-input',
  'queries/concurrency',
  'queries/query-status',
  'queries/slow-reader',
  'queries/stop-reasons',
  'queries/tenant-limits',
  'queries/tenants',
  'results/cut-matrix',
  'results/cut-results',
  'results/odd-results',
  'results/query-download-csv',
  'results/query-download-json',
  'results/query-download-ndjson',
  'results/query-stream',
  'results/query-stream-failures',
  'results/stopped-results',
];

export default {
  ...config,
  testMatch: SHARED_HTTP_TESTS.map((name) => `<rootDir>/services/stream-host/tests/${name}.test.ts`),
  maxWorkers: 1,
};
