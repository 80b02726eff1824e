import TestSequencer from '@jest/test-sequencer';
import { sharesHost } from './host-sharing-tests.mjs';

/** Files that take longer than 15 s, longest first. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'stream-host/tests/audit/audit-kill',
  'stream-host/tests/results/stops',
  'stream-host/tests/results/outside-stops',
  'embedded/tests/embedded',
  'stream-host/tests/trino/trino-faults',
  'stream-host/tests/results/trino-fidelity',
  'store/testing/postgres-',
  'redis-outage',
  '/postgres-outage',
  'stream-host/tests/trino/trino-',
  'trino-credentials-rotation',
  'embedded/tests/operations/backup-restore',
  'console/host-restart',
  'console/accessibility',
  'console/result-states',
  'console/embedded-console',
  'console/import-metadata',
  'console/datamap-life',
  'console/metadata-files',
  'console/edit-item',
  'console/edit-metadata',
  'console/editor',
  'console/find-data',
  'console/download-faults',
  'console/audit',
  'engine/src/duckdb/typed-path/typed-result',
  'api-host/tests/catalog/metadata-file-kill',
  'engine/src/duckdb/guard/text-functions',
  'query-worker/load/worker-limits',
  'stream-host/tests/results/fidelity',
  'engine/src/linear-time',
  'engine/src/duckdb/planning-limit',
  'stream-host/tests/marketplace/marketplace-corners',
  'api-host/tests/identity/login-storm',
  'stream-host/tests/operations/',
  'bench/src/scenarios/search',
  'stream-host/tests/queries/bad-statements',
  'api-host/tests/audit/add-audit-field',
  'engine/src/duckdb/typed-path/random-values',
  'jobs/testing/postgres-contract',
  'api-host/tests/identity/single-sign-on-refused',
  'api-host/tests/catalog/harvest',
  'stream-host/tests/queries/slow-reader',
  'api-host/tests/audit/audit-tampering',
  'embedded/tests/audit/',
  'api-host/tests/catalog/metadata-file-round-trip',
  'api-host/tests/datamaps/datamap-description',
  'stream-host/tests/results/generated-fidelity',
  'api-host/tests/operations/outage',
  'embedded/tests/queries/waiting-callers',
];

const positionOf = ({ path }) => {
  const found = LONGEST.findIndex((part) => path.includes(part));
  if (found !== -1) return found;
  return LONGEST.length + (sharesHost(path) ? 0 : 1);
};

/** Jest orders files by their duration in the previous run, which a fresh clone does not know. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => positionOf(one) - positionOf(other));
  }
}
