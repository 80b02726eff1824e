// Packs the npm packages @sluice/client and @sluice/cli, and the wheel of sluice-client: npm run pack -- [FOLDER]
// Writes the files to the folder (default: dist/npm and dist/python) and prints their paths.
import { spawnSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , given] = process.argv;
const FOLDERS = { client: 'dist/npm', cli: 'dist/npm', python: 'dist/python' };
for (const [name, standard] of Object.entries(FOLDERS)) {
  const folder = resolve(given ?? standard);
  const script = fileURLToPath(new URL(`../../packages/${name}/packing/pack.mjs`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  // npm reads a path without the point as the name of a repository.
  process.stdout.write(`${relative('.', stdout.trim()).replace(/^(?!\.)/, './')}\n`);
}
