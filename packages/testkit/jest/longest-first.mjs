import TestSequencer from '@jest/test-sequencer';
import { sharesHost } from './host-sharing-tests.mjs';

/** Parts of the paths of files that take longer than 15 s, the longest ones first, so that none of them runs alone at the end. */
const LONGEST = [
  'stream-host/tests/audit/audit-kill',
  'stream-host/tests/results/outside-stops',
  'embedded/tests/cli/faults',
  'embedded/tests/operations/operate-tenants',
  'stream-host/tests/results/stops',
  'api-host/tests/audit/add-audit-field',
  'api-host/tests/identity/login-storm',
  'stream-host/tests/trino/trino-faults',
  'embedded/tests/embedded',
  'stream-host/tests/results/equal-writers',
  'stream-host/tests/results/fidelity',
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
  'api-host/tests/catalog/metadata-file-',
  'embedded/tests/operations/',
  'api-host/tests/audit/audit-forgery',
  'engine/src/duckdb/typed-path/typed-result',
  'stream-host/tests/results/query-download-',
  'embedded/tests/cli/metadata-files',
  'embedded/tests/cli/browse',
  'embedded/tests/cli/download',
  'api-host/tests/audit/audit-evidence',
  'stream-host/tests/marketplace/marketplace-corners',
  'engine/src/duckdb/typed-path/random-values',
  'embedded/tests/cli/query',
  'stream-host/tests/operations/',
  'embedded/tests/cli/login',
  'embedded/tests/audit/',
  'client/tests/package',
  'jobs/testing/postgres-contract',
  'stream-host/tests/audit/audit-outcome',
  'api-host/tests/catalog/harvest',
  'embedded/tests/queries/client-cuts',
  'embedded/tests/cli/',
  'api-host/tests/identity/single-sign-on-',
  'engine/src/duckdb/guard/text-functions',
  'engine/src/linear-time',
  'query-worker/load/worker-limits',
  'stream-host/tests/results/generated-fidelity',
  'stream-host/tests/queries/slow-reader',
  'engine/src/duckdb/planning-limit',
  'api-host/tests/operations/outage',
  'engine/src/trino/trino-engine',
  'stream-host/tests/queries/concurrency',
  'embedded/tests/queries/',
  'bench/src/scenarios/search',
  'stream-host/tests/queries/bad-statements',
  'api-host/tests/datamaps/datamap-description',
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
