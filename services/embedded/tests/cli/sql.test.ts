import { readFile, stat, writeFile } from 'node:fs/promises';
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
const CTRL_G = '\u0007';
const CTRL_R = '\u0012';
const UP = '\u001b[A';
const RIGHT = '\u001b[C';

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

describe('shortcuts in a pipe', () => {
  const run = (stdin: string) => runCommand(['sql'], { env: environment('pipe'), stdin });
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(cli.home, name);
    await writeFile(path, text);
    return path;
  };

  it('exit ends the input where no statement was begun', async () => {
    expect(await run('SELECT 1 AS\nexit\n;\nexit;\nSELECT 2 AS b;\n')).toMatchObject({
      exitCode: 0,
      stdout: 'exit\n1\n',
    });
  });

  it('\\i runs the statements of a file, and of files that it includes', async () => {
    const inner = await file('in ner.sql', "SELECT\n ';' AS b;\n");
    const outer = await file('outer.sql', `SELECT 1 AS a;\r\n\\i '${inner}'\nSELECT 3 AS c -- without an end`);
    expect(await run(`\\i ${outer}\nSELECT 4 AS d;`)).toMatchObject({
      exitCode: 0,
      stdout: 'a\n1\nb\n;\nc\n3\nd\n4\n',
    });
  });

  it('\\i stops at the first failure of a file, and names its line', async () => {
    const path = await file('bad.sql', 'SELECT 1 AS a;\nSELECT\n nope;\nSELECT 2 AS b;\n');
    const failed = await run(`\\i ${path}\nSELECT 3 AS c;`);
    expect(failed).toMatchObject({ exitCode: 1, stdout: 'a\n1\n' });
    expect(failed.stderr).toContain(`Stopped in line 3 of ${path}, where this statement ends:\n`);
    const missing = await run('\\i nowhere.sql\n');
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(missing.stderr).toContain('The file nowhere.sql does not exist. Check the path.');
    const endless = await file('endless.sql', '');
    await writeFile(endless, `\\i ${endless}\n`);
    expect((await run(`\\i ${endless}\n`)).stderr).toContain('more than 16 files deep. Does it include itself?');
  });

  it('\\set gives parameters to the statements that name them, and lists them', async () => {
    const set = "\\set n 5\n\\set t:varchar 5\n\\set q 'it''s'\n\\set ids=[1, 2]\n";
    const found = await run(`${set}SELECT 0 AS none;\nSELECT $n + 1 AS n, $t AS t, $q AS q, $ids AS ids;\n\\set\n`);
    expect(found).toMatchObject({
      exitCode: 0,
      stdout: `none\n0\nn,t,q,ids\n6,5,it's,"[1,2]"\nparameter,type,value\n$n,"",5\n$t,varchar,5\n$q,"",'it''s'\n$ids,"","[1, 2]"\n`,
    });
    const removed = await run('\\set n 5\n\\unset n\nSELECT $n AS n;\n');
    expect(removed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(removed.stderr).toContain('  Set it: \\set n VALUE\n');
    expect((await run('\\set Name 5\n')).stderr).toContain('\\set "Name=5" is not NAME=VALUE');
    expect((await run('\\unset n\n')).stderr).toContain('There is no parameter "n". \\set lists them.');
  });

  it('\\d and \\l show what the API knows: types and descriptions', async () => {
    const metadata = {
      type: 'TABLE',
      id: 'shop.main.items',
      description: 'Parts',
      fields: [{ name: 'price', description: 'In euros' }],
    };
    const path = await file('texts.ndjson', `${JSON.stringify(metadata)}\n`);
    const imported = await runCommand(['import', path], { env: await cli.environmentOf(['steward']) });
    expect({ imported }).toMatchObject({ imported: { exitCode: 0 } });
    const table = await run('\\d Items\n');
    expect(table).toMatchObject({
      exitCode: 0,
      stdout: 'column,type,description\nid,bigint,""\nname,varchar,""\nprice,"decimal(10,2)",In euros\n',
    });
    expect(table.stderr).toContain('shop.main.items (TABLE): Parts\n');
    expect((await run('\\d\n')).stdout).toMatch(/^table,type,description\nitems,TABLE,Parts\nnothing,TABLE,""\n/);
    expect((await run('\\l\n')).stdout).toMatch(/^catalog,schemas,tables,engine\nshop,\d+,\d+,DuckDB\n$/);
    // The engine may know more than the last harvest.
    expect(await run('\\d nope\n')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nope') });
  });
});

describe('sql at a prompt', () => {
  it.each(['exit', 'QUIT;'])('leaves at %s and explains itself at help, where no statement was begun', async (word) => {
    using terminal = openTerminal(['sql'], { env: environment('words'), columns: 100, rows: 40 });
    await terminal.waitFor(/help lists shortcuts[\s\S]*acme=>/);
    terminal.send('help\r');
    await terminal.waitFor(/\\format FORMAT[\s\S]*acme=>\s*$/);
    terminal.send('SELECT 1 AS\rexit\r');
    await terminal.waitFor(/This is a part of the statement\. \\q leaves[\s\S]*acme->\s*$/);
    terminal.send(';\r');
    await terminal.waitFor(/ exit[\s\S]*1 row in[\s\S]*acme=>\s*$/);
    terminal.send(`${word}\r`);
    expect(await terminal.exitCode).toBe(0);
  });

  it('finds earlier statements with Ctrl-R', async () => {
    using terminal = openTerminal(['sql'], { env: environment('search'), columns: 100, rows: 60 });
    await terminal.waitFor('acme=>');
    for (const text of ['first', 'second']) {
      terminal.send(`SELECT '${text}' AS one;\r`);
      await terminal.waitFor(new RegExp(` ${text}\\s+1 row in [\\s\\S]*acme=>\\s*$`));
    }
    terminal.send(`${CTRL_R}one`);
    await terminal.waitFor("(search)'one': SELECT 'second' AS one;");
    terminal.send(CTRL_R);
    await terminal.waitFor("(search)'one': SELECT 'first' AS one;");
    terminal.send('\r');
    await terminal.waitFor(/ second\s+1 row in [\s\S]* first\s+1 row in [\s\S]*acme=>\s*$/);
    terminal.send(`SELECT${CTRL_R}xyz`);
    await terminal.waitFor(/\(failed search\)'xyz': SELECT\s*$/);
    terminal.send(CTRL_G);
    await terminal.waitFor(/acme=> SELECT\s*$/);
    terminal.send(`${CTRL_R}seconx\u007fd`);
    await terminal.waitFor("(search)'second': SELECT 'second' AS one;");
    terminal.send(RIGHT);
    await terminal.waitFor(/acme=> SELECT 'second' AS one;\s*$/);
    terminal.send(` SELECT 'third' AS two;\r`);
    await terminal.waitFor(/ third\s+1 row in [\s\S]*acme=>\s*$/);
    terminal.send(`${CTRL_R}third${CTRL_C}`);
    await terminal.waitFor(/\^C\s+acme=>\s*$/);
    terminal.send(CTRL_D);
    expect(await terminal.exitCode).toBe(0);
  });

  it('edits the last or the begun statement with \\e, runs it and remembers it', async () => {
    const env = environment('edit', { VISUAL: "sed -i 's/one/edited/; s/1/\\n7/'" });
    using terminal = openTerminal(['sql'], { env, columns: 100, rows: 60 });
    await terminal.waitFor('acme=>');
    terminal.send('SELECT 1 AS one;\r');
    await terminal.waitFor(/1 row in [\s\S]*acme=>\s*$/);
    terminal.send('\\e\r');
    await terminal.waitFor(/ edited\s+-+\s+7\s+1 row in [\s\S]*acme=>\s*$/);
    terminal.send('SELECT 1\r');
    await terminal.waitFor(/acme->\s*$/);
    terminal.send('\\e\r');
    await terminal.waitFor(/SELECT\s+7\s+acme->\s*$/);
    terminal.send('AS eight;\r');
    await terminal.waitFor(/ eight\s+-+\s+7\s+1 row in [\s\S]*acme=>\s*$/);
    terminal.send('\\e\r');
    await terminal.waitFor(/The statement was not changed\. \\g runs it\.\s+acme=>\s*$/);
    terminal.send(CTRL_D);
    expect(await terminal.exitCode).toBe(0);
    const kept = await readFile(join(cli.home, 'edit', 'sluice', 'history'), 'utf8');
    expect(kept.split('\n').slice(0, 3)).toEqual(
      ['SELECT 1 AS one;', 'SELECT \n7 AS edited;', 'SELECT \n7\nAS eight;'].map((text) => JSON.stringify(text)),
    );
  });

  it('says which editor could not be started', async () => {
    using terminal = openTerminal(['sql'], { env: environment('no-editor', { EDITOR: 'no-such-editor' }) });
    await terminal.waitFor('acme=>');
    terminal.send('\\e\r');
    await terminal.waitFor('The editor no-such-editor could not be started. Set VISUAL or EDITOR.');
  });

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
