import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { runInProcess } from './run-in-process.ts';

const runCommand = createCommandRunner();

type Environment = Readonly<Record<string, string>>;

const RECORDS = 60;
const GHOST = 'ghost@example.com';
/** A formula, an escape sequence, an override of the direction, line ends and quotes. */
const HOSTILE = '=cmd|"x"\u001b]0;owned\u0007\u202e\r\n\u2028';

let cli: CliHosts;
let proxy: CuttingProxy;
let auditor: Environment;
/** The same account, with the proxy before the API host. */
let behindProxy: Environment;
beforeAll(async () => {
  cli = await startCliHosts();
  proxy = await startCuttingProxy(cli.hosts.api.url);
  auditor = await cli.environmentOf(['auditor']);
  behindProxy = { ...auditor, SLUICE_API_URL: proxy.url };
  await cli.hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), now(), case when n % 2 = 0 then $1 else 'eve@example.com' end, 'LOGIN', $2,
       '{"n": 9007199254740993}' from tenants, generate_series(1, ${RECORDS}) n where name = 'acme'`,
    [GHOST, HOSTILE],
  );
  const keys = await runCommand(['api', 'GET', '/audits/checkpoints?size=1'], { env: auditor });
  await writeFile(path('keys.json'), keys.stdout);
}, 120_000);
afterEach(() => proxy.reset());
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

const path = (name: string): string => join(cli.home, name);
const isThere = (name: string): Promise<boolean> =>
  access(path(name)).then(
    () => true,
    () => false,
  );
const sluice = (words: readonly string[], env: Environment = auditor) => runCommand(['audit', ...words], { env });
/** Verifies without a login, so without a host. */
const verify = (name: string, ...words: string[]) =>
  runInProcess(['audit', 'verify', path(name), '--keys', path('keys.json'), ...words], cli.bare);
const linesOf = async (name: string): Promise<string[]> => (await readFile(path(name), 'utf8')).trimEnd().split('\n');

describe('audit export', () => {
  it.each(['ndjson', 'json', 'csv'])('saves every record as %s, which verify proves without a host', async (format) => {
    const saved = await sluice(['export', '-o', path(`log.${format}`), '--json']);
    expect(saved).toMatchObject({ exitCode: 0 });
    const { records, filter } = JSON.parse(saved.stdout);
    expect(records).toBeGreaterThanOrEqual(RECORDS);
    expect(filter).toEqual({});
    expect(saved.stderr).toContain(`Verify it with \`sluice audit verify ${path(`log.${format}`)}\``);
    const proven = await verify(`log.${format}`, '--offline');
    expect(proven).toMatchObject({ exitCode: 0 });
    expect(proven.stdout).toBe(`${path(`log.${format}`)}: ${records} records as they were sealed.\n`);
    expect(proven.stderr).toMatch(
      /^Proven, if the keys in your file are the operator's: .* every record from 1 to \d+, the end of the log at that time\. .* Not proven: .*\n$/,
    );
    expect((await readdir(cli.home)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('keeps hostile strings and every digit, in JSON as an array that any program reads', async () => {
    const entries = JSON.parse(await readFile(path('log.json'), 'utf8'));
    const ghosts = entries.filter(({ user }: { user?: string }) => user === GHOST);
    expect(ghosts).toHaveLength(RECORDS / 2);
    expect(ghosts[0].target).toBe(HOSTILE);
    expect((await readFile(path('log.ndjson'), 'utf8')).match(/9007199254740993/g)).toHaveLength(RECORDS);
    expect(await readFile(path('log.csv'), 'utf8')).toContain(`"'=cmd|""x""`);
  });

  it('saves what a filter finds, to stdout too, and says what that proves', async () => {
    const words = ['export', '--user', GHOST, '--since', '1h', '-o'];
    expect(await sluice([...words, path('ghost.csv'), '--raw'])).toMatchObject({ exitCode: 0, stdout: '' });
    const proven = await verify('ghost.csv');
    expect(proven.stdout).toContain(`: ${RECORDS / 2} records as they were sealed.`);
    expect(proven.stderr).toContain('that the host found every record that matches');
    const piped = await sluice([...words, '-']);
    await writeFile(path('piped.ndjson'), piped.stdout);
    expect(await verify('piped.ndjson')).toMatchObject({ exitCode: 0 });
    expect(piped.stderr).toMatch(/^stdout: 30 records, as the signed last line says\.\n$/);
  });

  it('is not shown on a terminal, and asks where the file goes', async () => {
    using terminal = openTerminal(['audit', 'export', '-o', '-'], { env: auditor });
    expect(await terminal.exitCode).toBe(2);
    expect(await sluice(['export'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it.each(['cut', 'end', 'reset', 'stall'] as const)('leaves no file of an export that ends by %s', async (kind) => {
    const bytes = (await readFile(path('log.ndjson'))).length;
    // Each stall takes a second.
    const offsets = kind === 'stall' ? [bytes - 2] : [0, 1, Math.floor(bytes / 2), bytes - 2];
    for (const afterBytes of offsets) {
      proxy.damage('/audits/logs/export', { kind, afterBytes });
      const words = ['audit', 'export', '-o', path('cut.json'), '--idle-timeout', '1', '--until', '2100-01-01'];
      const run = await runInProcess(words, behindProxy);
      expect(run).toMatchObject({ exitCode: 3, stdout: '' });
      expect(run.stderr).toMatch(/Run the export again\. .*cut\.json was not written\./);
      expect([await isThere('cut.json'), await isThere('cut.json.part')]).toEqual([false, false]);
    }
  });

  it('leaves no file of an export in which a byte was changed on the way', async () => {
    const lines = await linesOf('log.ndjson');
    const body = `${lines.with(3, (lines[3] ?? '').replace('LOGIN', 'LOGOT')).join('\n')}\n`;
    proxy.reply('/audits/logs/export', { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body });
    const run = await runInProcess(['audit', 'export', '-o', path('changed.ndjson')], behindProxy);
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('its SHA-256 is another one');
    expect(await isThere('changed.ndjson')).toBe(false);
  });

  it('does not replace a file unless told to, and says why a folder cannot take one', async () => {
    const before = await readFile(path('log.csv'));
    expect((await sluice(['export', '-o', path('log.csv')])).stderr).toContain('replace it with --force');
    expect(await readFile(path('log.csv'))).toEqual(before);
    expect(await sluice(['export', '-o', path('log.csv'), '--force'])).toMatchObject({ exitCode: 0 });
    expect((await sluice(['export', '-o', path('no/log.csv')])).stderr).toContain('folder does not exist');
  });

  it.each([
    ['export', ['-o', 'denied.ndjson']],
    ['tail', ['--after', '0']],
    ['evidence', ['--since', '1d', '-o', 'denied.zip']],
  ])('audit %s says that a permission is missing', async (verb, words) => {
    const run = await sluice([verb, ...words], cli.analyst);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('audit:read');
  });
});

const swapped = (lines: readonly string[], a: number, b: number): string[] =>
  lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '');
const edited = (lines: readonly string[], at: number, from: string | RegExp, to: string): string[] =>
  lines.with(at, (lines[at] ?? '').replace(from, to));
const CHANGES: readonly [string, (lines: string[]) => string[], RegExp][] = [
  ['a changed user', (lines) => edited(lines, 5, /"user":"./, '"user":"x'), /record 6, id [-0-9a-f]+ was altered/],
  ['a changed digit', (lines) => edited(lines, 50, '993}', '992}'), /record 51, id [-0-9a-f]+ was altered/],
  ['a changed hash', (lines) => edited(lines, 3, /"hash":"./, '"hash":"g'), /record 4, .* was altered/],
  ['a removed record', (lines) => lines.toSpliced(5, 1), /record 6 is missing/],
  ['a removed first record', (lines) => lines.slice(1), /record 1 is missing/],
  ['a removed last record', (lines) => lines.toSpliced(-2, 1), /record \d+ is missing\. The end/],
  ['a removed last line', (lines) => lines.slice(0, -1), /is missing\. The signed last line is missing/],
  ['a record twice', (lines) => lines.toSpliced(5, 0, lines[5] ?? ''), /record 6, .* was added/],
  ['two records swapped', (lines) => swapped(lines, 4, 5), /record 5, .* was moved/],
  ['a line after the end', (lines) => [...lines, lines[0] ?? ''], /was added\. Text follows/],
  ['a changed end', (lines) => edited(lines, lines.length - 1, '\\"records\\":', '\\"records\\":1'), /not signed/],
  ['a record that is not JSON', (lines) => edited(lines, 2, '{', ''), /was altered\. The line after 2 records/],
  ['a space', (lines) => edited(lines, 7, ',', ', '), /was altered\. The text differs/],
];

describe('audit verify', () => {
  it.each(CHANGES)('finds %s, and says which record it is', async (_name, change, message) => {
    const lines = await linesOf('log.ndjson');
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    await writeFile(path('changed.ndjson'), `${changed.join('\n')}\n`);
    const run = await verify('changed.ndjson');
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  it('prints one document with --json, whether something was found or not', async () => {
    const whole = await verify('log.csv', '--json');
    expect(JSON.parse(whole.stdout)).toMatchObject({
      kind: 'csv',
      is_verified: true,
      finding: null,
      signed: { kind: 'export' },
    });
    expect(whole.stderr).toBe('');
    const [head = '', ...rows] = await linesOf('log.csv');
    await writeFile(path('changed.csv'), `${[head, ...rows].join('\n').replace('ghost@', 'gh0st@')}\n`);
    const changed = await verify('changed.csv', '--json');
    expect(changed.exitCode).toBe(3);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      is_verified: false,
      finding: { kind: 'altered', member: null },
    });
  });

  it('uses the keys that the host publishes if no file has any, and says so', async () => {
    const run = await sluice(['verify', path('log.ndjson')]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('if the keys that the host publishes are');
    expect(await sluice(['verify', path('log.ndjson')], cli.bare)).toMatchObject({ exitCode: 4, stdout: '' });
  });

  it.each([
    ['another key', `${Buffer.alloc(32, 1).toString('base64')}\n`, 3, 'not signed by a trusted key'],
    ['no key', 'AAAA\n', 1, 'does not hold public keys'],
    ['no list of keys', '{"keys": 1}', 1, 'does not hold public keys'],
    ['broken JSON', '[', 1, 'does not hold public keys'],
  ])('rejects a file with %s', async (_name, text, exitCode, message) => {
    await writeFile(path('other-keys'), text);
    const run = await runInProcess(['audit', 'verify', path('log.ndjson'), '--keys', path('other-keys')], cli.bare);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it('says what is wrong with a file that Sluice did not write, and with the command', async () => {
    await writeFile(path('empty'), '');
    await writeFile(path('other'), 'a,b\n1,2\n');
    expect((await verify('empty')).stderr).toContain('is empty');
    expect(await verify('other')).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('The header line') });
    expect(await verify('absent')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(ENOENT)') });
    const offline = await runInProcess(['audit', 'verify', path('log.csv'), '--offline'], cli.bare);
    expect(offline).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--offline needs --keys') });
  });
});

describe('audit evidence', () => {
  it('saves a package that it has verified, and verify finds a changed byte', async () => {
    const saved = await sluice(['evidence', '--since', '1d', '-o', path('evidence.zip')]);
    expect(saved).toMatchObject({ exitCode: 0, stdout: '' });
    const proven = await verify('evidence.zip');
    expect(proven.stdout).toMatch(/: \d+ records and \d+ checkpoints as they were sealed\.\n$/);
    expect(proven.stderr).toMatch(/every record from 1 to \d+, which covers from/);
    const bytes = await readFile(path('evidence.zip'));
    for (const at of [100, Math.floor(bytes.length / 2), bytes.indexOf('manifest.json') + 40]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path('changed.zip'), changed);
      expect(await verify('changed.zip')).toMatchObject({ exitCode: 3, stdout: '' });
      const headers = { 'content-type': 'application/zip' };
      proxy.reply('/audits/evidence', { status: 200, headers, body: changed as unknown as string });
      const run = await runInProcess(['audit', 'evidence', '--since', '1d', '-o', path('cut.zip')], behindProxy);
      expect(run).toMatchObject({ exitCode: 3, stdout: '' });
      expect([await isThere('cut.zip'), await isThere('cut.zip.part')]).toEqual([false, false]);
    }
  });

  it.each(['cut', 'end'] as const)('leaves nothing of a package that ends by %s', async (kind) => {
    const { length } = await readFile(path('evidence.zip'));
    for (const afterBytes of [1, Math.floor(length / 2), length - 30]) {
      proxy.damage('/audits/evidence', { kind, afterBytes });
      const run = await runInProcess(['audit', 'evidence', '--since', '1d', '-o', path('cut.zip')], behindProxy);
      expect(run.exitCode).toBe(3);
      expect([await isThere('cut.zip'), await isThere('cut.zip.part')]).toEqual([false, false]);
    }
  });

  it('needs a range', async () => {
    const run = await runInProcess(['audit', 'evidence', '-o', path('x.zip')], auditor);
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--since 30d') });
  });
});
