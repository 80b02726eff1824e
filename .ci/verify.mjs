/**
 * Runs the suites that `.ci/run` leaves out: `npm run verify` all of them, `-- NAME ...` some (also those of `.ci/run`), `-- --shard N` one of
 * thirteen parts of at most ten minutes, `-- --changed REV` those whose inputs changed since a commit. `-- --list` prints the table.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runSuites } from './run-suites.mjs';
import { SUITES } from './suites.mjs';

class UsageError extends Error {}

const VERIFIED = SUITES.filter(({ tier }) => tier === 'c');
const SHARDS = [...new Set(VERIFIED.map(({ shard }) => shard))].sort((one, other) => one - other).map(String);
const NAMES_MAX = 12;

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        shard: { type: 'string' },
        changed: { type: 'string' },
        list: { type: 'boolean', default: false },
        'write-times': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [option = 'an option'] = /'-[^']*'/.exec(error.message) ?? [];
    throw new UsageError(`${option} is not valid; valid are --shard N, --changed REV, --list and --write-times.`);
  }
}

function chooseSuites({ values, positionals }) {
  if ([values.shard, values.changed, positionals[0]].filter((choice) => choice !== undefined).length > 1)
    throw new UsageError('Use only one of --shard, --changed and names of suites.');
  if (values.shard !== undefined) return ofShard(values.shard);
  if (values.changed !== undefined) return changedSince(values.changed);
  if (positionals.length === 0) return values.list ? SUITES : VERIFIED;
  const unknown = positionals.find((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined)
    throw new UsageError(`There is no suite ${unknown}; the suites are ${SUITES.map(({ name }) => name).join(', ')}.`);
  return SUITES.filter(({ name }) => positionals.includes(name));
}

function ofShard(shard) {
  if (!SHARDS.includes(shard)) throw new UsageError(`There is no shard ${shard}; the shards are ${SHARDS.join(', ')}.`);
  return VERIFIED.filter((suite) => String(suite.shard) === shard);
}

/** Includes files that git does not track yet, and does not ignore. */
function changedSince(revision) {
  if (git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`) === undefined) {
    const names = git('for-each-ref', '--sort=-committerdate', '--format=%(refname:short)', 'refs/heads', 'refs/tags');
    const listed = names === undefined ? 'this folder is not a git repository' : names.slice(0, NAMES_MAX).join(', ');
    throw new UsageError(`There is no revision ${revision}; valid are a commit, HEAD~N and ${listed}.`);
  }
  return VERIFIED.filter(({ inputs, tests = [] }) => {
    const patterns = [...inputs, ...tests.flatMap(({ files }) => files)]
      .filter((pattern) => !pattern.startsWith('!'))
      .map((pattern) => `:(glob)${pattern}`);
    const changed = git('diff', '--name-only', revision, '--', ...patterns) ?? [];
    const added = git('ls-files', '--others', '--exclude-standard', '--', ...patterns) ?? [];
    return changed.length + added.length > 0;
  });
}

const listOf = ({ name, tier, shard, proves }) =>
  `${name.padEnd(16)} ${tier === 'c' ? `shard ${shard}` : '.ci/run'}  ${proves}`;

try {
  const choice = readArguments();
  const suites = chooseSuites(choice);
  if (choice.values.list) for (const suite of suites) console.log(listOf(suite));
  else if (suites.length === 0)
    console.log(`No suite tests what changed since ${choice.values.changed}.\n0 passed, 0 failed`);
  else process.exitCode = (await runSuites(suites, { writesTimes: choice.values['write-times'] })) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
