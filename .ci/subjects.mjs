// Checks that every layer uses the same subjects as folder names, that routes are the only files among routes, and that use-cases
// are built in context/. Imported by boundaries.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SUBJECTS = ['identity', 'administration', 'catalog', 'datamaps', 'marketplace', 'queries', 'audit'];

/** Layers, and the technical folders that each may have besides the subjects. */
const LAYERS = {
  'packages/contract/src': ['fields', 'operations', 'problems'],
  'packages/store/src': ['batching', 'database', 'migrations', 'resources', 'schema', 'search'],
  'services/api-host/src/resources': [],
  'services/stream-host/src/resources': [],
  'services/api-host/src/use-cases': [],
  'services/stream-host/src/use-cases': ['door'],
  'services/api-host/src/routes': [],
  'services/stream-host/src/routes': [],
  'services/api-host/tests': ['operations'],
  'services/embedded/tests': ['cli', 'console', 'operations'],
  'services/stream-host/tests': ['door', 'operations', 'results', 'trino'],
};

const ROUTES = ['services/api-host/src/routes', 'services/stream-host/src/routes'];
const DECLARES_ROUTE = /\b(?:route|downloadRoute|healthRoutes)\(/;
const USE_CASES = ['services/api-host/src/use-cases', 'services/stream-host/src/use-cases'];
const HOSTS = ['services/api-host/src', 'services/stream-host/src'];
const BUILDS_USE_CASE = /import \{[^}]*\bcreate[A-Z]\w*[^}]*\} from '(?:\.\.?\/)+use-cases\//;

/**
 * Returns a sentence about each file among routes that declares none, each use-case outside of a subject, and each file outside of
 * context/ that builds a use-case.
 */
export function findMisplacedFiles() {
  const helpers = ROUTES.flatMap((layer) =>
    readdirSync(layer, { recursive: true })
      .map((name) => join(layer, name))
      .filter((path) => path.endsWith('.ts') && !DECLARES_ROUTE.test(readFileSync(path, 'utf8')))
      .map((path) => `${path} declares no route; move it out of ${layer}`),
  );
  const withoutSubject = USE_CASES.flatMap((layer) =>
    readdirSync(layer)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${layer}/${name} belongs into the folder of a subject (${SUBJECTS.join(', ')})`),
  );
  const builders = HOSTS.flatMap((host) =>
    readdirSync(host, { recursive: true })
      .filter((name) => name.endsWith('.ts') && !/^(?:context|use-cases)\b/.test(name))
      .map((name) => join(host, name))
      .filter((path) => BUILDS_USE_CASE.test(readFileSync(path, 'utf8')))
      .map((path) => `${path} builds a use-case; build it in ${host}/context`),
  );
  return [...helpers, ...withoutSubject, ...builders];
}

/** Sentences about folders that are neither a subject nor a declared technical folder, and about missing layers. */
export function findUnknownFolders() {
  return Object.entries(LAYERS).flatMap(([layer, technical]) => {
    if (!existsSync(layer)) return [`${layer} does not exist; update .ci/subjects.mjs`];
    return readdirSync(layer, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ![...SUBJECTS, ...technical].includes(entry.name))
      .map(({ name }) => `${layer}/${name} is not a subject (${SUBJECTS.join(', ')}); see .ci/subjects.mjs`);
  });
}
