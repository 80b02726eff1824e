import TestSequencer from '@jest/test-sequencer';

/** Files that take longer than 15 s, longest first. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'stream-host/tests/audit/audit-kill',
  'embedded/tests/embedded',
  'stream-host/tests/results/stops',
  'stream-host/tests/results/trino-fidelity',
  'store/testing/postgres-',
  'redis-outage',
  '/postgres-outage',
  'stream-host/tests/trino/trino-',
  'query-worker/src/parent/worker-process',
  'stream-host/tests/operations/',
  'stream-host/tests/queries/slow-reader',
  'api-host/tests/identity/login-storm',
  'api-host/tests/identity/single-sign-on-refused',
  'api-host/tests/catalog/harvest',
  'engine/src/duckdb/typed-path/typed-result',
  'stream-host/tests/results/fidelity',
  'jobs/testing/postgres-contract',
  'embedded/tests/audit/',
  'api-host/tests/audit/add-audit-field',
  'api-host/tests/operations/outage',
];

const positionOf = ({ path }) => {
  const found = LONGEST.findIndex((part) => path.includes(part));
  return found === -1 ? LONGEST.length : found;
};

/** Jest orders files by their duration in the previous run, which a fresh clone does not know. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => positionOf(one) - positionOf(other));
  }
}
