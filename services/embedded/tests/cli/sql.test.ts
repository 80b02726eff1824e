import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { harvest } from './harvest.ts';
import { openTerminal } from './open-terminal.ts';
import type { CommandOptions } from './run-command.ts';
import { untilConfirmed } from './until-confirmed.ts';

const runCommand = createCommandRunner();

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const UP = '\u001b[A';

let cli: CliHosts;
let proxy: CuttingProxy;
beforeAll(async () => {
  cli = await startCliHosts();
  proxy = await startCuttingProxy(cli.hosts.url);
  await harvest(cli);
}, 180_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

const environment = (name: string, changes: CommandOptions['env'] = {}): CommandOptions['env'] => ({
  ...cli.analyst,
  XDG_STATE_HOME: join(cli.home, name),
  PAGER: '',
  ...changes,
});

describe('sql in a pipe', () => {
  it('runs statements as they arrive, also the last one without a semicolon', async () => {
    const run = await runCommand(['sql'], {
      env: environment('pipe'),
      stdinParts: ["SELECT ';' AS a; SELECT", ' 2 AS b;\n\\x\n', 'SELECT 3 AS c -- end;'],
    });
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^a\n;\nb\n2\n-\[ RECORD 1 \]-+\nc \| 3\n$/),
    });
  });

  it('stops at the first failure with its exit code', async () => {
    const run = await runCommand(['sql'], {
      env: environment('pipe'),
      stdin: 'SELECT 1 AS a; SELECT nope; SELECT 3 AS c;',
    });
    expect(run).toMatchObject({ exitCode: 1, stdout: 'a\n1\n' });
    expect(run.stderr).toContain('LINE 1: SELECT nope\n');
    const later = await runCommand(['sql'], {
      env: environment('pipe'),
      stdin: 'SELECT 1 AS a;\n\nSELECT\n nope;\nSELECT 3;',
    });
    expect(later).toMatchObject({ exitCode: 1, stdout: 'a\n1\n' });
    expect(later.stderr).toMatch(
      /Stopped in line 4 of the input, where this statement ends:\nerror: .*\nLINE 2: {2}nope\n/s,
    );
    const unknown = await runCommand(['sql'], { env: environment('pipe'), stdin: '\\nope\nSELECT 1;' });
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain('There is no shortcut \\nope. \\? lists them.');
  });
});

