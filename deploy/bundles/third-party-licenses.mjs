/** The licence texts of the packages that a bundle contains, in the form of the list that Vite writes for the console. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/**
 * Returns the licence texts in the order of names, for the file that accompanies a bundle. The heading of each is
 * `## name - version (license)`.
 * @param inputs - paths of the files in the bundle, from the metafile of esbuild, relative to `folder`
 */
export function thirdPartyLicenses(inputs, folder) {
  const folders = new Set(inputs.map((input) => PACKAGE_FOLDER.exec(input)?.[0]).filter((path) => path !== undefined));
  const sections = new Map([...folders].map((path) => sectionOf(resolve(folder, path))));
  const head = '# Licenses\n\nThe bundle contains these packages. Their licenses follow.';
  return `${[head, ...[...sections.keys()].sort().map((name) => sections.get(name))].join('\n\n')}\n`;
}

function sectionOf(path) {
  const { name, version, license, licenses, author } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const stated = textOf(license ?? licenses);
  const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  // Some packages have no file with the text. Their Readme names the holder of the copyright.
  if (texts.length === 0) texts.push(licenseOfReadme(path) ?? `The package has no license file. ${holder(author)}`);
  return [`${name}@${version}`, [`## ${name} - ${version} (${stated})`, ...texts].join('\n\n')];
}

/** Returns an SPDX expression without outer parentheses. Old packages have an object or a list. */
function textOf(license) {
  if (license === undefined) return 'stated in the text';
  if (Array.isArray(license)) return license.map(textOf).join(' OR ');
  return (typeof license === 'object' ? license.type : license).replace(/^\((.*)\)$/, '$1');
}

function licenseOfReadme(path) {
  const readme = readdirSync(path).find((file) => /^readme(?:\.|$)/i.test(file));
  if (readme === undefined) return undefined;
  const [, text] = /^#+ *licen[cs]e\b.*\n([\s\S]*)/im.exec(readFileSync(join(path, readme), 'utf8')) ?? [];
  return text === undefined ? undefined : `The package has no license file. Its Readme says:\n\n${text.trim()}`;
}

const holder = (author) => `Its author is ${typeof author === 'object' ? author.name : author}.`;
