import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LONG } from '@sluice/testkit/statements';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { untilConfirmed } from './until-confirmed.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let cwd: string;
beforeAll(async () => {
  cli = await startCliHosts();
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  cwd = await mkdtemp(join(cli.home, 'download-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const sha256Of = async (name: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(join(cwd, name)))
    .digest('hex');
const receiptOf = async (name: string) => JSON.parse(await readFile(join(cwd, `${name}.receipt.json`), 'utf8'));
const sluice = (words: readonly string[], stdin = '') => runCommand(words, { env: cli.analyst, cwd, stdin });

describe('download', () => {
  it.each(['csv', 'json', 'ndjson', 'xlsx', 'parquet'])('saves %s with its receipt', async (format) => {
    const run = await sluice(['download', format, "SELECT range AS n, 'é' AS t FROM range(3000)", '-o', 'out']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toMatch(
      /^out: 3,000 rows, [\d.]+ kB\. SHA-256 and rows match the receipt, which is kept in out\.receipt\.json\.\n$/,
    );
    expect((await readdir(cwd)).sort()).toEqual(['out', 'out.receipt.json']);
    const kept = await receiptOf('out');
    expect(kept).toMatchObject({ version: 1, file: 'out', tenant: 'acme', user: cli.hosts.ann.email });
    expect(kept.receipt).toMatchObject({ state: 'FINISHED', rows: 3000, sha256: await sha256Of('out') });
    expect(kept.query_id).toBe(kept.receipt.query_id);
  });

  it('takes the statement of a file and of stdin, and parameters', async () => {
    await writeFile(join(cwd, 'a.sql'), 'SELECT $a AS a, $b AS b, $c AS c;\n');
    const values = ['--param', 'a=1.10', '--param', 'b:date=2026-03-29', '--param', 'c=it’s'];
    const fromFile = await sluice(['download', 'csv', '-f', 'a.sql', ...values, '-o', '-']);
    expect(fromFile).toMatchObject({ exitCode: 0, stdout: 'a,b,c\n1.10,2026-03-29,it’s\n' });
    const fromStdin = await sluice(['download', 'csv', '-o', '-'], 'SELECT 1 AS one');
    expect(fromStdin).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    expect(fromStdin.stderr).toMatch(
      /^stdout: 1 row, 6 bytes\. SHA-256 and rows match the receipt of query [\da-f-]{36}\.\n$/,
    );
  });

  it.each([
    ['out.parquet', /^PAR1/],
    ['OUT.CSV', /^n\n1\n/],
    ['out.json', /^\{[\s\S]*"n"/],
    ['out.ndjson', /^\{"n":1\}\n$/],
    ['out.jsonl', /^\{"n":1\}\n$/],
    ['out.xlsx', /^PK/],
  ])('chooses the format of %s by its extension', async (name, beginning) => {
    expect(await sluice(['download', 'SELECT 1 AS n', '-o', name])).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(cwd, name), 'latin1')).toMatch(beginning);
  });

  it('chooses it for a statement of a file or of stdin too, and lets a given format win', async () => {
    await writeFile(join(cwd, 'a.sql'), 'SELECT 1 AS n');
    expect(await sluice(['download', '-f', 'a.sql', '-o', 'a.ndjson'])).toMatchObject({ exitCode: 0 });
    expect(await sluice(['download', '-', '-o', 'b.ndjson'], 'SELECT 1 AS n')).toMatchObject({ exitCode: 0 });
    expect(await sluice(['download', 'csv', 'SELECT 1 AS n', '-o', 'c.ndjson'])).toMatchObject({ exitCode: 0 });
    const texts = await Promise.all(['a', 'b', 'c'].map((name) => readFile(join(cwd, `${name}.ndjson`), 'utf8')));
    expect(texts).toEqual(['{"n":1}\n', '{"n":1}\n', 'n\n1\n']);
    const without = await sluice(['download', 'SELECT 1 AS n', '-o', 'd.txt']);
    expect(without).toMatchObject({ exitCode: 2, stdout: '' });
    expect(without.stderr).toMatch(
      /^error: Choose a format: .*csv, json, ndjson, xlsx, parquet, or -o FILE with one of \.csv, /,
    );
  });

  it('shows the place of a mistake, and says that there is no file', async () => {
    const run = await sluice(['download', 'csv', 'SELECT 1,\n nope', '-o', 'a.csv']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/^error: .*[.] a\.csv was not written\.\nLINE 2: {2}nope\n {9}\^\n/s);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('has the options of the formats, and names a format that lacks one', async () => {
    const sql = `SELECT '=1+1' AS f, 9007199254740993 AS n, hour(TIMESTAMPTZ '2026-07-01 12:00:00+00') AS h`;
    const all = ['--excel-safe', '--big-numbers', '--time-zone', 'Asia/Kolkata'];
    expect((await sluice(['download', 'csv', sql, ...all, '-o', '-'])).stdout).toBe(
      "\ufefff,n,h\n'=1+1,9007199254740993,17\n",
    );
    expect((await sluice(['download', 'csv', sql, '--separator', 'semicolon', '--bom', '-o', '-'])).stdout).toBe(
      '\ufefff;n;h\n=1+1;9007199254740993;12\n',
    );
    const wrong = await sluice(['download', 'json', sql, '--excel-safe', '-o', 'x']);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wrong.stderr).toBe('error: --excel-safe is for csv, not for json. Leave it out.\n');
    expect((await sluice(['download', 'csv', sql])).stderr).toContain('-o FILE');
  });

  it('keeps an existing file, and replaces it and its receipt with --force', async () => {
    await sluice(['download', 'csv', 'SELECT 1 AS a', '-o', 'a.csv']);
    const before = await receiptOf('a.csv');
    const refused = await sluice(['download', 'csv', 'SELECT 2 AS a', '-o', 'a.csv']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toBe('error: a.csv exists. Choose another name, or replace it with --force.\n');
    expect(await receiptOf('a.csv')).toEqual(before);
    expect((await sluice(['download', 'csv', 'SELECT 2 AS a', '-o', 'a.csv', '--force'])).exitCode).toBe(0);
    expect(await readFile(join(cwd, 'a.csv'), 'utf8')).toBe('a\n2\n');
    expect((await receiptOf('a.csv')).receipt.sha256).toBe(await sha256Of('a.csv'));
    expect((await readdir(cwd)).sort()).toEqual(['a.csv', 'a.csv.receipt.json']);
  });

  it('prints file and receipt with --json', async () => {
    const run = await sluice(['download', 'csv', 'SELECT 1 AS a', '-o', 'a.csv', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      file: 'a.csv',
      receipt_file: 'a.csv.receipt.json',
      receipt: { rows: 1 },
    });
  });
});

describe('verify', () => {
  beforeEach(async () => {
    await sluice(['download', 'csv', 'SELECT range AS n FROM range(1000)', '-o', 'a.csv']);
  });
  const verify = async (...words: string[]) => {
    const run = await sluice(['verify', ...words, '--json']);
    return { exitCode: run.exitCode, state: JSON.parse(run.stdout).state, stderr: run.stderr };
  };
  const changeReceipt = async (changes: object) => {
    const kept = await receiptOf('a.csv');
    const text = JSON.stringify({ ...kept, ...changes, receipt: { ...kept.receipt, ...changes } });
    await writeFile(join(cwd, 'a.csv.receipt.json'), text);
  };

  it('proves a whole file, with and without the server', async () => {
    expect(await verify('a.csv')).toEqual({ exitCode: 0, state: 'matches', stderr: '' });
    const offline = await runCommand(['verify', 'a.csv', '--offline'], { env: cli.bare, cwd });
    expect(offline).toMatchObject({ exitCode: 0, stderr: '' });
    expect(offline.stdout).toMatch(/^a\.csv is whole: 1,000 rows, 3\.89 kB, as its kept receipt says/);
    await rename(join(cwd, 'a.csv'), join(cwd, 'b.csv'));
    expect(await verify('b.csv', '--receipt', 'a.csv.receipt.json')).toMatchObject({ exitCode: 0, state: 'matches' });
    expect((await sluice(['verify', 'a.csv'])).stderr).toContain('a.csv could not be read');
  });

  it('finds one changed byte, one missing byte, and a changed receipt', async () => {
    const whole = await readFile(join(cwd, 'a.csv'), 'utf8');
    for (const changed of [whole.replace('7', '8'), whole.slice(0, -1), `${whole}\n`, '']) {
      await writeFile(join(cwd, 'a.csv'), changed);
      for (const words of [['a.csv'], ['a.csv', '--offline']]) {
        const found = await verify(...words);
        expect(found).toMatchObject({ exitCode: 3, state: 'file_changed' });
        expect(found.stderr).toMatch(/^error: a\.csv was changed since its download: .*\. Download it again\.\n$/);
      }
    }
    await changeReceipt({ sha256: await sha256Of('a.csv'), bytes: 0 });
    expect(await verify('a.csv', '--offline')).toMatchObject({ exitCode: 0, state: 'matches_kept' });
    expect(await verify('a.csv')).toMatchObject({ exitCode: 3, state: 'receipt_changed' });
  });

  it('says that the server does not know a query, or that it is not yours', async () => {
    await changeReceipt({ query_id: '00000000-0000-4000-8000-000000000000' });
    expect(await verify('a.csv')).toMatchObject({ exitCode: 1, state: 'unknown_query' });
    await changeReceipt({ user: 'bob@acme.example' });
    const others = await verify('a.csv');
    expect(others).toMatchObject({ exitCode: 1, state: 'not_your_query' });
    expect(others.stderr).toContain('bob@acme.example of acme downloaded it');
    await changeReceipt({ tenant: 'globex' });
    expect(await verify('a.csv')).toMatchObject({ exitCode: 1, state: 'not_your_query' });
  });

  it('names a missing receipt, a file that is not a receipt, and a part file', async () => {
    await writeFile(join(cwd, 'a.csv.receipt.json'), '{"rows": 1');
    expect((await sluice(['verify', 'a.csv'])).stderr).toContain('is not a receipt of a finished download');
    await rm(join(cwd, 'a.csv.receipt.json'));
    const missing = await sluice(['verify', 'a.csv']);
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toContain('--receipt FILE');
    expect((await sluice(['verify', 'none.csv'])).stderr).toBe('error: There is no file none.csv. Check the path.\n');
    await writeFile(join(cwd, 'b.csv.part'), 'half');
    await writeFile(join(cwd, 'r.json'), JSON.stringify({ query_id: 'q', rows: 1, bytes: 1, sha256: 'a' }));
    expect((await sluice(['verify', 'b.csv', '--receipt', 'r.json'])).stderr).toContain('only b.csv.part');
  });
});

describe('in a terminal', () => {
  it.each([40, 80, 200])(
    'a download shows its progress in %i columns, and Ctrl-C stops it in the engine',
    async (columns) => {
      const env = { ...cli.analyst, HOME: cwd };
      const printed = await untilConfirmed(async () => {
        using terminal = openTerminal(['download', 'csv', LONG, '-o', 'long.csv'], { env, columns });
        // The rate is known after some time.
        await terminal.waitFor(columns === 40 ? /\d MB {2}/ : /\d MB {2}.*\d \wB\/s/);
        const [line = ''] = terminal.screen();
        expect(terminal.screen()).toHaveLength(1);
        expect(line.length).toBeLessThan(columns);
        expect(line).toMatch(
          columns === 40
            ? /B {2}.*B\/s {2}0:\d\d$/
            : /\] {2}long\.csv {2}[\d,]+ rows {2}[\d.]+ MB {2}[\d.]+ \wB\/s {2}0:\d\d$/,
        );
        await terminal.resize(30, 24);
        await terminal.waitFor(/^[^\n]*MB[^\n]*$/);
        terminal.send('\u0003');
        expect(await terminal.exitCode).toBe(130);
        expect(await readdir(cwd)).toEqual([]);
        return terminal.lines().join('');
      });
      expect(printed).toContain('Cancelled in the engine. ');
    },
  );
});
