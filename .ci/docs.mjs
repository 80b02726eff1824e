// Runs the snippets of README.md, examples/ and docs/ against one `npm start`, compares their output with the block that follows, and
// runs the programs of examples/.
//
//   node .ci/docs.mjs                      every page and program
//   node .ci/docs.mjs PAGE ...             these pages only
//   node .ci/docs.mjs --write [PAGE ...]   writes the outputs into the pages instead of comparing them
//
// The blocks of a page run in order in one shell, at the root of the repository. So do the pages, except the README, which runs beside
// them. Outputs are equal after the masks of docs/masks.mjs.
// `<!-- not run: reason -->` before a block keeps it from running; such blocks are printed. `<!-- exits with 1 -->` before a block is the exit
// status that it must have; otherwise 0. `--report FILE` writes `{ passed, failed, failures }`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { comparable, withoutNotes } from './docs/masks.mjs';
import { readPage, writeOutputs } from './docs/page.mjs';
import { installPython, startShell, startSluice } from './docs/processes.mjs';

const { values: options, positionals: named } = parseArgs({
  options: { write: { type: 'boolean', default: false }, report: { type: 'string' } },
  allowPositionals: true,
});

/** `npm start` runs meanwhile, `npm test` is an earlier step of .ci/run, and cloning needs the address of the repository. */
const RUN_ELSEWHERE = /^(?:npm start|npm test|git clone |cd sluice)/;
const PROGRAMS = { sh: 'sh', py: 'python3', mjs: 'node' };
/**
 * The client that the programs in Node.js and the snippets import, a program that a page runs because it needs arguments, and one that the
 * suite of the Python package runs.
 */
const RUN_BY_OTHERS = /\/(?:sluice\.mjs|verify_evidence\.py|dagster_asset\.py)$/;

const filesBelow = (folder, extension) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(extension) && !name.startsWith('adr/'))
    .map((name) => join(folder, name))
    .sort();
const pages = named.length > 0 ? named : ['README.md', 'examples/README.md', ...filesBelow('docs', '.md')];

