import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE_MANAGER = 'pnpm@10.34.9';
/** Written last, inside node_modules: whoever deletes that folder deletes the claim with it. */
const MARKER = join(ROOT, 'node_modules', '.sluice-prepared.json');

/** Installs when node_modules does not match the lock file, builds when a source changed; says nothing when neither is so. */
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
  if (done.built !== built || projects().some((project) => !existsSync(join(project, 'dist', '.tsbuildinfo')))) {
    build();
    done.built = built;
    writeMarker(done);
  }
}

function install() {
  progress('Installing the dependencies (about a minute the first time, nothing afterwards) ...');
  run(
    'npx',
    // Without a terminal pnpm would refuse to replace a node_modules that is out of date.
    ['--yes', PACKAGE_MANAGER, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'],
    'The dependencies could not be installed: the lines above say why. Check the network and the free disk space, then run it again.',
  );
}

function build() {
  progress('Building the sources ...');
  run(
    process.execPath,
    [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '--build'],
    'The sources do not compile: the lines above say where.',
  );
}

function run(command, args, sentence) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    // npx is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === 'win32' && command === 'npx',
  });
  if (result.error?.code === 'ENOENT') throw new Error(`\`${command}\` is not on the PATH; it comes with Node's npm.`);
  if (result.signal !== null && result.signal !== undefined) throw new Error('Stopped.');
  if (result.error !== undefined || result.status !== 0) throw new Error(sentence);
}

/** What decides the content of node_modules; another platform or major version of Node needs other binaries. */
function installInputs() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => readFileSync(join(ROOT, name), 'utf8'));
  return [process.platform, process.arch, process.versions.modules, PACKAGE_MANAGER, ...files];
}

/** Path, size and time of every file the compiler reads: reading their contents would take longer than it saves. */
function buildInputs() {
  const own = projects().flatMap((project) => [
    ...filesUnder(join(project, 'src')),
    join(project, 'package.json'),
    join(project, 'tsconfig.json'),
  ]);
  return [...own, join(ROOT, 'tsconfig.json'), join(ROOT, 'tsconfig.base.json')].map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${relative(ROOT, file)} ${size} ${mtimeMs}`;
  });
}

/** The projects that `tsc --build` builds; a project the root does not reference is none. */
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
    // Absent or cut short: nothing is known, so everything is done again.
    return {};
  }
}

function writeMarker(done) {
  writeFileSync(MARKER, JSON.stringify(done));
}

function progress(line) {
  console.log(line);
}
