import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Packs an npm package, writes its tarball to a folder and prints the path.
 * @param stage - writes the files of the package to the folder that it is called with
 */
export function packFolder(target, stage) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pack-'));
  try {
    stage(folder);
    mkdirSync(target, { recursive: true });
    const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
    process.stdout.write(`${join(target, packed.stdout.trim())}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
