// Packs @sluice/cli: node packages/cli/packing/pack.mjs FOLDER (`npm run pack` packs all packages)
// Writes the tarball to the folder and prints its path. The package has the bundle, the licences of what it contains, README.md and
// LICENSE, and depends on nothing. Build first (`npm run build`).
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packFolder } from '../../../deploy/bundles/pack-folder.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['sluice.js', 'THIRD-PARTY-LICENSES.txt'];

function copyPackage(folder) {
  mkdirSync(join(folder, 'dist'));
  for (const name of FILES) cpSync(join(PACKAGE, 'dist', name), join(folder, 'dist', name));
  chmodSync(join(folder, 'dist', 'sluice.js'), 0o755);
  const { name, version, type, license, description, engines } = JSON.parse(
    readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
  );
  // The package of the sources has none: it is installed before the bundle is built, and npm would warn.
  const bin = { sluice: './dist/sluice.js' };
  const manifest = { name, version, type, license, description, engines, bin, files: ['dist'] };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  cpSync(join(PACKAGE, 'README.md'), join(folder, 'README.md'));
  cpSync(join(PACKAGE, '..', '..', 'LICENSE'), join(folder, 'LICENSE'));
}

packFolder(resolve(process.argv[2] ?? '.'), copyPackage);
