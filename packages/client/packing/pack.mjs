// Packs @sluice/client: node packages/client/packing/pack.mjs FOLDER (`npm run pack` packs all packages)
// Writes the tarball to the folder and prints its path. The package has the built modules, declarations without imports of other packages,
// README.md and LICENSE. It compiles the client first. `require` gets the same modules: Node.js 20.19 requires ES modules, and the folder
// dist/cjs has their declarations once more, because TypeScript takes the module system from the package.json nearest to them.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packFolder } from '../../../deploy/bundles/pack-folder.mjs';
import { compileClient } from './compile.mjs';

await compileClient();
// It imports the compiled contract.
const { printContractTypes } = await import('./print-types.mjs');

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const CONTRACT_TYPES = join(PACKAGE, 'dist', 'contract-types.d.ts');
/** The compiler leaves the extensions of declarations, and their sources are not packed. */
const SOURCE_SPECIFIER = /((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g;
const SOURCE_MAP = /\n?\/\/# sourceMappingURL=.*\s*$/;

function stageModules(folder) {
  const isPacked = (path) => !/\.map$|\.tsbuildinfo$|\.test\./.test(path);
  cpSync(join(PACKAGE, 'dist'), join(folder, 'dist'), { recursive: true, filter: isPacked });
  writeFileSync(join(folder, 'dist', 'contract-types.d.ts'), printContractTypes(CONTRACT_TYPES));
  for (const name of readdirSync(join(folder, 'dist'), { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const path = join(folder, 'dist', name);
    const text = readFileSync(path, 'utf8').replace(SOURCE_MAP, '\n').replaceAll(SOURCE_SPECIFIER, '$1.js$2');
    if (/['"]@sluice\//.test(text.replaceAll(/^\s*(\*|\/\*\*|\/\/).*$/gm, '')))
      throw new Error(`dist/${name} imports another package. Only src/contract-types.ts may, and types only.`);
    writeFileSync(path, text);
  }
}

/** Writes dist/cjs: declarations of CommonJS, and one module for each entry that requires the ES module. */
function stageCommonJs(folder, entries) {
  const commonJs = join(folder, 'dist', 'cjs');
  const declarations = readdirSync(join(folder, 'dist'), { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  for (const name of declarations) cpSync(join(folder, 'dist', name), join(commonJs, name));
  writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { default: module } of Object.values(entries)) {
    const name = module.replace('./dist/', '');
    const up = '../'.repeat(name.split('/').length);
    writeFileSync(join(commonJs, name), `module.exports = require('${up}${name}');\n`);
  }
}

function stageManifest(folder) {
  const {
    devDependencies: _own,
    // Keeps the package of the sources from being published; the packed one goes to the registry of a team.
    private: _private,
    exports: entries,
    ...manifest
  } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  stageCommonJs(folder, entries);
  const inCommonJs = (path) => path.replace('./dist/', './dist/cjs/');
  const exports = Object.fromEntries(
    Object.entries(entries).map(([name, { types, default: module }]) => [
      name,
      {
        import: { types, default: module },
        require: { types: inCommonJs(types), default: inCommonJs(module) },
      },
    ]),
  );
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, exports, files: ['dist'] }, undefined, 2)}\n`,
  );
}

packFolder(resolve(process.argv[2] ?? '.'), (folder) => {
  stageModules(folder);
  stageManifest(folder);
  cpSync(join(PACKAGE, 'README.md'), join(folder, 'README.md'));
  cpSync(join(PACKAGE, '..', '..', 'LICENSE'), join(folder, 'LICENSE'));
});
