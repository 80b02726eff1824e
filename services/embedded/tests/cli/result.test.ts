import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import type { CommandRun } from './run-command.ts';

const runCommand = createCommandRunner();
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/;

let results: ResultFolder;
let cli: CliHosts;
let cwd: string;
beforeAll(async () => {
  results = await createResultFolder();
  cli = await startCliHosts(results.settings);
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
  await results?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  cwd = await mkdtemp(join(cli.home, 'result-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const sluice = (words: readonly string[], env = cli.analyst): Promise<CommandRun> => runCommand(words, { env, cwd });

/** Runs a statement, keeps its result and returns the id. */
async function keep(sql: string): Promise<string> {
  const run = await sluice(['query', sql, '--keep', '1h']);
  expect(run).toMatchObject({ exitCode: 0 });
  const [id = ''] = ID.exec(run.stderr) ?? [];
  return id;
}

describe('query', () => {
  it('keeps its result, and says until when and how to see it', async () => {
    const run = await sluice(['query', 'SELECT 1 AS a', '--keep', '2h']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'a\n1\n' });
    expect(run.stderr).toMatch(
      /^1 row in [\d.]+ s\nKept until [-\d]+ [\d:]+Z \(in (?:1 h 59|2 h 0) min\)\. See `sluice result show [-\da-f]{36}`\.\n$/,
    );
  });

  it('prints a kept result instead of a run, with its time', async () => {
    const sql = "SELECT 'reuse me' AS a";
    const id = await keep(sql);
    const run = await sluice(['query', sql, '--reuse', '15m']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'a\nreuse me\n' });
    expect(run.stderr).toContain(`The result is that of query ${id}, which ran at `);
    const other = await sluice(['query', "SELECT 'never kept' AS a", '--reuse', '15m']);
    expect(other.stderr).toMatch(/^1 row in [\d.]+ s\n$/);
  });

  it.each([
    ['--keep', '24'],
    ['--keep', '0h'],
    ['--reuse', 'P1D'],
  ])('rejects %s %s before anything is sent', async (option, value) => {
    const run = await sluice(['query', 'SELECT 1', option, value]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toBe(`error: ${option} must be a duration such as 30m, 24h or 7d, not "${value}".\n`);
  });

  it('shows the message of the host for a longer time than the tenant allows', async () => {
    const run = await sluice(['query', 'SELECT 1', '--keep', '99d']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('keep must be at most 1d');
  });
});

describe('result', () => {
  it('list shows the kept results only, newest first', async () => {
    await sluice(['query', 'SELECT 0 AS not_kept']);
    const [first, second] = [await keep('SELECT 1 AS list_me'), await keep('SELECT 2 AS list_me')];
    const run = await sluice(['result', 'list', '--contains', 'list_me']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const [head, ...lines] = run.stdout.trimEnd().split('\n');
    expect(head).toBe('id,rows,statement,started,kept_until');
    expect(lines.map((line) => line.slice(0, 36))).toEqual([second, first]);
    const json = await sluice(['result', 'list', '--contains', 'list_me', '--limit', '1', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ query_id: second, kept_until: expect.any(Number) });
    expect(json.stderr).toContain('More kept results exist');
    const none = await sluice(['result', 'list', '--contains', 'not_kept']);
    expect(none.stderr).toBe('You have no kept results. `sluice query --keep 24h` keeps one.\n');
  });

  it('show has the facts, by the beginning of the id too', async () => {
    const id = await keep('SELECT 1 AS a, 0.5 AS b');
    const run = await sluice(['result', 'show', id.slice(0, 13)]);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(`Result of query ${id}\n`);
    expect(run.stdout).toMatch(/Statement: +SELECT 1 AS a, 0\.5 AS b\n/);
    expect(run.stdout).toMatch(new RegExp(`Ran: +.*Z by ${cli.hosts.ann.email}\n`));
    expect(run.stdout).toMatch(/Shared: +with no other account\n/);
    const json = await sluice(['result', 'show', id, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ query_id: id, rows: 1, is_own: true });
  });

  it('rows prints a range in every format of query', async () => {
    const id = await keep('SELECT 9007199254740993 + range AS n, 0.10 AS p FROM range(2500)');
    const run = await sluice(['result', 'rows', id, '--from', '1', '--to', '3']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'n,p\n9007199254740994,0.10\n9007199254740995,0.10\n' });
    expect(run.stderr).toMatch(/^2 rows in [\d.]+ s of 2,500\n$/);
    const ndjson = await sluice(['result', 'rows', id, '--from', '2499', '--format', 'ndjson']);
    expect(ndjson.stdout).toBe('{"n":9007199254743492,"p":0.10}\n');
    const all = await sluice(['result', 'rows', id, '--json']);
    expect(JSON.parse(all.stdout)).toHaveLength(2500);
    expect((await sluice(['result', 'rows', id, '--from', '5', '--to', '4'])).exitCode).toBe(2);
  });

  it('follow prints the rows behind those that are there', async () => {
    const id = await keep('SELECT range AS n FROM range(100)');
    const run = await sluice(['result', 'follow', id, '--after', '98']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'n\n98\n99\n' });
  });

  it('download saves every format, and says what is verified', async () => {
    const id = await keep('SELECT range AS n FROM range(100)');
    for (const format of ['csv', 'json', 'ndjson', 'xlsx', 'parquet']) {
      const run = await sluice(['result', 'download', id, '-o', `out.${format}`]);
      expect(run).toMatchObject({ exitCode: 0, stdout: '' });
      expect(run.stderr).toMatch(
        new RegExp(
          `^out\\.${format}: [\\d.]+ (?:bytes|kB)\\. Length and SHA-256 match those of the kept result of query ${id}\\.\n$`,
        ),
      );
    }
    expect((await readdir(cwd)).sort()).toEqual(['out.csv', 'out.json', 'out.ndjson', 'out.parquet', 'out.xlsx']);
    expect(await readFile(join(cwd, 'out.csv'), 'utf8')).toMatch(/^n\n0\n1\n/);
    const exists = await sluice(['result', 'download', id, '-o', 'out.csv']);
    expect(exists).toMatchObject({ exitCode: 1 });
    expect(exists.stderr).toBe('error: out.csv exists. Choose another name, or replace it with --force.\n');
    const json = await sluice(['result', 'download', id, 'csv', '-o', 'out.csv', '--force', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ file: 'out.csv', query_id: id, sha256: expect.any(String) });
    const stdout = await sluice(['result', 'download', id, 'csv', '-o', '-', '--separator', 'semicolon']);
    expect(stdout.stdout).toMatch(/^n\n0\n/);
  });

  it('verify proves a file of any format, with the options that it was saved with', async () => {
    const id = await keep("SELECT range AS n, '=1' AS f FROM range(100)");
    for (const format of ['csv', 'json', 'ndjson', 'xlsx', 'parquet']) {
      await sluice(['result', 'download', id, '-o', `v.${format}`]);
      const run = await sluice(['result', 'verify', id, `v.${format}`]);
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(run.stdout).toMatch(
        new RegExp(`^v\\.${format} is whole: [\\d.]+ (?:bytes|kB), as the kept result of query ${id} says\\.\n$`),
      );
    }
    await sluice(['result', 'download', id, '-o', 's.csv', '--separator', 'tab', '--excel-safe']);
    const other = await sluice(['result', 'verify', id, 's.csv']);
    expect(other).toMatchObject({ exitCode: 3, stdout: '' });
    expect(other.stderr).toContain('is not the csv file of the kept result');
    const same = await sluice(['result', 'verify', id, 's.csv', '--separator', 'tab', '--excel-safe', '--json']);
    expect(JSON.parse(same.stdout)).toMatchObject({ state: 'matches', query_id: id, file: 's.csv' });
    await appendFile(join(cwd, 'v.csv'), '1,2\n');
    expect(await sluice(['result', 'verify', id, 'v.csv'])).toMatchObject({ exitCode: 3 });
    expect((await sluice(['result', 'verify', id, 'none.csv'])).stderr).toContain('none.csv could not be read');
    await sluice(['result', 'delete', id]);
    const gone = await sluice(['result', 'verify', id, 'v.json']);
    expect(gone).toMatchObject({ exitCode: 1, stdout: '' });
    expect(gone.stderr).toContain(`There is no kept result of query ${id} that you may view.`);
  });

  it('download removes the receipt of the file that it replaces', async () => {
    await sluice(['download', 'csv', 'SELECT 1 AS a', '-o', 'a.csv']);
    expect((await readdir(cwd)).sort()).toEqual(['a.csv', 'a.csv.receipt.json']);
    const id = await keep('SELECT 2 AS a');
    expect((await sluice(['result', 'download', id, '-o', 'a.csv', '--force'])).exitCode).toBe(0);
    expect(await readdir(cwd)).toEqual(['a.csv']);
    expect(await readFile(join(cwd, 'a.csv'), 'utf8')).toBe('a\n2\n');
  });

  it('share sets who may view it, and delete ends it for everyone', async () => {
    const id = await keep('SELECT 42 AS a');
    const bob = await cli.environmentOf(['analyst']);
    const view = async (env: typeof bob) => (await sluice(['result', 'rows', id, '--format', 'csv'], env)).exitCode;
    expect(await view(bob)).toBe(1);
    const run = await sluice(['result', 'share', id, '--user', bob['SLUICE_EMAIL'] ?? '']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain(`Shared with user ${bob['SLUICE_EMAIL']}.`);
    expect(await view(bob)).toBe(0);
    const seen = await sluice(['result', 'show', id], bob);
    expect(seen.stdout).not.toMatch(/Statement|Shared/);
    expect((await sluice(['result', 'share', id])).exitCode).toBe(2);
    expect((await sluice(['result', 'share', id, '--none', '--role', 'x'])).exitCode).toBe(2);
    const none = await sluice(['result', 'share', id, '--none', '--json']);
    expect(JSON.parse(none.stdout)).toEqual({ shares: [] });
    expect(await view(bob)).toBe(1);
    expect((await sluice(['result', 'delete', id])).stderr).toBe(`The kept result of query ${id} is deleted.\n`);
    const gone = await sluice(['result', 'show', id]);
    expect(gone).toMatchObject({ exitCode: 1, stdout: '' });
    expect(gone.stderr).toMatch(
      /^error: There is no kept result of query .* that you may view\. It may have expired\. /,
    );
  });

  it('names an id that is not that of a query', async () => {
    for (const id of ['ffffffff', 'x', '../..', '%2e%2e']) {
      const run = await sluice(['result', 'show', id]);
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toBe(
        `error: You have no query whose id begins with ${id}. \`sluice result list\` shows the ids.\n`,
      );
    }
    const unknown = await sluice(['result', 'download', '00000000-0000-4000-8000-000000000000', 'csv', '-o', 'x.csv']);
    expect(unknown).toMatchObject({ exitCode: 1 });
    expect(unknown.stderr).toContain('There is no kept result of query 00000000-0000-4000-8000-000000000000');
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('the shell', () => {
  it('keeps the results of statements behind \\keep', async () => {
    const stdin = "\\keep 2h\nSELECT 'kept by the shell' AS a;\n\\keep off\nSELECT 2 AS a;\n\\keep\n";
    const run = await runCommand(['sql', '--format', 'csv'], { env: cli.analyst, cwd, stdin });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('Results are kept for 2h.\n');
    expect(run.stderr.match(/Kept until/g)).toHaveLength(1);
    expect(run.stderr.trimEnd().endsWith('Results are not kept.')).toBe(true);
    const wrong = await runCommand(['sql'], { env: cli.analyst, cwd, stdin: '\\keep forever\n' });
    expect(wrong.stderr).toContain('\\keep must be a duration such as 30m, 24h or 7d, not "forever".');
  });
});

describe('in a terminal', () => {
  it('lists and rows are tables', async () => {
    const id = await keep('SELECT 7 AS in_terminal');
    const env = { ...cli.analyst, HOME: cwd };
    using list = openTerminal(['result', 'list', '--contains', 'in_terminal'], { env, columns: 120 });
    expect(await list.exitCode).toBe(0);
    expect(list.lines().join('\n')).toMatch(/Id +\| Rows +\| Statement +\| Started +\| Kept until/);
    expect(list.lines().join('\n')).toContain(id.slice(0, 8));
    using rows = openTerminal(['result', 'rows', id.slice(0, 8)], { env });
    expect(await rows.exitCode).toBe(0);
    expect(rows.lines().join('\n')).toMatch(/in_terminal/);
  });
});
