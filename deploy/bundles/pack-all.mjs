// Packs the npm packages @sluice/client and @sluice/cli: npm run pack -- [FOLDER]
// Writes both tarballs to the folder (default: dist/npm) and prints their paths.
import { spawnSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(process.argv[2] ?? 'dist/npm');
for (const name of ['client', 'cli']) {
  const script = fileURLToPath(new URL(`../../packages/${name}/packing/pack.mjs`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  // npm reads a path without the point as the name of a repository.
  process.stdout.write(`${relative('.', stdout.trim()).replace(/^(?!\.)/, './')}\n`);
}
