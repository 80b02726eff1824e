import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openProgram, openTerminal } from './open-terminal.ts';
import { SLUICE } from './run-command.ts';
import { untilConfirmed } from './until-confirmed.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts();
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

const endState = (marker: string): Promise<string> =>
  until(
    async () => {
      const run = await runCommand(['history', '--contains', marker, '--json'], { env: cli.analyst });
      const [newest = ''] = run.stdout.split('\n').filter((line) => !line.includes('"RUNNING"'));
      return newest === '' ? undefined : (JSON.parse(newest) as { state: string }).state;
    },
    { what: `the end of ${marker}` },
  );

/** Cells of which terminals think differently, hostile ones and a long one, each followed by a column that must stay aligned. */
const CELLS = [
  "'plain'",
  "'日本語'",
  "'👨‍👩‍👧‍👦🇩🇪'",
  "'e' || chr(769)",
  "'שלום'",
  "chr(27) || '[2J'",
  "'\u202eexe'",
  "repeat('x', 1000000)",
  "''",
  'NULL',
];
const NASTY = `SELECT * FROM (VALUES ${CELLS.map((cell, index) => `(${index}, ${cell}, 'end')`).join(', ')}) t(id, name, mark) ORDER BY 1`;

describe('a table', () => {
  it.each([40, 80, 120, 200])('is aligned at %i columns', async (columns) => {
    using terminal = openTerminal(['query', NASTY], { env: cli.analyst, columns, rows: 30 });
    expect(await terminal.exitCode).toBe(0);
    const lines = terminal.lines().slice(0, CELLS.length + 2);
    const [header = ''] = lines;
    const marks = lines.slice(2).map((line) => line.length - 'end'.length);
    // The screen has two cells for a wide character, and the text of its line one: such lines are shorter.
    expect(lines.slice(2).every((line) => line.endsWith('| end'))).toBe(true);
    const plain = [0, 3, 5, 6, 7, 8, 9].map((index) => marks[index]);
    expect(new Set(plain.filter((_mark, index) => index !== 1))).toEqual(new Set([header.indexOf('mark')]));
    expect(terminal.raw()).not.toContain('\u001b[2J');
    expect(terminal.raw()).not.toContain('\u202e');
    expect(lines[9]).toContain('…');
    expect(terminal.lines().at(-1)).toMatch(/^10 rows in /);
  });

  it('that is wider than the screen leaves out columns without a pager, and says so', async () => {
    const wide = Array.from({ length: 300 }, (_, index) => `'some text' AS column_${index}`).join(', ');
    using terminal = openTerminal(['query', '--no-pager', `SELECT ${wide}`], { env: cli.analyst });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.lines()[0]).toMatch(/ \| …$/);
    expect(terminal.lines().join('\n')).toMatch(/\d+ of 300 columns do not fit\. Use --format vertical/);
  });
});

describe('the progress line', () => {
  /** Takes long enough for the line to be drawn. */
  const sql = `SELECT levenshtein(repeat('a', 30000 + n::INTEGER), repeat('b', 30000)) AS counted FROM numbers LIMIT 1`;

  it.each([
    ['query', ['query', sql]],
    ['download', ['download', 'csv', sql, '-o', '-']],
  ])('of %s is gone before what a pipe prints on the same terminal', async (_name, words) => {
    const script = '"$@" | cat';
    const program = ['-c', script, 'bash', process.execPath, SLUICE, ...words];
    using terminal = openProgram('bash', program, { env: cli.analyst, columns: 200 });
    // The line of a query is gone as soon as its columns have arrived, which may be sooner than it is drawn.
    if (words[0] === 'download') await terminal.waitFor(/^stdout /m);
    expect(await terminal.exitCode).toBe(0);
    const lines = terminal.lines();
    expect(lines).toEqual(expect.arrayContaining(['counted', '30000']));
    expect(lines.filter((line) => /^(?:Waiting|Running|\[)|0:\d\d/.test(line))).toEqual([]);
  });
});

describe('the pager', () => {
  const env = () => ({ ...cli.analyst, PAGER: 'less' });

  it('shows a long table, and closing it is a success that stops the query', async () => {
    const sql = 'SELECT a, b AS closed_pager FROM range(1000000000) t(a), range(100000) u(b)';
    using terminal = openTerminal(['query', sql], { env: env() });
    await terminal.waitFor(/^:$/m);
    expect(terminal.screen()[0]).toMatch(/ a +\| closed_pager/);
    terminal.send(' ');
    await terminal.waitFor(/^ +4\d \|/m);
    terminal.send('q');
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().at(-1)).toMatch(/^Stopped after [\d,]+ rows: the pager was closed\.$/);
    expect(await endState('closed_pager')).toBe('CANCELLED');
  });

  it('is not used for what fits the screen', async () => {
    using terminal = openTerminal(['query', 'SELECT * FROM items'], { env: { ...cli.analyst, PAGER: 'false' } });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()[4]).toContain('9223372036854775807 | NULL');
  });

  it('that does not exist is an error that says what to do', async () => {
    using terminal = openTerminal(['query', 'SELECT * FROM numbers'], {
      env: { ...cli.analyst, PAGER: 'no-such-pager' },
    });
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.screen().join(' ')).toContain('The pager no-such-pager could not be started.');
  });
});

describe('Ctrl-C', () => {
  it('shows progress, then cancels in the engine and removes the progress', async () => {
    const sql = 'SELECT count(*) AS ctrl_c FROM range(10000000000) t(a), range(100000) u(b)';
    const printed = await untilConfirmed(async () => {
      using terminal = openTerminal(['query', sql], { env: cli.analyst });
      await terminal.waitFor(/^Running +0 rows +0 rows\/s/m);
      terminal.send('\u0003');
      expect(await terminal.exitCode).toBe(130);
      const lines = terminal.screen().filter((line) => line !== '^C');
      return lines.map((line) => line.replace(/^\^C/, '')).join('\n');
    });
    expect(printed).toBe('Cancelled in the engine after 0 rows.');
    expect(await endState('ctrl_c')).toBe('CANCELLED');
  });
});