describe('sql at a prompt', () => {
  it('runs statements of many lines, survives errors, and leaves at Ctrl-D', async () => {
    using terminal = openTerminal(['sql'], { env: environment('lines'), columns: 100, rows: 40 });
    await terminal.waitFor('acme=>');
    terminal.send("SELECT 'a;\r");
    await terminal.waitFor("acme'>");
    terminal.send("b' AS t\r");
    await terminal.waitFor('acme->');
    terminal.send(';\r');
    await terminal.waitFor(/a;\\nb[\s\S]*1 row in [\s\S]*acme=>/);
    terminal.send('SELECT nope;\r');
    await terminal.waitFor(/LINE 1: SELECT nope[\s\S]*acme=>/);
    terminal.send('\\x\rSELECT 1 AS one;\r');
    await terminal.waitFor(/RECORD 1[\s\S]*one \| 1/);
    terminal.send('\\d items\r');
    await terminal.waitFor(/RECORD 3/);
    terminal.send('\\?\r');
    await terminal.waitFor(/\\format FORMAT/);
    terminal.send(CTRL_D);
    expect(await terminal.exitCode).toBe(0);
  });

  it('runs shortcuts within a statement that has no end yet, but not within a string', async () => {
    using terminal = openTerminal(['sql'], { env: environment('begun'), columns: 100, rows: 40 });
    await terminal.waitFor('acme=>');
    terminal.send('SELECT 1 AS one\r');
    await terminal.waitFor('acme->');
    terminal.send('\\timing off\r');
    await terminal.waitFor(/Timing is off\.[\s\S]*acme->\s*$/);
    terminal.send(", '\r");
    await terminal.waitFor(/acme'>\s*$/);
    terminal.send('\\q\r');
    await terminal.waitFor(/acme'> \\q\s+acme'>\s*$/);
    terminal.send("' AS two\r");
    await terminal.waitFor(/AS two\s+acme->\s*$/);
    terminal.send('\\g\r');
    await terminal.waitFor(/one \| two[\s\S]*1 \| \\n\\q\\n[\s\S]*1 row\s+acme=>\s*$/);
    terminal.send('SELECT 2\r');
    await terminal.waitFor(/acme->\s*$/);
    terminal.send('\\q\r');
    expect(await terminal.exitCode).toBe(0);
    const kept = await readFile(join(cli.home, 'begun', 'sluice', 'history'), 'utf8');
    expect(kept.split('\n')[0]).toBe(JSON.stringify("SELECT 1 AS one\n, '\n\\q\n' AS two"));
  });

  it('cancels a running query at Ctrl-C and stays', async () => {
    using terminal = openTerminal(['sql'], { env: environment('cancel'), columns: 100 });
    await terminal.waitFor('acme=>');
    const printed = await untilConfirmed(async () => {
      terminal.send('SELECT count(*) AS shell_c FROM range(10000000000) t(a), range(100000) u(b);\r');
      await terminal.waitFor(/Running +0 rows/);
      terminal.send(CTRL_C);
      await terminal.waitFor(/Cancelled (?:(?!Cancelled)[\s\S])*acme=>\s*$/);
      const screen = terminal.screen().join('\n');
      return screen.slice(screen.lastIndexOf('Cancelled '));
    });
    expect(printed).toMatch(/^Cancelled in the engine after 0 rows\./);
    terminal.send(`SELECT 1${CTRL_C}`);
    await terminal.waitFor(/\^C\s+acme=>\s*$/);
    terminal.send('SELECT 42 AS answer;\r');
    await terminal.waitFor(/answer[\s\S]*42/);
    const history = await runCommand(['history', '--contains', 'shell_c', '--json'], { env: cli.analyst });
    expect(history.stdout).toContain('"state":"CANCELLED"');
    terminal.send('\\q\r');
    expect(await terminal.exitCode).toBe(0);
  });

  it('takes pasted text of many lines with tabs', async () => {
    using terminal = openTerminal(['sql'], { env: environment('paste'), columns: 100 });
    await terminal.waitFor('acme=>');
    terminal.send("\u001b[200~SELECT\t1 AS a,\r\t'x' AS b\rFROM\titems\rLIMIT 1;\rSELECT 'second' AS c;\r\u001b[201~");
    await terminal.waitFor(/ a \| b[\s\S]*second[\s\S]*acme=>\s*$/);
    terminal.send(CTRL_D);
    expect(await terminal.exitCode).toBe(0);
  });

  it('keeps statements in a file that only its owner reads, and recalls them', async () => {
    const env = environment('history');
    {
      using terminal = openTerminal(['sql'], { env, columns: 100 });
      await terminal.waitFor('acme=>');
      terminal.send('SELECT 1\rAS kept;\r');
      await terminal.waitFor(/kept[\s\S]*1 row in[\s\S]*acme=>\s*$/);
      terminal.send(CTRL_D);
      expect(await terminal.exitCode).toBe(0);
    }
    const path = join(cli.home, 'history', 'sluice', 'history');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe('"SELECT 1\\nAS kept;"\n');
    using terminal = openTerminal(['sql'], { env, columns: 100 });
    await terminal.waitFor('acme=>');
    terminal.send(`${UP}\r`);
    await terminal.waitFor(/kept[\s\S]*1 row in/);
  });

  it('completes keywords and names of the catalog', async () => {
    using terminal = openTerminal(['sql'], { env: environment('tab'), columns: 100 });
    await terminal.waitFor('acme=>');
    terminal.send('SEL\t');
    await terminal.waitFor('acme=> SELECT');
    terminal.send(' * FROM numb');
    const isCompleted = async (): Promise<true | undefined> => {
      terminal.send('\t');
      await new Promise((resolve) => setTimeout(resolve, 200));
      return terminal.screen().join('\n').includes('FROM shop.main.numbers') || undefined;
    };
    await until(isCompleted, { what: 'the name of the table' });
    terminal.send(' WHERE n = 7;\r');
    await terminal.waitFor(/1 row in/);
  });

  it('asks the host only for the names that Tab needs', async () => {
    await using api = await startCuttingProxy(cli.hosts.api.url);
    const requests = () => api.seen.map(({ method, path }) => `${method} ${path}`).filter((each) => !/auth/.test(each));
    const env = environment('few', { SLUICE_API_URL: api.url });
    using terminal = openTerminal(['sql'], { env, columns: 100 });
    await terminal.waitFor('acme=>');
    terminal.send('SEL\t');
    await terminal.waitFor('acme=> SELECT');
    terminal.send(' * FROM shop.main.numb\t');
    const LEVEL = 'GET /catalog/shop/main?size=1000';
    await until(async () => requests().includes(LEVEL) || undefined, { what: 'the names of the schema' });
    expect(requests()).toEqual([LEVEL]);
  });

  it('writes results to a new file with \\o', async () => {
    const env = environment('output');
    using terminal = openTerminal(['sql'], { env, columns: 100 });
    await terminal.waitFor('acme=>');
    terminal.send('\\o out.csv\rSELECT 1 AS one;\r');
    await terminal.waitFor(/1 row in/);
    terminal.send('\\o\r\\o out.csv\r');
    await terminal.waitFor('out.csv exists. Choose another name.');
    expect(await readFile(join(cli.home, 'out.csv'), 'utf8')).toBe('one\n1\n');
  });

  it('keeps the statement when the login has ended', async () => {
    const env = environment('expired', { SLUICE_STREAM_URL: proxy.url });
    using terminal = openTerminal(['sql'], { env, columns: 100 });
    await terminal.waitFor('acme=>');
    const rejected = {
      status: 401,
      body: '{"error":"invalid_token","message":"The token is invalid.","request_id":"x"}',
    };
    proxy.reply('/query', rejected, rejected);
    terminal.send('SELECT 5 AS five;\r');
    await terminal.waitFor('\\g runs the statement again');
    terminal.send('\\g\r');
    await terminal.waitFor(/five[\s\S]*1 row in/);
  });
});
