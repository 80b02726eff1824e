/**
 * HTTP tests of the stream host that use no SQL of one engine only. `npm test` runs them on DuckDB, and
 * the suites `trino` and `trino-full` on Trino. `fidelity` is not in the list, because its values have types of DuckDB:
 * `trino-fidelity.servers.ts` asserts the same for the types of Trino.
 */
export const SHARED_HTTP_TESTS = [
  'audit/audit',
  'audit/audit-outcome',
  'operations/log',
  'operations/outage',
  'operations/shutdown',
  'queries/bad-input',
  'queries/concurrency',
  'queries/namespace',
  'queries/query-status',
  'queries/slow-reader',
  'queries/stop-reasons',
  'queries/tenant-limits',
  'queries/tenants',
  'results/odd-results',
  'results/outside-stops',
  'results/query-download-csv',
  'results/query-download-json',
  'results/query-download-ndjson',
  'results/query-stream',
  'results/query-stream-failures',
  'results/stops',
];
