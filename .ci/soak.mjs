/**
 * Runs the long forms of the suites, with random cases: `npm run soak` all of them, which takes hours. `npm run soak -- --list` prints the
 * parts, `-- --part NAME` (repeatable) runs some of them, and `-- FILE ...` runs only these test files. Ends with the time of each part.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { SUITES } from './suites.mjs';

const SERVER_SUITES = SUITES.filter(({ servers, components }) => servers ?? components).map(({ name }) => name);

const PARTS = {
  tests: ['verify', '--', 'tests', 'deep', 'exact-long', 'cli-full'],
  load: ['test:load'],
  openapi: ['test:openapi', '--', '--long'],
  servers: ['verify', '--', ...SERVER_SUITES],
};
const USAGE = `Usage: npm run soak -- [--list] [--part ${Object.keys(PARTS).join('|')}] [FILE ...]`;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, part: { type: 'string', multiple: true } },
  });
  if (values.part !== undefined && positionals.length > 0) throw new Error('A part takes no files.');
  const parts = values.part ?? Object.keys(PARTS);
  const unknown = parts.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}.`);
  return { isListed: values.list, parts, files: positionals };
}

function runPart(name, command) {
  const env = { ...process.env, SLUICE_SOAK: '1', PROPERTY_SEED: process.env.PROPERTY_SEED ?? 'random' };
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', ...command], { stdio: 'inherit', env });
  const seconds = ((performance.now() - start) / 1000).toFixed(0).padStart(6);
  return { isSuccess: status === 0, line: `${seconds}  ${name}: ${status === 0 ? 'passed' : 'FAILED'}` };
}

function runParts({ parts, files }) {
  const results =
    files.length > 0 ? [runPart('files', ['test', '--', ...files])] : parts.map((name) => runPart(name, PARTS[name]));
  process.stdout.write(`\nSeconds of each part:\n${results.map(({ line }) => line).join('\n')}\n`);
  process.exitCode = results.every(({ isSuccess }) => isSuccess) ? 0 : 1;
}

try {
  const wanted = readArguments();
  if (wanted.isListed)
    for (const [name, words] of Object.entries(PARTS)) console.log(`${name}: npm run ${words.join(' ')}`);
  else runParts(wanted);
} catch (error) {
  process.stderr.write(`${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}
