// Checks that every layer uses the same subjects as folder names. Imported by boundaries.mjs.
import { existsSync, readdirSync } from 'node:fs';

const SUBJECTS = ['identity', 'administration', 'catalog', 'datamaps', 'marketplace', 'queries', 'audit'];

/** Layers, and the technical folders that each may have besides the subjects. */
const LAYERS = {
  'packages/contract/src': ['fields', 'operations', 'problems'],
  'packages/store/src': ['batching', 'database', 'migrations', 'schema', 'search'],
  'services/api-host/src/use-cases': [],
  'services/stream-host/src/use-cases': [],
  'services/api-host/src/routes': [],
  'services/stream-host/src/routes': [],
  'services/api-host/tests': ['operations'],
  'services/embedded/tests': ['cli', 'console', 'operations'],
  'services/stream-host/tests': ['operations', 'results', 'trino'],
};

/** Sentences about folders that are neither a subject nor a declared technical folder, and about missing layers. */
export function findUnknownFolders() {
  return Object.entries(LAYERS).flatMap(([layer, technical]) => {
    if (!existsSync(layer)) return [`${layer} does not exist; update .ci/subjects.mjs`];
    return readdirSync(layer, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ![...SUBJECTS, ...technical].includes(entry.name))
      .map(({ name }) => `${layer}/${name} is not a subject (${SUBJECTS.join(', ')}); see .ci/subjects.mjs`);
  });
}
