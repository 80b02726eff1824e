import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';

const runCommand = createCommandRunner();

type Environment = Readonly<Record<string, string>>;

/** More than a page of the API holds (3,000). */
const RECORDS = 3_100;
const GHOST = ['--user', 'ghost@example.com'];
const HOSTILE = '\u001b]0;owned\u0007\u202etxt.exe\r\n=cmd|"x"';

let cli: CliHosts;
let proxy: CuttingProxy;
let auditor: Environment;
/** The same account, with the proxy before the API host. */
let behindProxy: Environment;
beforeAll(async () => {
  cli = await startCliHosts();
  proxy = await startCuttingProxy(cli.hosts.api.url);
  auditor = await cli.environmentOf(['auditor']);
  // Without a session that an earlier command has left.
  behindProxy = { ...auditor, SLUICE_API_URL: proxy.url, SLUICE_CACHE: 'false' };
  // 70 records share a millisecond, so that a search cannot continue by its time alone.
  await cli.hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), now() - (n / 70) * interval '1 ms', 'ghost@example.com',
       case when n % 100 = 0 then 'LOGOUT' else 'LOGIN' end, $1, jsonb_build_object('n', n)
     from tenants, generate_series(1, ${RECORDS}) n where name = 'acme'`,
    [HOSTILE],
  );
}, 120_000);
afterEach(() => {
  proxy.reset();
  proxy.seen.length = 0;
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

const search = (words: readonly string[], env: Environment = auditor) =>
  runCommand(['audit', 'search', ...words], { env });
const recordsOf = (text: string): { id: string; timestamp: number; metadata: { n: number }; target: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('audit settings', () => {
  it('shows and changes whether reads of metadata are recorded, for admins only', async () => {
    const admin = await cli.environmentOf(['admin']);
    const run = (words: readonly string[], env = admin) => runCommand(['audit', 'settings', ...words], { env });
    expect(await run([])).toMatchObject({ exitCode: 0, stdout: 'Reads of metadata: recorded\n', stderr: '' });
    const changed = await run(['--metadata-reads', 'not_recorded', '--json']);
    expect(changed).toMatchObject({ exitCode: 0, stdout: '{"metadata_reads":"not_recorded"}\n' });
    expect((await run(['--metadata-reads', 'recorded'])).stdout).toBe('Reads of metadata: recorded\n');
    expect(await run(['--metadata-reads', 'sometimes'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await run([], auditor)).exitCode).not.toBe(0);
  });
});

describe('audit search', () => {
  it('finds statements by a table that they read, and says since when records name tables, as tail and export do', async () => {
    await cli.hosts.rows(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
       select id, gen_random_uuid(), now(), 'reader@example.com', 'RUN_QUERY', 'q', '{"tables_read": ["demo.vega.flights"]}'
       from tenants where name = 'acme'`,
    );
    for (const reads of ['demo.vega.flights', 'DEMO.vega.', 'demo.vega.fl*']) {
      const run = await search(['--reads', reads, '--json']);
      expect([reads, run.exitCode, recordsOf(run.stdout)]).toMatchObject([reads, 0, [{ user: 'reader@example.com' }]]);
      expect(run.stderr).toMatch(
        /^Records name the tables that statements read since \d.*\. Earlier statements are not found\.\n$/,
      );
    }
    const reads = ['--reads', 'demo.vega.flights'];
    const tail = await runCommand(['audit', 'tail', ...reads, '--after', '0', '--limit', '1'], { env: auditor });
    const exported = await runCommand(['audit', 'export', ...reads, '-o', '-'], { env: auditor });
    for (const { exitCode, stdout, stderr } of [tail, exported]) {
      expect(exitCode).toBe(0);
      expect(stdout).toContain('"reader@example.com"');
      expect(stderr).toMatch(/^Records name the tables that statements read since \d.*\n/);
    }
    const wrong = await search(['--reads', 'flights']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('reads must be catalog.schema.table, or a prefix that ends with . or *'),
    ]);
    expect(wrong.exitCode).not.toBe(0);
  });

  it('prints CSV with every member in a pipe, strings as they are, and says when --limit cut it', async () => {
    const run = await search([...GHOST, '--limit', '2']);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe('More records exist than the 2 shown. Use --limit N to see more.\n');
    const [head, first] = run.stdout.split(/(?<=\})",/)[0]?.split(/\n(.*)/s) ?? [];
    expect(head).toBe('timestamp,user,action,target,metadata,query_id,id,request_id,session_id,address,user_agent');
    expect(first).toContain(`,ghost@example.com,LOGIN,"${HOSTILE.replaceAll('"', '""')}","{""n"":`);
  });

  it.each(['asc', 'desc'])('reads all pages once each in order %s, though tokens expire on the way', async (order) => {
    const headers = { 'content-type': 'application/json' };
    const reply = (status: number, error: string) => ({
      status,
      headers,
      body: JSON.stringify({ error, message: error }),
    });
    proxy.reply('/audits/logs/search?', reply(401, 'unauthorized'), 'lost', reply(400, 'invalid_page_token'));
    const run = await search([...GHOST, '--since', '1h', '--order', order, '--all', '--json'], behindProxy);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const records = recordsOf(run.stdout);
    expect(records).toHaveLength(RECORDS);
    expect(new Set(records.map(({ id }) => id)).size).toBe(RECORDS);
    const times = records.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => (order === 'asc' ? a - b : b - a)));
    expect(proxy.seen.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
      'POST /auth/login/acme',
      'POST /audits/logs/search',
      'GET /audits/logs/search',
      'POST /auth/refresh/acme',
      'GET /audits/logs/search',
      'GET /audits/logs/search',
      'POST /audits/logs/search',
      'GET /auth/logout/acme',
    ]);
  });

  it('combines filters, and says when nothing matches', async () => {
    const found = await search([...GHOST, '--action', 'logout', '--since', '2h', '--until', '2020-01-01', '--json']);
    expect(found).toMatchObject({ exitCode: 2, stdout: '' });
    expect(found.stderr).toBe('error: --since must be before --until. With times ago: --since 7d --until 1d.\n');
    const logouts = await search([
      ...GHOST,
      '--action',
      'logout',
      '--target',
      HOSTILE,
      '--since',
      '2h',
      '--all',
      '--json',
    ]);
    expect(recordsOf(logouts.stdout).map(({ metadata }) => metadata.n % 100)).toEqual(Array(RECORDS / 100).fill(0));
    const none = await search([...GHOST, '--until', '7d', '--json']);
    expect(none).toEqual({ exitCode: 0, signal: null, stdout: '', stderr: 'No record matches.\n' });
  });

  it('takes several actions, leaves some out, and finds words', async () => {
    const numbersOf = async (words: readonly string[]): Promise<number> => {
      const run = await search([...GHOST, '--since', '2h', '--all', '--json', ...words]);
      expect(run).toMatchObject({ exitCode: 0 });
      return run.stdout === '' ? 0 : recordsOf(run.stdout).length;
    };
    expect(await numbersOf(['--action', 'login, logout'])).toBe(RECORDS);
    expect(await numbersOf(['--exclude-action', 'LOGIN,READ_CATALOG'])).toBe(RECORDS / 100);
    expect(await numbersOf(['--text', 'TXT.EXE Owned', '--action', 'logout'])).toBe(RECORDS / 100);
    expect(await numbersOf(['--text', 'nowhere'])).toBe(0);
  });

  it('shows hostile strings as escapes in a table, and in JSON on a terminal', async () => {
    for (const words of [[], ['--json']]) {
      using terminal = openTerminal(['audit', 'search', ...GHOST, '--limit', '3', ...words], {
        env: auditor,
        columns: 150,
      });
      expect(await terminal.exitCode).toBe(0);
      for (const part of ['\u202e', '\u001b]0', '\u0007']) expect(terminal.raw()).not.toContain(part);
      expect(terminal.lines().join('\n')).toMatch(/\\u202etxt\.exe/);
    }
    using narrow = openTerminal(['audit', 'search', ...GHOST, '--limit', '3'], { env: auditor, columns: 60 });
    expect(await narrow.exitCode).toBe(0);
    expect(narrow.lines()[0]).toMatch(/^ Timestamp +\| User +\| Action/);
  });

  it.each([
    [['--since', 'yesterday'], 2, '--since must be a time ago'],
    [['--limit', '0'], 2, 'whole number from 1'],
    [['--order', 'up'], 2, '--order must be one of desc, asc, not "up".'],
    [['--action', 'NOPE'], 1, 'action must be a known action, not "NOPE": docs/audit-actions.md lists all of them'],
    [['--action', 'login,nope'], 1, 'must be a known action, not "NOPE"'],
    [['--exclude-action', 'nope'], 1, 'must be a known action, not "NOPE"'],
    [['--text', 'x'.repeat(201)], 1, 'text must have at most 200 characters'],
    [['--query-id', 'x'], 1, 'query_id must be a UUID'],
  ])('rejects %j', async (words, exitCode, message) => {
    const run = await search(words);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it('counts by user, action and table', async () => {
    const summary = (words: readonly string[], env: Environment = auditor) =>
      runCommand(['audit', 'summary', ...words], { env });
    const byAction = await summary(['--by', 'action', '--since', '2h', '--json']);
    expect(byAction).toMatchObject({ exitCode: 0, stderr: '' });
    const counted = byAction.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(counted).toContainEqual({ name: 'LOGOUT', records: expect.any(Number) });
    const byUser = await summary(['--by', 'user', '--since', '2h', '--limit', '1']);
    expect(byUser.stdout).toBe(`name,records\nghost@example.com,${RECORDS}\n`);
    expect(byUser.stderr).toBe('More names exist than the 1 shown. Use --limit N to see more.\n');
    expect(await summary(['--by', 'table', '--since', '2h'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^name,records\n/),
    });
    expect(await summary(['--by', 'table', '--until', '7d'])).toMatchObject({ exitCode: 0, stdout: 'name,records\n' });
    expect(await summary(['--by', 'colour'])).toMatchObject({ exitCode: 2 });
    expect(await summary(['--since', '500d'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('at most 366 days after start'),
    });
    expect(await summary([], cli.analyst)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('audit:read'),
    });
  });

  it('needs audit:read, and a login', async () => {
    const denied = await search([], cli.analyst);
    expect(denied).toMatchObject({ exitCode: 1, stdout: '' });
    expect(denied.stderr).toContain('audit:read');
    const other = await search([], { ...auditor, SLUICE_PASSWORD: 'wrong' });
    expect(other).toMatchObject({ exitCode: 4, stdout: '' });
  });
});
