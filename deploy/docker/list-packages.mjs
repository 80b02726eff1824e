/** Lists the packages of an assembled host, with their licenses. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolders } from './assemble-host.mjs';

/** A heading of a third-party-licenses.md: name, version and license. */
const BUNDLED = /^## (\S+) - (\S+) \(([^)]+)\)$/gm;
const LICENSES = JSON.parse(readFileSync(new URL('allowed-licenses.json', import.meta.url), 'utf8'));

/**
 * Returns `{ name, version, license }` of each package in the folder and of those that the bundles contain, by name. The license is an SPDX
 * expression, or undefined.
 */
export function listPackages(folder) {
  const installed = packageFolders(folder).map(({ name, version, license, licenses }) => ({
    name,
    version,
    license: textOf(license ?? licenses),
  }));
  const bundled = licenseFiles(folder).flatMap(bundledPackages);
  const unique = new Map([...installed, ...bundled].map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Files beside the bundles of the host, the query worker and the console. */
const licenseFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => basename(path) === 'third-party-licenses.md')
    .map((path) => join(folder, path));

const bundledPackages = (file) =>
  [...readFileSync(file, 'utf8').matchAll(BUNDLED)].map(([, name, version, license]) => ({
    name,
    version,
    // Some packages state it in their Readme only.
    license: LICENSES['stated elsewhere'][`${name}@${version}`] ?? license,
  }));

/** Old packages have an object or a list. */
function textOf(license) {
  if (Array.isArray(license)) return license.map(textOf).join(' OR ');
  return typeof license === 'object' ? license.type : license;
}

/** Returns whether an SPDX expression can be met with licenses of allowed-licenses.json. */
export function isAllowed(license) {
  if (license === undefined) return false;
  const text = license.replaceAll(/[()]/g, '');
  return text
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => LICENSES.licenses.includes(each.trim())));
}
