import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';
import { TRINO_CLIENT_JARS } from './versions.mjs';

const FOLDER = join(CACHE, 'jars');

const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Returns the path of a jar of `TRINO_CLIENT_JARS`, fetched from Maven Central the first time. Throws if it cannot be fetched, or is another
 * file than the one whose checksum is pinned.
 */
export function installJar(name) {
  const { group, artifact, version, classifier, sha256 } = TRINO_CLIENT_JARS[name];
  const file = `${[artifact, version, classifier].filter(Boolean).join('-')}.jar`;
  const jar = join(FOLDER, file);
  if (existsSync(jar)) return jar;
  const scratch = join(FOLDER, `${name}.${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const coordinates = [group, artifact, version, 'jar', ...(classifier === undefined ? [] : [classifier])].join(':');
    process.stdout.write(`${name}: fetching ${coordinates} ...\n`);
    const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${scratch}`];
    const { status, stdout, error } = spawnSync('mvn', copy);
    if (status !== 0) throw new Error(`${file} could not be fetched by Maven: ${error?.message ?? stdout}`);
    const found = sha256Of(join(scratch, file));
    if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256} of versions.mjs.`);
    renameSync(join(scratch, file), jar);
    return jar;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
