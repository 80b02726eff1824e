// Compares suites.mjs with what depends on it: each pattern matches a file, each test file is in a suite, the scripts of package.json and the
// table of CONTRIBUTING.md are up to date, and the entries of quarantine.json are valid. `--write` rewrites the scripts and the table.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findQuarantineProblems, readQuarantine } from './quarantine.mjs';
import { SUITE_SCRIPTS, SUITES } from './suites.mjs';

const TEST_FILES = ['*.test.ts', '*.test.tsx', '*.servers.ts', '*.spooled.ts'];
const TABLE = /(<!-- suites: written by `npm run suites -- --write` -->\n)[\s\S]*?(<!-- end of suites -->)/;

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

function linesOf(file, args) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

const filesOf = (...patterns) =>
  linesOf('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns]);

function findUnmatchedPatterns() {
  return SUITES.flatMap(({ name, tests = [], inputs = [] }) => {
    const patterns = [...tests.flatMap(({ files }) => files), ...inputs].map((pattern) => pattern.replace(/^!/, ''));
    return [...new Set(patterns)]
      .filter((pattern) => filesOf(`:(glob)${pattern}`).length === 0)
      .map((pattern) => `${name}: no file matches ${pattern}.`);
  });
}

/** Jest decides which files are in a set, so it is asked. */
function findFilesWithoutSuite() {
  const sets = SUITES.flatMap(({ tests = [] }) => tests.map(({ name }) => name));
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--listTests'];
  const listed = linesOf(process.execPath, [...jest, '--selectProjects', ...sets, 'spooled']);
  const known = new Set(listed.map((path) => relative(process.cwd(), path)));
  return filesOf(...TEST_FILES)
    .filter((file) => !known.has(file))
    .map((file) => `${file} is in no suite of .ci/suites.mjs.`);
}

function findTableProblems() {
  const names = SUITES.map(({ name }) => name);
  const sets = SUITES.flatMap(({ tests = [] }) => tests.map(({ name }) => name));
  const twice = (list) => list.filter((each, index) => list.indexOf(each) !== index);
  return [
    ...[...twice(names), ...twice(sets)].map((name) => `${name} is the name of two suites or sets of tests.`),
    ...SUITES.filter(({ tier, shard, inputs }) => tier === 'c' && (shard === undefined || inputs === undefined)).map(
      ({ name }) => `${name}: a suite of tier c has a shard and inputs.`,
    ),
    ...Object.values(SUITE_SCRIPTS)
      .flat()
      .filter((name) => !names.includes(name))
      .map((name) => `There is no suite ${name}, which SUITE_SCRIPTS names.`),
  ];
}

/** A suite that is one program runs directly, so that it can have options of its own. */
function scriptOf(names) {
  const [first] = SUITES.filter(({ name }) => name === names[0]);
  const prepare = 'node deploy/local/prepare.mjs';
  return first.command === undefined
    ? `${prepare} && node .ci/verify.mjs ${names.join(' ')}`
    : `${prepare} && ${first.command.join(' ')}`;
}

const LOCATION = { a: '`npm test`', b: '`.ci/run`' };

function tableOfSuites() {
  const rows = SUITES.filter(({ stage }) => stage !== 'static').map(({ name, tier, shard, proves }) => [
    `\`${name}\``,
    LOCATION[tier] ?? `\`verify\`, shard ${shard}`,
    proves,
  ]);
  const table = [['Suite', 'Part of', 'Proves'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  const lineOf = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = table.map(lineOf);
  return `\n${[head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')}\n\n`;
}

/** Compares a file with its content as the table says, or writes it. */
function findOutdated(path, update) {
  const source = readFileSync(path, 'utf8');
  const updated = update(source);
  if (updated === source) return [];
  if (!options.write) return [`${path} differs from .ci/suites.mjs: run \`npm run suites -- --write\`.`];
  writeFileSync(path, updated);
  return [];
}

function updateScripts(source) {
  const content = JSON.parse(source);
  for (const [script, names] of Object.entries(SUITE_SCRIPTS)) content.scripts[script] = scriptOf(names);
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function updateTable(source) {
  if (!TABLE.test(source)) throw new Error('CONTRIBUTING.md has no place for the table of suites.');
  return source.replace(TABLE, (_, begin, end) => `${begin}${tableOfSuites()}${end}`);
}

/** The checks find what is wrong: a pattern without a file, and an old entry of the quarantine. */
function findBrokenChecks() {
  const old = { file: 'package.json', test: 'planted', since: '2020-01-01', reason: 'planted' };
  return [
    filesOf(':(glob)packages/planted/**').length === 0 ? [] : ['A planted pattern matches files.'],
    findQuarantineProblems([old]).length === 1 ? [] : ['A planted entry of the quarantine is not reported.'],
    findQuarantineProblems(
      Array.from({ length: 6 }, () => ({ ...old, since: '2026-01-01' })),
      Date.parse('2026-01-02'),
    ).length === 1
      ? []
      : ['Six planted entries of the quarantine are not reported.'],
  ].flat();
}

const problems = [
  ...findBrokenChecks(),
  ...findTableProblems(),
  ...findUnmatchedPatterns(),
  ...findFilesWithoutSuite(),
  ...findQuarantineProblems(readQuarantine()),
  ...findOutdated('package.json', updateScripts),
  ...findOutdated('CONTRIBUTING.md', updateTable),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `${SUITES.length} suites: ${problems.length === 0 ? 'no problems' : `${problems.length} problems`}\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
