import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENGINE = join(ROOT, 'packages', 'engine');
const WORKER = join(ROOT, 'packages', 'query-worker');
const CLI = join(ROOT, 'packages', 'cli');
const CONSOLE = join(ROOT, 'packages', 'console');
const PACKAGE_MANAGER = 'pnpm@10.34.9';
/** Marker of a completed installation and build. It is in node_modules, so that it is deleted with that folder. */
const MARKER = join(ROOT, 'node_modules', '.sluice-prepared.json');

/** Installs when node_modules does not match the lock file, and builds when a source changed. Prints nothing otherwise. */
export function installAndBuild() {
  const done = readMarker();
  const installed = hashOf(installInputs());
  if (done.installed !== installed) {
    install();
    done.installed = installed;
    done.built = undefined;
    writeMarker(done);
  }
  const built = hashOf(buildInputs());
  const outputs = [
    ...projects().map((project) => join(project, 'dist', '.tsbuildinfo')),
    join(ENGINE, 'dist', 'writer.wasm'),
    join(WORKER, 'dist', 'bundle', 'worker-main.js'),
    join(CLI, 'dist', 'sluice.js'),
    join(CONSOLE, 'dist', 'site', 'index.html'),
  ];
  if (done.built !== built || outputs.some((output) => !existsSync(output))) {
    build();
    done.built = built;
    writeMarker(done);
  }
}

function install() {
  progress('Installing the dependencies (about a minute, the first time only) ...');
  run(
    'npx',
    // Without a terminal pnpm would refuse to replace a node_modules that is out of date.
    ['--yes', PACKAGE_MANAGER, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'],
    'The dependencies could not be installed. See the output above, check the network and the free disk space, and try again.',
  );
}

function build() {
  progress('Building the sources ...');
  run(
    process.execPath,
    [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '--build'],
    'The sources do not compile. See the output above.',
  );
  run(
    process.execPath,
    [join(ENGINE, 'assembly', 'build.mjs')],
    'The row writer does not compile. See the output above.',
  );
  run(process.execPath, [join(WORKER, 'bundle.mjs')], 'The query worker could not be bundled. See the output above.');
  run(process.execPath, [join(CLI, 'bundle.mjs')], 'The command line could not be bundled. See the output above.');
  run(process.execPath, [join(CONSOLE, 'build.mjs')], 'The console could not be bundled. See the output above.');
}

function run(command, args, sentence) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    // On Windows npx is a .cmd file, which only a shell can start.
    shell: process.platform === 'win32' && command === 'npx',
  });
  if (result.error?.code === 'ENOENT')
    throw new Error(`\`${command}\` is not on the PATH. It is part of npm, which comes with Node.js.`);
  if (result.signal !== null && result.signal !== undefined) throw new Error('Stopped.');
  if (result.error !== undefined || result.status !== 0) throw new Error(sentence);
}

/** Returns what determines the content of node_modules. Another platform or major version of Node.js needs other binaries. */
function installInputs() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => readFileSync(join(ROOT, name), 'utf8'));
  return [process.platform, process.arch, process.versions.modules, PACKAGE_MANAGER, ...files];
}

/** Returns path, size and time of all files that the compiler reads. Reading their contents would take too long. */
function buildInputs() {
  const own = projects().flatMap((project) => [
    ...filesUnder(join(project, 'src')),
    join(project, 'package.json'),
    join(project, 'tsconfig.json'),
  ]);
  return [
    ...own,
    ...filesUnder(join(ENGINE, 'assembly')),
    join(WORKER, 'bundle.mjs'),
    join(CLI, 'bundle.mjs'),
    ...filesUnder(join(CLI, 'packing')),
    ...['build.mjs', 'index.html', 'vite.config.ts'].map((name) => join(CONSOLE, name)),
    ...filesUnder(join(CONSOLE, 'build')),
    join(ROOT, 'tsconfig.json'),
    join(ROOT, 'tsconfig.base.json'),
  ].map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${relative(ROOT, file)} ${size} ${mtimeMs}`;
  });
}

/** Returns the projects that `tsc --build` builds, which are those that the root references. */
function projects() {
  const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => join(ROOT, reference.path));
}

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

function progress(line) {
  console.log(line);
}
