/** The built files of an earlier version, from the history of this repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE } from '../components/component.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HASH_LENGTH = 12;
const OUTPUT_MAX = 2 ** 26;

/** This clone does not have the commit from which an upgrade starts. */
export class MissingHistoryError extends Error {
  name = 'MissingHistoryError';
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Gets the history of a shallow clone, if its origin has it. */
function deepen() {
  if (git('rev-parse', '--is-shallow-repository') === 'true') git('fetch', '--quiet', '--unshallow', 'origin');
}

/** Returns the commit before the one that added a file, which stays the same when commits are reworded. Throws if it cannot be found. */
export function commitBefore(file) {
  deepen();
  const added = git('log', '--diff-filter=A', '--format=%H', '--', file)?.split('\n').at(-1);
  return requireCommit(`${added}^`, `before ${file} was added`);
}

/** Returns the whole hash of a commit. Throws if it cannot be found. */
function requireCommit(commit, which = commit) {
  const hash = git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
  if (hash === undefined) {
    throw new MissingHistoryError(
      `The commit ${which}, from which the upgrade starts, is not in this clone. Get the whole history with \`git fetch --unshallow\`, and run the check again.`,
    );
  }
  return hash;
}

/**
 * Returns the folder with the installed and built files of a commit. They stay in the cache folder for later runs. Throws if the commit
 * is not in this clone, or if it cannot be built.
 */
export function buildEarlierVersion(commit) {
  const hash = requireCommit(commit);
  const folder = join(CACHE, `sluice-${hash.slice(0, HASH_LENGTH)}-${process.versions.modules}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = join(unfinished, 'archive.tar');
    run('git', ['archive', `--output=${archive}`, hash], ROOT);
    run('tar', ['--extract', '--file', archive], unfinished);
    rmSync(archive);
    run(process.execPath, ['deploy/local/prepare.mjs'], unfinished);
    // Renamed at the end, so that an interrupted build is never used.
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Runs a command, and prints its output only if it fails. */
function run(command, args, cwd) {
  const options = { cwd, encoding: 'utf8', maxBuffer: OUTPUT_MAX, stdio: ['ignore', 'pipe', 'inherit'] };
  const { status, stdout, error } = spawnSync(command, args, options);
  if (status === 0) return;
  process.stderr.write(stdout ?? '');
  throw new Error(`\`${command} ${args[0]}\` failed in ${cwd}${error ? `: ${error.message}` : ''}`);
}
