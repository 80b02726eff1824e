/**
 * Checks the images without a container engine: `npm run test:images [-- --with-trino] [--report FILE]`. It assembles the files of both
 * images, checks their size, licenses and bill of materials, lints the Dockerfile, and starts what the rendered Helm chart says from these
 * files, with DuckDB. `--with-trino` installs and starts Trino, and repeats that with it. `--report` writes `{ passed, failed, failures }`. The last
 * line is "N passed, N failed".
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPythonTools } from '../components/python-tools.mjs';
import { IMAGE_NODE_VERSION } from '../components/versions.mjs';
import { assembleHost, HOSTS } from './assemble-host.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';
import { isAllowed, listPackages } from './list-packages.mjs';
import '../../packages/testkit/jest/native/register.mjs';

// They import the sources of packages, which only a process with the hooks can load.
const { startFromManifests } = await import('../helm/checks/start-from-manifests.mjs');

const SIZE_MAX = 100_000_000;
const UNUSED = /(?:\.d\.[cm]?ts|\.map|\.tsx?|\.test\.js|tsconfig\.json)$/;
const DOCKERFILE = fileURLToPath(new URL('Dockerfile', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const TRINO = fileURLToPath(new URL('../components/trino.mjs', import.meta.url));
const TRINO_PORT = '28190';
const VALIDATOR = fileURLToPath(new URL('validate_bill.py', import.meta.url));

const { values: options } = parseArgs({
  options: { 'with-trino': { type: 'boolean', default: false }, report: { type: 'string' } },
});
const counts = { passed: 0, failed: 0, failures: [] };

async function check(name, test) {
  try {
    await test();
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    counts.failures.push(`${name}: ${error.message}`);
    process.stderr.write(`FAILED: ${name}\n${error.stack}\n`);
  }
}

function mustSucceed(file, args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' });
  assert.equal(status, 0, error?.message ?? `${stdout}${stderr}`);
}

async function checkFiles(host, folder, programs) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  await check(`${host}: at most ${SIZE_MAX / 1e6} MB`, () => {
    // Without the base image and Node.js. The apparent size, in which a file of two names counts once.
    const { stdout } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' });
    const size = Number(/^\d+/.exec(stdout)[0]);
    process.stdout.write(`${host}: ${(size / 1e6).toFixed(1)} MB in ${paths.length} files\n`);
    assert.ok(size <= SIZE_MAX, `${size} bytes`);
  });
  await check(`${host}: no sources, tests, types or source maps`, () => {
    assert.deepEqual(paths.filter((path) => UNUSED.test(path)).slice(0, 10), []);
  });
  await check(`${host}: every license is allowed`, () => {
    const packages = listPackages(folder);
    process.stdout.write(`${host}: ${packages.length} packages\n`);
    assert.deepEqual(
      packages.filter(({ license }) => !isAllowed(license)),
      [],
    );
    const names = packages.map(({ name }) => name);
    for (const name of ['@sluice/testkit', 'typescript', 'jest', 'vite', 'esbuild'])
      assert.ok(!names.includes(name), name);
    for (const name of ['express', 'pg', 'zod']) assert.ok(names.includes(name), `${name}, which is in the bundles`);
    if (host === 'api-host') assert.ok(names.includes('react'), 'the packages in the bundled console');
  });
  await check(`${host}: the bill of materials is valid CycloneDX`, () => {
    const file = join(folder, '..', `${host}.cdx.json`);
    writeFileSync(file, JSON.stringify(billOfMaterials(host, folder)));
    mustSucceed(join(programs, 'python'), [VALIDATOR, file]);
  });
}

async function checkDockerfile(programs) {
  const text = readFileSync(DOCKERFILE, 'utf8');
  await check('hadolint has no findings in the Dockerfile', () => {
    mustSucceed(join(programs, 'hadolint'), [DOCKERFILE]);
  });
  await check('the Dockerfile builds what this script assembles', () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    const node = `node:${IMAGE_NODE_VERSION}-bookworm-slim\${NODE_DIGEST}`;
    assert.deepEqual(bases, [node, node, 'base', 'base']);
    for (const host of HOSTS) {
      assert.ok(text.includes(`assemble-host.mjs ${host} /assembled/${host}`));
      assert.ok(text.includes(`COPY --from=build /assembled/${host} .`));
    }
    assert.equal(text.match(/^CMD \["node", "dist\/main\.js"\]$/gm).length, HOSTS.length);
    assert.match(text, /^USER 10001:10001$/m);
  });
}

/** Starts the containers once more, with a Trino that it starts and stops. */
async function startOnTrino(trees) {
  const trino = (command) =>
    assert.equal(spawnSync(process.execPath, [TRINO, command, '--port', TRINO_PORT], { stdio: 'inherit' }).status, 0);
  trino('start');
  try {
    const checkOnTrino = (name, test) => check(`on Trino: ${name}`, test);
    await startFromManifests({ trees, check: checkOnTrino, trinoUrl: `http://127.0.0.1:${TRINO_PORT}` });
  } finally {
    trino('stop');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-images-'));
try {
  // The user of the containers reads it.
  chmodSync(folder, 0o755);
  const programs = installPythonTools('image-checks', REQUIREMENTS);
  const trees = Object.fromEntries(HOSTS.map((host) => [host, join(folder, host)]));
  for (const host of HOSTS) {
    await check(`${host}: assembled`, () => assembleHost(host, trees[host]));
    await checkFiles(host, trees[host], programs);
  }
  await checkDockerfile(programs);
  if (counts.failed === 0) await startFromManifests({ trees, check });
  if (counts.failed === 0 && options['with-trino']) await startOnTrino(trees);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.stdout.write(`Images: ${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
