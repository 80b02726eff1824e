// The licence texts of the packages that a bundle contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const NODE_MODULE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/**
 * Returns the licence texts in the order of names, for the file that accompanies the bundle.
 * @param inputs - paths of the files in the bundle, from the metafile of esbuild
 */
export function thirdPartyLicenses(inputs, folder) {
  const packages = new Map();
  for (const input of inputs) {
    const [, path, name] = NODE_MODULE.exec(input) ?? [];
    if (path !== undefined) packages.set(name, resolve(folder, path));
  }
  const sections = [...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, path]) => {
      const { version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file));
      if (files.length === 0) throw new Error(`${name} ${version} is bundled and has no licence file.`);
      const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, '', ...texts].join('\n');
    });
  const head = 'sluice.js contains these packages. Their licences follow.';
  return `${[head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
