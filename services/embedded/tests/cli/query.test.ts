import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { parseString } from 'fast-csv';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { type CommandOptions, SLUICE } from './run-command.ts';
import { untilConfirmed } from './until-confirmed.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let proxy: CuttingProxy;
/** Environment whose queries pass the proxy. */
let proxied: CommandOptions['env'];
beforeAll(async () => {
  cli = await startCliHosts();
  proxy = await startCuttingProxy(cli.hosts.url);
  proxied = { ...cli.analyst, SLUICE_STREAM_URL: proxy.url };
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.reset());

const query = (words: readonly string[], options: Partial<CommandOptions> = {}) =>
  runCommand(['query', ...words], { env: cli.analyst, ...options });

const NASTY = `SELECT x AS a, y AS a, b, c, d, e, f, g, h, i, j, k, l FROM (VALUES
  (1, NULL, '', 'a, "b"', 'c' || chr(13) || chr(10) || chr(9), '|\\', chr(27) || '[31m', '\u202eexe', '👨‍👩‍👧‍👦',
   123456789012345678901234567890123456.70, -9223372036854775807 - 1, TIMESTAMPTZ '2026-03-29 12:30:00+00', [{'a': 1.50}, NULL]),
  (2, 'NULL', 'x', NULL, '', '', '', '', '', NULL, NULL, NULL, NULL)) t(x, y, b, c, d, e, f, g, h, i, j, k, l) ORDER BY 1`;
const NAMES = ['a', 'a_2', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const FIRST = {
  a: '1',
  a_2: null,
  b: '',
  c: 'a, "b"',
  d: 'c\r\n\t',
  e: '|\\',
  f: '\u001b[31m',
  g: '\u202eexe',
  h: '👨‍👩‍👧‍👦',
  i: '123456789012345678901234567890123456.70',
  j: '-9223372036854775808',
  k: '2026-03-29 12:30:00.000000 UTC',
  l: '[{"a":1.50},null]',
};

/** State of the caller's newest query that contains the text, once it has ended. */
const endState = (marker: string): Promise<string> =>
  until(
    async () => {
      const run = await runCommand(['history', '--contains', marker, '--json'], { env: cli.analyst });
      const [newest = ''] = run.stdout.split('\n').filter((line) => !line.includes('"RUNNING"'));
      return newest === '' ? undefined : (JSON.parse(newest) as { state: string }).state;
    },
    { what: `the end of ${marker}` },
  );

describe('formats in a pipe', () => {
  it('CSV is the default, and parses back to every value', async () => {
    const run = await query([NASTY]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(/^2 rows in \d+\.\d\d s\n$/);
    const rows: Record<string, string>[] = [];
    for await (const row of parseString(run.stdout, { headers: true })) rows.push(row as Record<string, string>);
    expect(Object.keys(rows[0] ?? {})).toEqual(NAMES);
    expect(rows[0]).toEqual({ ...FIRST, a_2: '' });
    // A parser of CSV does not tell NULL from the empty string, but the bytes do.
    expect(run.stdout.split('\n')[1]?.startsWith('1,,"","a, ""b""",')).toBe(true);
  });

  it('JSON and NDJSON parse back, digit by digit', async () => {
    const [json, ndjson] = await Promise.all([query([NASTY, '--json']), query([NASTY, '--format', 'ndjson'])]);
    const parsed = JSON.parse(json.stdout) as Record<string, unknown>[];
    const lines = ndjson.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(parsed);
    const { a, i, j, l, ...others } = FIRST;
    expect(parsed[0]).toMatchObject(others);
    for (const text of [`"a":${a}`, `"i":${i}`, `"j":${j}`, `"l":${l}`]) expect(lines[0]).toContain(text);
  });

  it.each([
    ['tsv', '1\t\\N\t\ta, "b"\tc\\r\\n\\t\t|\\\\\t\u001b[31m\t\u202eexe\t👨‍👩‍👧‍👦\t'],
    ['markdown', '| 1 | *NULL* |  | a, "b" | c<br>\\t | \\|\\\\ | \\u001b\\[31m | \\u202eexe | 👨‍👩‍👧‍👦 | '],
    ['vertical', 'a   | 1\na_2 | NULL\nb   |\nc   | a, "b"\nd   | c\\r\\n\\t\n'],
    ['table', ' 1 | NULL |   | a, "b" | c\\r\\n\\t | |\\ | \\u001b[31m | \\u202eexe | 👨‍👩‍👧‍👦 | '],
  ])('%s shows every value', async (format, part) => {
    const run = await query([NASTY, '--format', format]);
    expect(run.stdout).toContain(part);
  });

  it('300 columns, no rows and a cell of a megabyte are ordinary', async () => {
    const wide = Array.from({ length: 300 }, (_, index) => `${index} AS c${index}`).join(', ');
    const [columns, empty, large] = await Promise.all([
      query([`SELECT ${wide}`]),
      query(['SELECT * FROM nothing', '--format', 'table']),
      query(["SELECT repeat('ä', 1000000) AS big, 1 AS n", '--format', 'table']),
    ]);
    expect(columns.stdout.split('\n')[1]?.split(',')).toHaveLength(300);
    expect(empty).toMatchObject({ exitCode: 0, stdout: ' id | name\n----+------\n' });
    expect(large.stdout.split('\n')[2]).toBe(` ${'ä'.repeat(119)}… | 1`);
  });
});

describe('the statement', () => {
  it('comes from stdin, however slowly', async () => {
    expect(await query([])).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('is empty') });
    const slow = await query(['-'], { stdinParts: ['SELECT ', '1 AS ', 'one'] });
    expect(slow).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
  });

  it('comes from a file, without its byte order mark', async () => {
    await writeFile(join(cli.home, 'one.sql'), '\ufeffSELECT 1 AS one;\n');
    expect(await query(['-f', 'one.sql'])).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    expect(await query(['-f', 'none.sql'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'error: The file none.sql does not exist. Check the path.\n',
    });
    expect(await query(['SELECT 1', '-f', 'one.sql'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('takes parameters of the type that they show or name', async () => {
    const names = ['n=500', 'd=1.10', 'x=1e3', 't=007', 'b=true', 'z=null', 'day:date=2010-01-31'];
    const sql = `SELECT ${names.map((each) => `typeof($${/^\w+/.exec(each)?.[0] ?? ''})`).join(', ')}`;
    const run = await query([sql, ...names.flatMap((each) => ['--param', each])]);
    expect(run.stdout.split('\n')[1]).toMatch(/^BIGINT,"DECIMAL\(3,2\)",DOUBLE,VARCHAR,BOOLEAN,.*,DATE$/);
  });

  it('takes lists, as a JSON array or item by item', async () => {
    const given = [
      'n=[1, 9007199254740993]',
      'd=[5, 1.10]',
      'c:array(varchar)=SFO',
      'c:array(varchar)=JFK',
      'e:array(date)=[]',
    ];
    const sql = 'SELECT $n AS n, $d AS d, $c AS c, typeof($e) AS e';
    const run = await query([sql, ...given.flatMap((each) => ['--param', each])]);
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: 'n,d,c,e\n"[1,9007199254740993]","[5.00,1.10]","[""SFO"",""JFK""]",DATE[]\n',
    });
    const refused = await query(['SELECT $a AS a', '--param', 'a=[1, "x"]']);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('mixes numbers and strings')]);
  });

  it('of 2 of 3 rows says that more exist', async () => {
    const run = await query(['SELECT id FROM items', '--size', '2']);
    expect(run.stdout.split('\n')).toHaveLength(4);
    expect(run.stderr).toMatch(/^2 rows in .* \(limited: more rows exist\)\n$/);
  });

  it('that is wrong is shown with a caret below the place', async () => {
    const run = await query(["SELECT '日本',\n\tnope FROM items"]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('LINE 2:     nope FROM items\n            ^\n');
  });
});

describe('an incomplete result', () => {
  const sql = 'SELECT n, repeat(chr(120), 100) AS t FROM numbers ORDER BY n';

  it.each(['cut', 'end', 'reset'] as const)('by %s keeps its rows, says so and exits with 3', async (kind) => {
    proxy.damage('/query', { kind, afterBytes: 300_000 });
    const run = await query([sql], { env: proxied });
    expect(run.exitCode).toBe(3);
    const rows = run.stdout.split('\n').length - 2;
    expect(rows).toBeGreaterThan(100);
    expect(run.stderr).toMatch(new RegExp(`^incomplete after ${rows.toLocaleString('en-US')} rows\nerror: `));
  });

  it('is not valid JSON', async () => {
    proxy.damage('/query', { kind: 'cut', afterBytes: 300_000 });
    const run = await query([sql, '--json'], { env: proxied });
    expect(run.exitCode).toBe(3);
    expect(() => JSON.parse(run.stdout)).toThrow();
    expect(() => JSON.parse(`${run.stdout}]`)).not.toThrow();
  });

  it('by an error of the engine is an error', async () => {
    const run = await query(["SELECT CASE WHEN n < 90000 THEN n ELSE error('late') END AS n FROM numbers ORDER BY n"]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('late');
  });
});

describe('stopping', () => {
  const endless = (marker: string): string =>
    `SELECT a, b AS ${marker} FROM range(1000000000) t(a), range(100000) u(b)`;

  it('Ctrl-C cancels in the engine, says so and exits with 130', async () => {
    const printed = await untilConfirmed(async () => {
      const run = await query([endless('stopped_by_signal')], {
        onStart: (child) => child.stdout.once('data', () => child.kill('SIGINT')),
      });
      expect(run.exitCode).toBe(130);
      return run.stderr;
    });
    expect(printed).toMatch(/^Cancelled in the engine after [\d,]+ rows?\.\n$/);
    expect(await endState('stopped_by_signal')).toBe('CANCELLED');
  });

  it('also while the reader of the output takes nothing', async () => {
    const run = await query([endless('stopped_reader')], {
      onStart: (child) => {
        child.stdout.pause();
        child.stdout.once('readable', () => void delay(1000).then(() => child.kill('SIGTERM')));
        child.once('exit', () => child.stdout.resume());
      },
    });
    expect(run.exitCode).toBe(130);
    expect(await endState('stopped_reader')).toBe('CANCELLED');
  });

  it('a reader that leaves, as head does, stops the query', async () => {
    const run = await query([endless('left_by_head')], {
      onStart: (child) => child.stdout.once('data', () => child.stdout.destroy()),
    });
    expect(run).toMatchObject({ exitCode: 141, stderr: '' });
    expect(await endState('left_by_head')).toBe('CANCELLED');
  });

  it('ends in a pipeline as other filters do: quietly, with the code of SIGPIPE', async () => {
    const script = `"$1" "$2" query "$3" | head -1; echo "\${PIPESTATUS[0]}"`;
    const words = ['-c', script, 'bash', process.execPath, SLUICE, endless('left_by_filter')];
    const { stdout, stderr } = await promisify(execFile)('bash', words, { env: cli.analyst });
    expect({ stdout, stderr }).toEqual({ stdout: 'a,left_by_filter\n141\n', stderr: '' });
    expect(await endState('left_by_filter')).toBe('CANCELLED');
  });

  it('a reader that leaves before the only row is not a success', async () => {
    const run = await query(['SELECT 1 AS one'], { onStart: (child) => child.stdout.destroy() });
    expect(run).toMatchObject({ exitCode: 141 });
  });
});
