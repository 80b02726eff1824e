/**
 * Runs Jest suites of suites.mjs and prints how many lines and branches of the sources they run: `npm run test:coverage` those of `npm test`
 * and `.ci/run`, `-- SUITE ...` some. `-- --report FOLDER ...` prints it for the records of earlier runs, which are kept.
 *
 * V8 counts in each process of the tests, and in those that they start from bundles. What a browser runs is not counted.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mergeProcessCovs } from '@bcoe/v8-coverage';
import istanbul from 'istanbul-lib-coverage';
import v8ToIstanbul from 'v8-to-istanbul';
import { compile, compileSourceMap } from '../packages/testkit/jest/native/compile.mjs';
import { runSuites } from './run-suites.mjs';
import { SUITES } from './suites.mjs';

const ROOT = process.cwd();
/** Records are merged in groups: all at once do not fit into memory. */
const MERGED_AT_ONCE = 20;
const SOURCE = /^(?:packages|services)\/([^/]+)\/src\/.*\.tsx?$/;
const TEST = /\.(?:test|servers)\.tsx?$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'boolean', default: false } },
});

function chooseSuites(names) {
  const suites = SUITES.filter(({ tests }) => tests !== undefined);
  if (names.length === 0) return suites.filter(({ tier }) => tier !== 'c');
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown === undefined) return suites.filter(({ name }) => names.includes(name));
  console.error(`There is no suite ${unknown} of Jest; there are ${suites.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

/** Bundles get source maps beside them. Without a comment that names them, Node.js does not copy a map into each record. */
async function run(suites, folder) {
  const bundle = ['deploy/bundles/bundle-all.mjs', '--source-maps'];
  if (spawnSync(process.execPath, bundle, { stdio: 'inherit' }).status !== 0) return false;
  process.env.NODE_V8_COVERAGE = folder;
  try {
    return await runSuites(suites);
  } finally {
    delete process.env.NODE_V8_COVERAGE;
  }
}

/** Returns the coverage of each source that a process has loaded, by its path. */
async function coverageOf(folders) {
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  let merged = { result: [] };
  for (let index = 0; index < files.length; index += MERGED_AT_ONCE)
    merged = mergeProcessCovs([merged, ...files.slice(index, index + MERGED_AT_ONCE).flatMap(readRecord)]);
  const coverage = istanbul.createCoverageMap();
  for (const { url, functions } of merged.result) await addScript(coverage, url, functions);
  coverage.filter((path) => SOURCE.test(relative(ROOT, path)) && !TEST.test(path));
  return coverage;
}

/** A process that was killed while it wrote leaves half a record. */
function readRecord(file) {
  try {
    const { result } = JSON.parse(readFileSync(file, 'utf8'));
    return [
      {
        result: result.filter(({ url }) => isOurs(url)).map((script) => ({ ...script, url: withoutQuery(script.url) })),
      },
    ];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}

const isOurs = (url) =>
  url.startsWith('file:') && fileURLToPath(url).startsWith(`${ROOT}/`) && !url.includes('/node_modules/');

const withoutQuery = (url) => url.replace(/\?.*$/, '');

async function addScript(coverage, url, functions) {
  const path = fileURLToPath(url);
  const sources = sourcesOf(path);
  if (sources === undefined) return;
  const script = v8ToIstanbul(path, 0, sources, (source) => source.includes('/node_modules/'));
  await script.load();
  script.applyCoverage(functions);
  coverage.merge(script.toIstanbul());
  script.destroy();
}

/** Returns the code that ran and its source map: of a TypeScript file, or of a bundle. */
function sourcesOf(path) {
  try {
    const code = path.endsWith('.ts') ? compile(path) : path;
    const map = path.endsWith('.ts') ? compileSourceMap(path) : `${path}.map`;
    const sourcemap = JSON.parse(readFileSync(map, 'utf8'));
    sourcemap.sources = sourcemap.sources.map((source) => resolve(path, '..', source));
    return { source: readFileSync(code, 'utf8'), sourceMap: { sourcemap } };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

function print(coverage) {
  const folderOf = (path) => relative(ROOT, path).split('/').slice(0, 2).join('/');
  const folders = [...new Set(coverage.files().map(folderOf))].sort();
  console.log('\nLines, and branches, that ran, in percent:');
  for (const folder of folders) {
    const paths = coverage.files().filter((path) => folderOf(path) === folder);
    console.log(lineOf(coverage, paths, folder));
  }
  console.log(lineOf(coverage, coverage.files(), 'all'));
}

function lineOf(coverage, paths, name) {
  const summary = istanbul.createCoverageSummary();
  for (const path of paths) summary.merge(coverage.fileCoverageFor(path).toSummary());
  const { lines, branches } = summary.toJSON();
  const column = ({ covered, total }) =>
    `${((100 * covered) / total).toFixed(2).padStart(6)} of ${String(total).padEnd(6)}`;
  return `${column(lines)}  ${column(branches)}  ${name}`;
}

if (values.report) print(await coverageOf(positionals));
else {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-coverage-'));
  const isPassed = await run(chooseSuites(positionals), folder);
  print(await coverageOf([folder]));
  console.log(`The records are in ${folder}.`);
  process.exitCode = isPassed ? 0 : 1;
}
