/**
 * Assembles the files of one image: `node deploy/docker/assemble-host.mjs api-host|stream-host FOLDER`. The sources must be built.
 * FOLDER gets the built host, its production dependencies and nothing else.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const HOSTS = ['api-host', 'stream-host'];

/** Sources, types, tests, source maps and build information, of Sluice and of its dependencies. */
const UNUSED_FILE = /\.(?:map|tsx?|[cm]ts|tsbuildinfo|flow)$|\.(?:test|spec)\.[cm]?js$|^tsconfig.*\.json$/;
/** Folders of a package that no module imports. */
const UNUSED_FOLDERS = [
  'test',
  'tests',
  '__tests__',
  'testing',
  'load',
  'benchmark',
  'benchmarks',
  'example',
  'examples',
];
/** Folders of packages of this repository that no module imports. Others keep their code in `src`. */
const UNUSED_OWN = ['src', 'assembly'];
/** Alternative builds; `/docs` serves the ones that remain. */
const UNUSED_BUILDS = {
  'swagger-ui-dist': /^(?:swagger-ui-es-|swagger-ui\.js$|log\.|index\.|oauth2-|swagger-initializer)/,
  '@sluice/console': /^(?!dist$|package\.json$)/,
};

/** Fills the folder, which is replaced if it exists. Throws if a file that the host needs is missing. */
export function assembleHost(host, folder) {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  // Injected packages are installed as files, with the versions of the lock file.
  const settings = ['--config.inject-workspace-packages=true', '--config.node-linker=isolated'];
  const deploy = ['--yes', packageManager, `--filter=@sluice/${host}`, 'deploy', '--prod', ...settings, folder];
  const { status } = spawnSync('npx', deploy, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`The dependencies of the ${host} could not be copied. See the output above.`);
  rmSync(join(folder, 'pnpm-lock.yaml'), { force: true });
  for (const { name, path } of packageFolders(folder)) removeUnused(name, path);
  rmSync(join(folder, 'node_modules', '.pnpm', 'lock.yaml'), { force: true });
  for (const needed of neededFiles(host)) {
    if (!existsSync(join(folder, needed))) throw new Error(`${needed} is missing. Run \`npm run build\` first.`);
  }
}

const neededFiles = (host) => [
  'dist/main.js',
  ...(host === 'api-host'
    ? ['dist/commands/migrate-main.js', 'node_modules/@sluice/console/dist/site/index.html']
    : ['node_modules/@sluice/query-worker/dist/bundle/worker-main.js']),
];

/** Returns the name and folder of each package, the host first. */
export function packageFolders(folder) {
  const store = join(folder, 'node_modules', '.pnpm');
  const places = readdirSync(store).map((entry) => join(store, entry, 'node_modules'));
  const folders = places.filter((place) => existsSync(place)).flatMap(foldersIn);
  return [folder, ...folders].map((path) => ({ path, ...readPackage(path) }));
}

/** Returns the folders of a node_modules that are not links to packages of other folders. */
const foldersIn = (place) =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '.bin' && entry.name !== '.pnpm')
    .flatMap((entry) => (entry.name.startsWith('@') ? foldersIn(join(place, entry.name)) : [join(place, entry.name)]));

const readPackage = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

function removeUnused(name, folder) {
  const isOwn = name.startsWith('@sluice/');
  for (const entry of readdirSync(folder)) {
    const isUnused = UNUSED_FOLDERS.includes(entry) || (isOwn && UNUSED_OWN.includes(entry));
    if (isUnused || UNUSED_BUILDS[name]?.test(entry) === true) rmSync(join(folder, entry), { recursive: true });
  }
  if (name === '@sluice/console') rmSync(join(folder, 'dist', 'types'), { recursive: true, force: true });
  removeUnusedFiles(folder);
}

function removeUnusedFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') removeUnusedFiles(path);
    else if (entry.isFile() && UNUSED_FILE.test(entry.name)) rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [host, folder] = parseArgs({ allowPositionals: true }).positionals;
  if (!HOSTS.includes(host) || folder === undefined) {
    process.stderr.write('usage: node deploy/docker/assemble-host.mjs api-host|stream-host FOLDER\n');
    process.exit(2);
  }
  try {
    assembleHost(host, resolve(folder));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
