import TestSequencer from '@jest/test-sequencer';

/** Files that take longer than 15 s, longest first. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'stream-host/tests/audit/audit-kill',
  'embedded/tests/embedded',
  'store/testing/postgres-',
  'stream-host/tests/results/stops',
  'stream-host/tests/trino/trino-',
  'stream-host/tests/queries/slow-reader',
  'stream-host/tests/operations/',
  'api-host/tests/identity/login-storm',
  'api-host/tests/catalog/harvest',
  'jobs/testing/postgres-contract',
  'stream-host/tests/results/fidelity',
  'query-worker/src/parent/worker-process',
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
