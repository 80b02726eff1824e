/**
 * Assembles the files of one image: `node deploy/docker/assemble-host.mjs api-host|stream-host FOLDER`. The sources must be built.
 * FOLDER gets the bundles of the host, the packages that are not in them, and nothing else.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const HOSTS = ['api-host', 'stream-host'];

/**
 * Packages that are not in the bundles. Of those of which only files are read by path, these are listed, and the packages that they need
 * are left out.
 */
const ADDONS = ['@node-rs/argon2', '@duckdb/node-api', '@duckdb/node-bindings'];
const DOCS_PAGE = {
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
    'LICENSE',
    'NOTICE',
  ],
};
const QUERY_WORKER = { '@sluice/query-worker': ['dist/bundle', 'dist/writer.wasm'] };
const READ_BY_PATH = {
  'api-host': { ...DOCS_PAGE, ...QUERY_WORKER, '@sluice/console': ['dist/site'] },
  'stream-host': { ...DOCS_PAGE, ...QUERY_WORKER },
};

/** Types, tests, source maps and build information. */
const UNUSED_FILE = /\.(?:map|tsx?|[cm]ts|tsbuildinfo|flow)$|\.(?:test|spec)\.[cm]?js$|^tsconfig.*\.json$/;

/** Fills the folder, which is replaced if it exists. Throws if a file that the host needs is missing. */
export function assembleHost(host, folder) {
  const service = join(ROOT, 'services', host);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyUsed(join(service, 'dist'), join(folder, 'dist'), (path) => path !== join(service, 'dist', 'types'));
  const { name, version, private: isPrivate, type, license } = readPackage(service);
  const manifest = { name, version, private: isPrivate, type, license };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const [each, files] of Object.entries(READ_BY_PATH[host])) {
    copyFiles(findPackage(each, service), join(folder, 'node_modules', each), files);
  }
  const parents = [service, join(ROOT, 'packages', 'query-worker')];
  for (const addon of ADDONS) {
    const parent = parents.find((path) => existsSync(join(path, 'node_modules', addon)));
    copyPackage(addon, parent, join(folder, 'node_modules'));
  }
  for (const needed of neededFiles(host)) {
    if (!existsSync(join(folder, needed))) throw new Error(`${needed} is missing. Run \`npm run build\` first.`);
  }
}

const neededFiles = (host) => [
  'dist/main.js',
  'dist/third-party-licenses.md',
  'node_modules/@sluice/query-worker/dist/bundle/worker-main.js',
  ...(host === 'api-host'
    ? ['dist/commands/migrate-main.js', 'node_modules/@sluice/console/dist/site/index.html']
    : []),
];

/** Returns the name and folder of each package, the host first. */
export const packageFolders = (folder) =>
  [folder, ...foldersIn(join(folder, 'node_modules'))].map((path) => ({ path, ...readPackage(path) }));

const foldersIn = (place) =>
  readdirSync(place).flatMap((entry) => (entry.startsWith('@') ? foldersIn(join(place, entry)) : [join(place, entry)]));

const readPackage = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** Returns the folder of a package that another one, or a host, depends on: pnpm links it beside or below the dependent. */
function findPackage(name, dependent) {
  for (let place = dependent; place !== dirname(place); place = dirname(place)) {
    const path = join(place, ...(basename(place) === 'node_modules' ? [] : ['node_modules']), name);
    if (existsSync(path)) return realpathSync(path);
  }
  return undefined;
}

/** Copies a package and those that it depends on side by side. Binaries of other platforms are optional and not installed. */
function copyPackage(name, dependent, target) {
  const source = findPackage(name, dependent);
  if (source === undefined) return;
  const { version, dependencies, optionalDependencies } = readPackage(source);
  const copy = join(target, name);
  if (existsSync(copy)) {
    if (readPackage(copy).version !== version) throw new Error(`The image needs two versions of ${name}.`);
    return;
  }
  copyUsed(source, copy, (path) => basename(path) !== 'node_modules');
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) copyPackage(needed, source, target);
}

function copyFiles(source, target, files) {
  for (const file of ['package.json', ...files]) {
    if (existsSync(join(source, file))) copyUsed(join(source, file), join(target, file), () => true);
  }
}

const copyUsed = (source, target, isUsed) =>
  cpSync(source, target, { recursive: true, filter: (path) => isUsed(path) && !UNUSED_FILE.test(basename(path)) });

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
