import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED_FOLDERS } from '../bundles/bundled-folders.mjs';
import { runCommand, withProgress } from './run-step.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONSOLE = join(ROOT, 'packages', 'console');
const PACKAGE_MANAGER = 'pnpm@10.34.9';
/** Marker of a completed installation and build. It is in node_modules, so that it is deleted with that folder. */
const MARKER = join(ROOT, 'node_modules', '.sluice-prepared.json');
/** A file of each bundle. */
const OUTPUTS = [
  'packages/query-worker/dist/writer.wasm',
  'packages/query-worker/dist/bundle/worker-main.js',
  'packages/cli/dist/sluice.js',
  'packages/console/dist/site/index.html',
  'services/api-host/dist/main.js',
  'services/stream-host/dist/main.js',
  'services/embedded/dist/main.js',
].map((path) => join(ROOT, path));
/** Only tests and measurements use them. */
const NOT_BUNDLED = ['bench', 'testkit'];

/**
 * Installs when node_modules does not match the lock file, and bundles the programs when a source changed. Prints nothing otherwise. It does
 * not check types: `npm run typecheck` does.
 */
export async function installAndBuild() {
  const done = readMarker();
  const installed = hashOf(installInputs());
  if (done.installed !== installed) {
    await withProgress('Installing the dependencies (the first time only) ...', install);
    done.installed = installed;
    done.built = undefined;
    writeMarker(done);
  }
  const built = hashOf(buildInputs());
  if (done.built !== built || OUTPUTS.some((output) => !existsSync(output))) {
    await withProgress('Bundling the programs and the console ...', bundle);
    done.built = built;
    writeMarker(done);
  }
}

const install = () =>
  runCommand(
    'npx',
    // Without a terminal pnpm would refuse to replace a node_modules that is out of date.
    ['--yes', PACKAGE_MANAGER, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'],
    {
      cwd: ROOT,
      sentence:
        'The dependencies could not be installed. See the output above, check the network and the free disk space, and try again.',
    },
  );

/** The two bundlers do not wait for each other. */
const bundle = () =>
  Promise.all([
    runCommand(process.execPath, [join(ROOT, 'deploy', 'bundles', 'bundle-all.mjs')], {
      cwd: ROOT,
      sentence: 'The programs could not be bundled. See the output above.',
    }),
    runCommand(process.execPath, [join(CONSOLE, 'build.mjs')], {
      cwd: ROOT,
      sentence: 'The console could not be bundled. See the output above.',
    }),
  ]);

/** Returns what determines the content of node_modules. Another platform or major version of Node.js needs other binaries. */
function installInputs() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => readFileSync(join(ROOT, name), 'utf8'));
  return [process.platform, process.arch, process.versions.modules, PACKAGE_MANAGER, ...files];
}

/** Returns path, size and time of all files that a bundle may contain. Reading their contents would take too long. */
function buildInputs() {
  const own = projects().flatMap((project) => [...filesUnder(join(project, 'src')), join(project, 'package.json')]);
  return [
    ...own,
    ...filesUnder(join(ROOT, 'packages', 'engine', 'assembly')),
    ...filesUnder(join(ROOT, 'deploy', 'bundles')),
    ...BUNDLED_FOLDERS.map((folder) => join(ROOT, folder, 'bundle.mjs')),
    ...['build.mjs', 'index.html', 'vite.config.ts'].map((name) => join(CONSOLE, name)),
    ...filesUnder(join(CONSOLE, 'build')),
  ].map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${relative(ROOT, file)} ${size} ${mtimeMs}`;
  });
}

/** Returns the folders of all packages and services with sources of a bundle. */
const projects = () =>
  ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(ROOT, parent))
      .filter((name) => !NOT_BUNDLED.includes(name) && existsSync(join(ROOT, parent, name, 'package.json')))
      .map((name) => join(ROOT, parent, name)),
  );

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function hashOf(lines) {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function readMarker() {
  try {
    return JSON.parse(readFileSync(MARKER, 'utf8'));
  } catch {
    // Missing or incomplete: everything is done again.
    return {};
  }
}

function writeMarker(done) {
  writeFileSync(MARKER, JSON.stringify(done));
}
