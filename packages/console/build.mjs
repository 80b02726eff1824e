/** Bundles the console to dist/site, unless that is newer than all sources. The API host serves the result at /console/. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PAGE = join(FOLDER, 'dist', 'site', 'index.html');
const SOURCES = [
  ...['src', 'build', 'index.html', 'vite.config.ts', 'build.mjs', 'package.json'].map((name) => join(FOLDER, name)),
  ...['../client/src', '../contract/src', '../audit/src', '../encoders/src', '../../pnpm-lock.yaml'].map((name) =>
    join(FOLDER, name),
  ),
];

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

function timeOf(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

if (timeOf(PAGE) <= Math.max(...SOURCES.flatMap(filesOf).map(timeOf))) {
  // Loaded only here: the bundler takes a third of a second to load.
  const { build } = await import('vite');
  await build({ root: FOLDER, configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' });
}
