import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CACHE } from './component.mjs';

/**
 * Fetches the archive of a server from Maven Central and unpacks it to `home`, unless it is there. Maven's own copy is removed.
 * @param size - of the download, for the message
 * @param prepare - changes the unpacked files before they become `home`. Its second argument runs a command, and throws if it fails
 */
export function installFromMaven({ group, artifact, version, size, home, print, prepare }) {
  if (existsSync(home)) return;
  const mustRun = (command, args, options = {}) => {
    const { error, status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
    if (error?.code === 'ENOENT')
      throw new Error(`\`${command}\` is not on the PATH. It is needed to install ${artifact}.`);
    if (status !== 0)
      throw new Error(
        `${artifact} ${version} could not be installed: \`${command}\` failed. See the output above. Access to Maven Central and 2 GB of disk space are needed.`,
      );
  };
  const downloads = join(CACHE, 'download');
  const archive = join(downloads, `${artifact}-${version}.tar.gz`);
  mkdirSync(downloads, { recursive: true });
  if (!existsSync(archive)) {
    print(`fetching the server (${size}) ...`);
    const coordinates = `-Dartifact=${group}:${artifact}:${version}:tar.gz`;
    mustRun('mvn', ['-q', '-B', 'dependency:copy', coordinates, `-DoutputDirectory=${downloads}`]);
  }
  const unpacked = `${home}.unpacking`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  mustRun('tar', ['xzf', archive, '-C', unpacked, '--strip-components=1']);
  prepare(unpacked, mustRun);
  renameSync(unpacked, home);
  rmSync(archive);
  const mavenFolder = join(homedir(), '.m2', 'repository', ...group.split('.'), artifact, version);
  rmSync(mavenFolder, { recursive: true, force: true });
  print(`installed in ${home}`);
}
