import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import { createShopDatabase } from '@sluice/testkit/hosts';
import { assertWithin, basicOf } from '@sluice/testkit/requests';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { harvest } from './harvest.ts';
import { type OpenTerminal, openProgram } from './open-terminal.ts';
import { runSluice, SLUICE } from './run-command.ts';

const TAB = '\t';
/** Ctrl-U deletes the line, Ctrl-L clears the screen. */
const CLEAR = '\u0015\u000c';
const BETWEEN_TABS_MS = 2000;
const PRINTED_WITHIN_MS = 1000;

let cli: CliHosts;
let folder: string;
let loggedIn: Record<string, string>;
let loggedOut: Record<string, string>;

/** Creates a database with names that need quotes in SQL and in shells. */
async function createOddDatabase(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const name of ['Odd name', "it's $HOME", 'semi;colon', 'größe'])
    await connection.run(`CREATE TABLE "${name}" (only_column INTEGER, "Two words" INTEGER)`);
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-shells-'));
  const shop = await createShopDatabase(folder);
  await createOddDatabase(join(folder, 'odd.duckdb'));
  const catalogs = { DUCKDB_CATALOGS: `shop=${shop},odd=${join(folder, 'odd.duckdb')}` };
  cli = await startCliHosts(catalogs, catalogs);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'sluice'), `#!/bin/sh\nexec '${process.execPath}' '${SLUICE}' "$@"\n`);
  await chmod(join(bin, 'sluice'), 0o755);
  await writeFile(join(cli.home, 'statement.sql'), 'SELECT 1');
  const shell = { PATH: `${bin}:${cli.bare['PATH']}`, PS1: '$ ', LANG: 'C.UTF-8' };
  loggedOut = { ...cli.bare, ...shell };
  loggedIn = { ...cli.analyst, ...shell };
  const { hosts } = cli;
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  await createItem(hosts, admin, { id: 'flight-pack', queries: { one: 'SELECT 1 AS a' } });
  await harvest(cli);
}, 180_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const STARTS: Readonly<Record<string, readonly [words: readonly string[], script: string]>> = {
  bash: [['--norc', '--noprofile', '-i'], 'eval "$(sluice completion bash)"'],
  zsh: [['-f', '-i'], 'autoload -Uz compinit; compinit -D; eval "$(sluice completion zsh)"'],
  fish: [['--no-config', '-i'], 'sluice completion fish | source'],
};

async function openShell(name: string, env: Record<string, string>): Promise<OpenTerminal> {
  const [words, script] = STARTS[name] ?? [[], ''];
  const shell = openProgram(name, words, { env, columns: 160, rows: 40 });
  shell.send(`${script}; clear; echo re''ady\r`);
  await shell.waitFor(/^ready/m);
  return shell;
}

/** Presses Tab until the screen shows the completed line, as a user does: on a busy machine names may come too late for the first. */
async function pressTab(shell: OpenTerminal, expected: RegExp): Promise<void> {
  let pressedMs = Number.NEGATIVE_INFINITY;
  const isCompleted = async (): Promise<true | undefined> => {
    if (expected.test(shell.screen().join('\n'))) return true;
    if (performance.now() - pressedMs < BETWEEN_TABS_MS) return undefined;
    shell.send(TAB);
    pressedMs = performance.now();
    return undefined;
  };
  await until(isCompleted, { what: String(expected), withinMs: 60_000 }).catch((error: Error) => {
    throw new Error(`${error.message} The screen is:\n${shell.screen().join('\n')}`);
  });
}

async function clearLine(shell: OpenTerminal): Promise<void> {
  shell.send(CLEAR);
  await shell.waitFor(/^(?![\s\S]*sluice)[\s\S]*$/);
}

/** Types the beginning of a command line, completes it, and deletes the line. */
async function expectCompleted(shell: OpenTerminal, typed: string, expected: RegExp): Promise<void> {
  shell.send(typed);
  await pressTab(shell, expected);
  await clearLine(shell);
}

