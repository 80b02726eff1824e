/**
 * Tests of `npm test` with promised times that only they assert. The project `load` runs them once more, alone, with the limits as promised;
 * `npm test` allows ten times as long (packages/testkit/src/time-limit.ts). The shared HTTP tests are strict on Trino too.
 */
export const TIMED_TESTS = [
  'services/api-host/tests/audit/audit-outage.test.ts',
  'services/api-host/tests/operations/outage.test.ts',
  'services/embedded/tests/queries/administration.test.ts',
  'services/stream-host/tests/queries/bad-statements.test.ts',
  'services/stream-host/tests/queries/concurrency.test.ts',
  'services/stream-host/tests/queries/query-status.test.ts',
  'services/stream-host/tests/queries/stop-reasons.test.ts',
  'services/stream-host/tests/results/query-download-csv.test.ts',
  'services/stream-host/tests/results/query-download-parquet.test.ts',
  'services/stream-host/tests/results/query-download-xlsx.test.ts',
];
