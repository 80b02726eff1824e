/**
 * Bundles the command line with its libraries to one file, dist/sluice.js, which runs without node_modules. Their licences are in
 * dist/THIRD-PARTY-LICENSES.txt.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyLicenses } from '../../deploy/bundles/third-party-licenses.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = `${FOLDER}dist/sluice.js`;

/** Loads a module of Node.js when the first file that imports it is loaded; else all would be loaded at each start. */
const loadNodeLater = {
  name: 'load-node-later',
  setup: ({ onResolve, onLoad }) => {
    const filter = /^node:/;
    onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'node' ? { path, external: true } : { path, namespace: 'node' },
    );
    onLoad({ filter, namespace: 'node' }, ({ path }) => ({ contents: `module.exports = require('${path}');` }));
  },
};

const { metafile } = await build({
  absWorkingDir: FOLDER,
  metafile: true,
  entryPoints: [`${FOLDER}src/main.ts`],
  outfile: OUTPUT,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  minify: true,
  // Names of errors and functions stay as in the sources, for stack traces.
  keepNames: true,
  plugins: [loadNodeLater],
  legalComments: 'eof',
  // CommonJS libraries in the bundle call require for modules of Node.js.
  banner: {
    js: "#!/usr/bin/env node\nimport{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
});
chmodSync(OUTPUT, 0o755);
const [{ inputs }] = Object.values(metafile.outputs);
writeFileSync(`${FOLDER}dist/THIRD-PARTY-LICENSES.txt`, thirdPartyLicenses(Object.keys(inputs), FOLDER));