/** Runs the command line that Tab completes, and waits for its output. */
async function expectRun(shell: OpenTerminal, typed: string, completed: RegExp, output: RegExp): Promise<void> {
  shell.send(typed);
  await pressTab(shell, completed);
  shell.send('\r');
  await shell.waitFor(output);
  await clearLine(shell);
}

describe.each(Object.keys(STARTS))('in %s', (name) => {
  it('completes commands, options, values, files and names of a host', async () => {
    using shell = await openShell(name, loggedIn);
    await expectCompleted(shell, 'sluice cat', /sluice catalog $/m);
    await expectCompleted(shell, 'sluice query --for', /sluice query --format $/m);
    await expectCompleted(shell, 'sluice query --format mark', /--format markdown $/m);
    await expectCompleted(shell, 'sluice query --format=mark', /--format=markdown $/m);
    await expectCompleted(shell, 'sluice query -f state', /-f statement\.sql $/m);
    await expectCompleted(shell, 'sluice market show fl', /show flight-pack $/m);
    await expectCompleted(shell, 'sluice catalog list od', /list odd\.$/m);
    await expectCompleted(shell, 'sluice catalog list odd.m', /list odd\.main $/m);
    await expectCompleted(shell, 'sluice catalog show shop.main.num', /show shop\.main\.numbers $/m);
    await expectCompleted(shell, 'sluice market ', /request/);
  }, 120_000);

  it('completes tables and columns in a statement', async () => {
    using shell = await openShell(name, loggedIn);
    await expectCompleted(shell, "sluice query 'SELECT * FROM shop.main.num", /FROM shop\.main\.numbers/);
    await expectCompleted(shell, "sluice query 'SELECT * FROM shop.main.items WHERE pri", /WHERE price/);
    await expectCompleted(shell, 'sluice query "SELECT * FROM odd.main.größe WHERE only', /WHERE only_column/);
    await expectCompleted(shell, "sluice query 'SELECT * FROM shop.main.items WHERE n", /name[\s\S]*not/);
  }, 120_000);

  it('quotes odd names as the shell reads them', async () => {
    using shell = await openShell(name, loggedIn);
    const described = /Two words/;
    await expectRun(shell, 'sluice catalog show odd.main.i', /"it\\'s\\ \\\$HOME\\" $/m, described);
    await expectRun(shell, 'sluice catalog show \'odd.main."O', /'odd\.main\."Odd name"' $/m, described);
    await expectRun(shell, 'sluice catalog show "odd.main.i', /"it\\?'s\\? \\\$HOME\\""? $/m, described);
    await expectRun(shell, 'sluice catalog show odd.main.s', /semi\\;colon/, described);
    await expectRun(shell, 'sluice catalog show odd.main."O', /Odd\\? name/, described);
    await expectRun(shell, 'sluice catalog show odd.main.g', /größe/, described);
  }, 120_000);

  it('writes nothing without a login, and still completes what needs none', async () => {
    using shell = await openShell(name, loggedOut);
    shell.send(`sluice catalog show od${TAB}`);
    shell.send(CLEAR);
    await expectCompleted(shell, 'sluice who', /sluice whoami $/m);
    expect(shell.lines().join('\n')).not.toMatch(/error|login|odd/);
  }, 60_000);
});

it('prints within a second what is known, when a host does not respond', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const env = { ...loggedIn, SLUICE_API_URL: url, SLUICE_STREAM_URL: url };
  try {
    await assertWithin({ what: 'completion when the host does not respond', withinMs: PRINTED_WITHIN_MS }, async () => {
      const words = ['__complete', 'fish', '--', 'sluice catalog show od'];
      expect(await runSluice(words, { env })).toMatchObject({ exitCode: 0, stdout: 'words\n', stderr: '' });
    });
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
