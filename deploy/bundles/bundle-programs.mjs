/**
 * Bundles programs for Node.js with esbuild. A host that loads thirty files instead of a thousand starts with a quarter of the processor time.
 * Read docs/adr/0029-bundle-every-program.md.
 */
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const LICENSES = 'third-party-licenses.md';
const DECLARATIONS = 'types';

/** Packages that cannot be part of a bundle: their native addons are files that Node.js loads by path. */
const NATIVE = ['@duckdb/*', '@node-rs/argon2'];

/**
 * Packages that are not installed. Knex, pg, BullMQ and msgpackr load each only when it is asked for, or try it and go on without it; Sluice
 * asks for none.
 */
const NOT_INSTALLED = [
  ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'sqlite3', 'tedious'],
  ...['pg-native', '@valkey/valkey-glide', 'msgpackr-extract'],
];

/** CommonJS libraries in a bundle call `require` for modules of Node.js, and some read the path of their file. */
const BANNER = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  "import { dirname as dirnameOfBundle } from 'node:path';",
  "import { fileURLToPath as fileURLToPathOfBundle } from 'node:url';",
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = fileURLToPathOfBundle(import.meta.url);',
  'const __dirname = dirnameOfBundle(__filename);',
].join('\n');

/** Node.js warns of the deprecated constructor at each start, unless its caller is a file in node_modules. */
const replaceDeprecatedBuffer = {
  name: 'replace-deprecated-buffer',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules\/passport-http\/lib\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('new Buffer(', 'Buffer.from('),
    }));
  },
};

/**
 * Bundles the entries of a package from the sources of all packages. Entries share chunks, which are files beside them, and what a program
 * imports dynamically is a chunk of its own. The licences of the contained packages are written to third-party-licenses.md.
 * @param options.folder - URL of the folder of the package
 * @param options.output - folder of the bundle in it; files of earlier builds are removed from it
 * @param options.entries - source files by the paths of their bundles, without extension
 */
export async function bundlePrograms({ folder, output, entries }) {
  const root = fileURLToPath(folder);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: output,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    // Names of errors and functions stay as in the sources, for stack traces.
    keepNames: true,
    external: [...NATIVE, ...NOT_INSTALLED],
    banner: { js: BANNER },
    plugins: [replaceDeprecatedBuffer],
    metafile: true,
    // For the coverage of tests (.ci/coverage.mjs).
    sourcemap: process.argv.includes('--source-maps') ? 'external' : false,
    logLevel: 'warning',
  });
  const licenses = join(root, output, LICENSES);
  writeFileSync(licenses, thirdPartyLicenses(Object.keys(metafile.inputs), root));
  // The names of chunks contain hashes, so those of an earlier build would stay.
  removeOthers(
    join(root, output),
    new Set([licenses, ...Object.keys(metafile.outputs).map((path) => join(root, path))]),
  );
}

/** Removes all other files of a folder, without the declarations that the compiler writes beside the bundle. */
function removeOthers(folder, written) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== DECLARATIONS) removeOthers(path, written);
    else if (entry.isFile() && !written.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
