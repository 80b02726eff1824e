// Packs sluice-client: node packages/python/packing/pack.mjs FOLDER (`npm run pack` packs all packages)
// Writes the wheel to the folder and prints its path. It needs python3 with venv, and PyPI the first time.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonTools } from '../../../deploy/components/python-tools.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['src', 'pyproject.toml', 'README.md'];

const target = resolve(process.argv[2] ?? '.');
const programs = installPythonTools('python-build', fileURLToPath(new URL('requirements.txt', import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'sluice-pack-'));
try {
  // A copy, so that no file of the build stays in the checkout.
  for (const name of FILES) cpSync(join(PACKAGE, name), join(folder, 'package', name), { recursive: true });
  cpSync(join(PACKAGE, '..', '..', 'LICENSE'), join(folder, 'package', 'LICENSE'));
  const words = [
    '-m',
    'build',
    '--wheel',
    '--no-isolation',
    '--outdir',
    join(folder, 'wheel'),
    join(folder, 'package'),
  ];
  const built = spawnSync(join(programs, 'python'), words, { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The wheel could not be built: ${built.stderr}${built.stdout}`);
  const [wheel] = readdirSync(join(folder, 'wheel'));
  mkdirSync(target, { recursive: true });
  cpSync(join(folder, 'wheel', wheel), join(target, wheel));
  process.stdout.write(`${join(target, wheel)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
