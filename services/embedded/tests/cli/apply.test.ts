import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { runInProcess } from './run-in-process.ts';

const runCommand = createCommandRunner();

type Env = Readonly<Record<string, string>>;

let cli: CliHosts;
let admin: Env;

const FILE = `# The tenant of a shop
roles:
  - { name: planner, permissions: ["query:run", "datamap:read"] }
users:
  - email: ada@example.com
    roles: [planner]
service_accounts:
  - { client_id: nightly, roles: [planner] }
domains:
  - { name: Sales, description: What we sell }
datamaps:
  - name: stock
    description: |
      What there is.
      In pieces.
    tags: [shop]
    sql: SELECT id, name FROM items
    state: PUBLISHED
`;

beforeAll(async () => {
  cli = await startCliHosts();
  admin = await cli.environmentOf(['admin']);
  await writeFile(join(cli.home, 'shop.yaml'), FILE);
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

const apply = (words: readonly string[], env: Env = admin) => runCommand(['apply', ...words], { env });
const applyText = (text: string, words: readonly string[] = ['--dry-run']) =>
  runInProcess(['apply', '-', ...words], admin, text);
const roles = async (): Promise<readonly unknown[]> =>
  await cli.hosts.rows("select name from roles where name = 'planner'");

describe('apply in a pipe', () => {
  it('shows the changes of a dry run value by value, without colour, and changes nothing', async () => {
    const run = await apply(['shop.yaml', '--diff', '--dry-run']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '5 to create, 0 to change, 0 as in the file.\n' });
    expect(run.stdout).toMatchInlineSnapshot(`
"+ role planner
    permissions
      + query:run
      + datamap:read
+ user ada@example.com
    roles
      + planner
    disabled
      + false
+ service_account nightly
    roles
      + planner
    disabled
      + false
+ domain Sales
    name
      + Sales
    description
      + What we sell
+ datamap stock
    name
      + stock
    description
      + What there is.
      + In pieces.
      + 
    tags
      + shop
    state
      + PUBLISHED
    priority
      + MEDIUM
    sql
      + SELECT id, name FROM items
    parameters
      - []
      + []
    explanation
      + 
    limit
      + 1000
    display_name
      + stock
    source_id
      + 
"
`);
    expect(await roles()).toEqual([]);
  });

  it('refuses to apply without --yes, before anything is sent', async () => {
    for (const words of [['shop.yaml'], ['shop.yaml', '--diff'], ['-']]) {
      const run = await runInProcess(['apply', ...words], cli.bare, FILE);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('Add --yes to apply the file, or --dry-run to see the changes.');
    }
    expect(await roles()).toEqual([]);
  });

  it('shows what the host rejects with its places, and applies nothing', async () => {
    const file = FILE.replace('roles: [planner]\nservice', 'roles: [planner, nobody]\nservice').replace(
      'name FROM',
      'nam FROM',
    );
    const run = await applyText(file, ['--yes']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatchInlineSnapshot(`
"error: stdin has 2 mistakes. Nothing was changed.
  line 6, column 22: users[0].roles[1]: there is no role nobody
  line 17, column 5: datamaps[0].sql: Referenced column "nam" not found in FROM clause!
    Candidate bindings: "name"
Correct them and run the command again.
"
`);
    expect(await roles()).toEqual([]);
  });

  it.each([
    ['an unknown section', 'rols:\n  - { name: x }\n', /stdin, line 1, column 1: .*rols/],
    ['a wrong type', 'users:\n  - email: [a]\n', /stdin, line 2, column 5: users\[0\]\.email: /],
    ['nothing', '', /stdin is empty/],
    ['a comment only', '# nothing\n', /stdin is empty/],
    ['a list', '- a\n', /stdin, line 1, column 1: this is not a configuration/],
    ['an open quote', 'users:\n  - email: "a\n', /stdin, line \d, column \d+: /],
    ['an anchor', 'roles: &r\n  - { name: x }\n', /the anchor &r is not accepted/],
    ['an anchor on a string', 'roles:\n  - { name: &r x }\n', /line 2, column 16: the anchor &r is not accepted/],
    ['a key twice', 'roles: []\nroles: []\n', /line 2, column 1: the key roles is used twice/],
    ['more than 1 MiB', `# ${'x'.repeat(1024 * 1024)}`, /stdin has more than 1 MiB/],
  ])('rejects %s with its place', async (_what, text, says) => {
    const run = await applyText(text);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(run.stderr).not.toContain('Unexpected failure');
  });

  it('names a file that is missing or a folder, a login that is missing, and a permission that is missing', async () => {
    expect((await apply(['none.yaml', '--yes'])).stderr).toBe('error: none.yaml does not exist. Check the name.\n');
    expect((await apply(['.', '--yes'])).stderr).toBe('error: . is a folder. Name a file.\n');
    expect((await apply(['shop.yaml', '--yes'], cli.bare)).exitCode).toBe(4);
    expect(await apply(['shop.yaml', '--yes'], cli.analyst)).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('apply on a terminal', () => {
  it('shows the changes in colour and asks; a no and Ctrl-C apply nothing', async () => {
    for (const { keys, exitCode, says } of [
      { keys: 'n\r', exitCode: 1, says: 'Nothing was applied.' },
      { keys: '\r', exitCode: 1, says: 'Nothing was applied.' },
      { keys: '\u0003', exitCode: 130, says: 'Cancelled. Nothing was applied.' },
    ]) {
      using terminal = openTerminal(['apply', 'shop.yaml', '--diff'], { env: admin, columns: 100, rows: 60 });
      await terminal.waitFor('Apply these changes? [y/N]');
      expect(terminal.raw()).toContain('\u001b[32m+\u001b[39m role planner');
      terminal.send(keys);
      expect(await terminal.exitCode).toBe(exitCode);
      expect(terminal.lines().join('\n')).toContain(says);
    }
    expect(await roles()).toEqual([]);
  });

  it('applies after a yes, and prints once what the host shows once', async () => {
    using terminal = openTerminal(['apply', 'shop.yaml'], { env: admin, columns: 200 });
    await terminal.waitFor('Apply these changes? [y/N]');
    terminal.send('y\r');
    expect(await terminal.exitCode).toBe(0);
    const text = terminal.lines().join('\n');
    expect(text).toMatch(/invitation of user ada@example\.com: http\S+/);
    expect(text).toMatch(/client secret of nightly: \S{20,}/);
    expect(text).toContain('Applied: 5 created, 0 changed.');
    expect(await roles()).toEqual([{ name: 'planner' }]);
  });
});

describe('apply again', () => {
  it('has nothing to do, and does not ask', async () => {
    using terminal = openTerminal(['apply', 'shop.yaml'], { env: admin });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toEqual(['0 to create, 0 to change, 5 as in the file.']);
  });

  it('shows what it changes, from JSON too, and prints one document with --json', async () => {
    const changed = {
      domains: [{ name: 'Sales', description: 'All that we sell' }],
      roles: [{ name: 'planner', permissions: ['query:run'] }],
    };
    await writeFile(join(cli.home, 'shop.json'), JSON.stringify(changed, undefined, 2));
    const run = await apply(['shop.json', '--diff', '--yes']);
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: '0 to create, 2 to change, 0 as in the file.\nApplied: 0 created, 2 changed.\n',
    });
    expect(run.stdout).toMatchInlineSnapshot(`
"~ role planner
    permissions
      - datamap:read
~ domain Sales
    description
      - What we sell
      + All that we sell
"
`);
    const json = await applyText(JSON.stringify({ ...changed, dry_run: true }), ['--json', '--yes']);
    expect(json).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ dry_run: true, unchanged_count: 2 });
  });
});
