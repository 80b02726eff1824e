/**
 * Writes the software bill of materials (CycloneDX 1.6, JSON) of an assembled host:
 * `node deploy/docker/bill-of-materials.mjs api-host|stream-host FOLDER FILE`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listPackages } from './list-packages.mjs';

/** Package URL of a package of npm: the `@` of its scope is percent-encoded. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licensesOf = (license) => {
  if (license === undefined) return {};
  return { licenses: [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }] };
};

/** Returns the document. It has no time and no random number, so equal files have an equal one. */
export function billOfMaterials(host, folder) {
  const packages = listPackages(folder);
  const own = packages.find(({ name }) => name === `@sluice/${host}`);
  const components = packages.filter((each) => each !== own);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': purlOf(own), name: own.name, version: own.version } },
    components: components.map((each) => ({
      type: 'library',
      'bom-ref': purlOf(each),
      name: each.name,
      version: each.version,
      purl: purlOf(each),
      ...licensesOf(each.license),
    })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [host, folder, file] = parseArgs({ allowPositionals: true }).positionals;
  writeFileSync(file, `${JSON.stringify(billOfMaterials(host, folder), undefined, 2)}\n`);
}
