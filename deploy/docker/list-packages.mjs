/** Lists the packages of an assembled host, with their licenses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from './assemble-host.mjs';

/** A heading of the console's third-party-licenses.md: name, version and license. */
const BUNDLED = /^## (\S+) - (\S+) \(([^)]+)\)$/gm;
const LICENSES = JSON.parse(readFileSync(new URL('allowed-licenses.json', import.meta.url), 'utf8'));

/**
 * Returns `{ name, version, license }` of each package in the folder and of those that the bundled console contains, by name.
 * The license is an SPDX expression, or undefined.
 */
export function listPackages(folder) {
  const installed = packageFolders(folder).map(({ name, version, license, licenses }) => ({
    name,
    version,
    // Some packages state it in their Readme only.
    license: textOf(license ?? licenses ?? LICENSES['stated elsewhere'][`${name}@${version}`]),
  }));
  const consoleFolder = packageFolders(folder).find(({ name }) => name === '@sluice/console')?.path;
  const bundled = consoleFolder === undefined ? [] : bundledPackages(consoleFolder);
  const unique = new Map([...installed, ...bundled].map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const bundledPackages = (folder) =>
  [...readFileSync(join(folder, 'dist', 'site', 'third-party-licenses.md'), 'utf8').matchAll(BUNDLED)].map(
    ([, name, version, license]) => ({ name, version, license }),
  );

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