const home = mkdtempSync(join(tmpdir(), 'sluice-docs-'));
// `sluice` is the command line that npm start builds.
const programs = join(home, 'bin');
mkdirSync(programs);
symlinkSync(resolve('packages/cli/dist/sluice.js'), join(programs, 'sluice'));
const environment = {
  ...process.env,
  SLUICE_HOME: join(home, 'sluice'),
  // The package for Python is that of the checkout.
  PYTHONPATH: resolve('packages/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
  // No profile of the user changes what the command line does.
  XDG_CONFIG_HOME: join(home, 'config'),
  NO_COLOR: '1',
  OPERATOR_TOKEN: 'operator-token-of-the-documentation',
  PATH: `${installPython()}:${programs}:${process.env.PATH}`,
};
const problems = [];
let passed = 0;
const report = (problem) => {
  if (problem === undefined) passed += 1;
  else problems.push(problem);
};

function checkData({ where, kind, text }) {
  try {
    kind === 'json' ? JSON.parse(text) : parseYaml(text);
    report();
  } catch (error) {
    report(`${where}: ${error.message}`);
  }
}

/** Returns what a shell runs for a block, or undefined if another step of .ci/run runs all of it. */
function scriptOf({ kind, text }) {
  if (kind === 'sh') {
    const lines = text.split('\n').filter((line) => !RUN_ELSEWHERE.test(line));
    return lines.some((line) => line.trim() !== '' && !line.startsWith('#')) ? lines.join('\n') : undefined;
  }
  // A snippet in JavaScript imports the client beside it.
  const file = kind === 'js' ? 'examples/node/snippet.mjs' : 'examples/python/snippet.py';
  writeFileSync(file, text);
  return `${kind === 'js' ? 'node' : 'python3'} ${file}; status=$?; rm ${file}; (exit $status)`;
}

function problemOf({ where, expected, status: wanted }, { status, printed }) {
  if (status !== wanted) return `${where}: exited with ${status}, not ${wanted}: ${printed.slice(-500)}`;
  if (expected === undefined || options.write) return undefined;
  const [shown, received] = [expected.text, printed].map((text) => comparable(text, expected.kind));
  return shown === received
    ? undefined
    : `${where}: the output differs.\n--- shown\n${shown}\n--- received\n${received}`;
}

async function runCommand(shell, block) {
  const script = scriptOf(block);
  if (script === undefined) return undefined;
  const result = await shell.run(script);
  process.stdout.write(`$ ${block.text.trim()}\n${result.printed.slice(0, 4000)}\n`);
  report(problemOf(block, result));
  return result.status === block.status ? result.printed : undefined;
}

const presented = (text, kind) => (kind === 'json' ? JSON.stringify(JSON.parse(text), undefined, 2) : text);

async function runPage(page) {
  const { source, blocks } = readPage(page);
  const shell = startShell(environment);
  const outputs = [];
  for (const block of blocks) {
    if (block.role === 'not run') process.stdout.write(`not run: ${block.where}: ${block.notRun}\n`);
    if (block.role === 'data') checkData(block);
    if (block.role !== 'command') continue;
    const printed = await runCommand(shell, block);
    if (options.write && printed !== undefined && block.expected !== undefined)
      outputs.push({ ...block.expected, text: `${presented(withoutNotes(printed).trim(), block.expected.kind)}\n` });
  }
  shell.end();
  if (outputs.length > 0) writeOutputs(page, source, outputs);
}

async function runExamples() {
  const shell = startShell(environment);
  for (const file of Object.keys(PROGRAMS).flatMap((extension) => filesBelow('examples', `.${extension}`))) {
    if (RUN_BY_OTHERS.test(file)) continue;
    const command = `${PROGRAMS[file.split('.').at(-1)]} ${file}`;
    const { status, printed } = await shell.run(command);
    process.stdout.write(`$ ${command}\n${printed}\n`);
    report(status === 0 ? undefined : `${file}: exited with ${status}: ${printed.slice(-500)}`);
  }
  shell.end();
}

/**
 * Runs the commands that `npm start` prints: curl, the command line with its environment, and Python. The package that the line before
 * installs is that of the checkout.
 */
async function checkPrintedCommands(output) {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => line.startsWith('curl'));
  const commands = {
    curl: lines.slice(at, at + 1),
    'command line': lines.slice(at + 2, at + 4),
    Python: lines.slice(at + 6, at + 7),
  };
  for (const [name, pasted] of Object.entries(commands)) {
    const shell = startShell(environment);
    const { status, printed } = await shell.run(pasted.join('\n') || 'false');
    shell.end();
    const works = status === 0 && printed.includes(name === 'curl' ? '"type":"complete"' : 'ORD');
    report(works ? undefined : `the ${name} that npm start prints does not work as pasted: ${printed.slice(-500)}`);
  }
}

async function runPages(some) {
  for (const page of some) await runPage(page);
}

/** Run at the same time. The README ends with the bench, which takes as long as all other pages and has a host of its own. */
const LANES = [
  () => runPages(pages.filter((page) => page === 'README.md')),
  async () => {
    await runPages(pages.filter((page) => page !== 'README.md'));
    await checkPrintedCommands(sluice.printed);
    if (named.length === 0) await runExamples();
  },
];

const namesBefore = new Set(readdirSync('.'));
const sluice = await startSluice(environment);
try {
  if (!sluice.isReady) throw new Error('npm start ended before Sluice was ready.');
  await Promise.all(LANES.map((lane) => lane()));
} finally {
  await sluice.stop();
  for (const name of readdirSync('.')) if (!namesBefore.has(name)) rmSync(name, { recursive: true });
  rmSync(home, { recursive: true, force: true });
}

const commands = readFileSync('README.md', 'utf8').split('\n');
for (const wanted of ['npm start', 'npm test'])
  report(commands.includes(wanted) ? undefined : `the README does not show ${wanted}`);
for (const problem of problems) process.stderr.write(`docs: ${problem}\n`);
process.stdout.write(`docs: ${passed} passed, ${problems.length} failed\n`);
const counts = { passed, failed: problems.length, failures: problems };
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.exitCode = problems.length === 0 ? 0 : 1;
