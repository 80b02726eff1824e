import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startApiHost } from '@sluice/api-host';
import { createLogger } from '@sluice/observability';
import { type CuttingProxy, reservePort, send, startCuttingProxy, until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { openTerminal } from './open-terminal.ts';
import { type CommandRun, runSluice } from './run-command.ts';

type Environment = Readonly<Record<string, string>>;

const RECORDS = 40;

let cli: CliHosts;
let proxy: CuttingProxy;
let auditor: Environment;
let behindProxy: Environment;
beforeAll(async () => {
  cli = await startCliHosts();
  proxy = await startCuttingProxy(cli.hosts.api.url);
  auditor = await cli.environmentOf(['auditor']);
  behindProxy = { ...auditor, SLUICE_API_URL: proxy.url };
  await cli.hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), now(), 'ghost@example.com', 'LOGIN', $1, '{"n": 9007199254740993}'
     from tenants, generate_series(1, ${RECORDS}) n where name = 'acme'`,
    ['\u001b]0;owned\u0007\u202e\u2028"x"'],
  );
}, 120_000);
afterEach(() => proxy.reset());
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

/** A record that nothing else writes. */
const failLogin = async (name: string): Promise<void> => {
  const body = { email: name, password: 'wrong' };
  const url = `${cli.hosts.api.url}/auth/login/acme`;
  await send(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
};

interface Tail {
  readonly sequences: () => number[];
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<CommandRun>;
  readonly child: ChildProcessWithoutNullStreams;
}

/** Starts `sluice audit tail` in a pipe. */
function startTail(words: readonly string[], env: Environment): Tail {
  let child: ChildProcessWithoutNullStreams | undefined;
  let [stdout, stderr] = ['', ''];
  const ended = runSluice(['audit', 'tail', ...words], {
    env,
    onStart: (started) => {
      child = started;
      started.stdout.on('data', (text: string) => {
        stdout += text;
      });
      started.stderr.on('data', (text: string) => {
        stderr += text;
      });
    },
  });
  return {
    sequences: () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).sequence),
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    child: child as unknown as ChildProcessWithoutNullStreams,
  };
}

const waitFor = (isTrue: () => boolean, what: string): Promise<true> =>
  until(async () => (isTrue() ? true : undefined), { what });

const expectNoGaps = (sequences: readonly number[]): void =>
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));

describe('audit tail', () => {
  it('prints the lines of an export, each once, though every connection is cut', async () => {
    proxy.damage('/audits/logs/stream', { kind: 'cut', afterBytes: 9000 });
    const run = await startTail(['--after', '0', '--limit', String(RECORDS)], behindProxy).ended;
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^(The connection was cut before the result was complete\. .*Connecting again\.\n)+$/);
    const exported = await runSluice(['audit', 'export', '-o', '-'], { env: auditor });
    const lines = run.stdout.split('\n').slice(0, -1);
    expect(lines).toHaveLength(RECORDS);
    expect(lines).toEqual(exported.stdout.split('\n').slice(0, RECORDS));
  });

  it('misses nothing when it is cut before its first record, its token expires and the host is busy', async () => {
    // The position of the stream, and nothing more.
    proxy.damage('/audits/logs/stream', { kind: 'cut', afterBytes: 'id: 123\n\n'.length });
    const tail = startTail([], behindProxy);
    await waitFor(() => tail.stderr().includes('Connecting again'), 'the first cut');
    await failLogin('while-cut@example.com');
    const reply = (status: number, error: string) => ({ status, body: JSON.stringify({ error, message: error }) });
    proxy.reply('/audits/logs/stream', reply(401, 'unauthorized'), reply(503, 'service_unavailable'), 'lost', 'unsent');
    proxy.damage('/audits/logs/stream', undefined);
    await waitFor(() => tail.stdout().includes('LOGIN_FAILED'), 'the record');
    tail.child.kill('SIGINT');
    const run = await tail.ended;
    expect(run.exitCode).toBe(130);
    expect(run.stdout.match(/"LOGIN_FAILED"/g)).toHaveLength(1);
    expectNoGaps(tail.sequences());
    expect(run.stdout).toContain('"FOLLOW_AUDIT_LOGS"');
  });

  it('prints what matches its filters only, and continues behind what does not', async () => {
    proxy.damage('/audits/logs/stream', { kind: 'cut', afterBytes: 9000 });
    const words = ['--after', '0', '--limit', '1', '--action', 'login_failed,logout', '--text', 'filtered'];
    const tail = startTail(words, behindProxy);
    await failLogin('other@example.com');
    await failLogin('filtered@example.com');
    const user = ['--user', 'filtered@example.com', '--after', '0', '--limit', '1'];
    const { exitCode, stdout } = await startTail(user, auditor).ended;
    expect([exitCode, JSON.parse(stdout).action]).toEqual([0, 'LOGIN_FAILED']);
    tail.child.kill('SIGINT');
    // The name of no account is not in the log, so its words are found nowhere.
    expect((await tail.ended).stdout).toBe('');
    proxy.damage('/audits/logs/stream', undefined);
  });

  it('goes on after a restart of the host', async () => {
    const port = await reservePort();
    const environment = { ...cli.hosts.apiEnvironment, API_PORT: String(port) };
    const start = () =>
      startApiHost({ environment, overrides: { log: createLogger({ service: 'test', level: 'silent' }) } });
    let host = await start();
    try {
      const tail = startTail([], { ...auditor, SLUICE_API_URL: host.url });
      await waitFor(() => tail.sequences().length > 0, 'the first record');
      await host[Symbol.asyncDispose]();
      await waitFor(
        () => tail.stderr().includes('The host ended the stream. Connecting again.'),
        'the end of the stream',
      );
      await failLogin('while-down@example.com');
      host = await start();
      await waitFor(() => tail.stdout().includes('LOGIN_FAILED'), 'the record');
      tail.child.kill('SIGTERM');
      expect((await tail.ended).exitCode).toBe(130);
      expectNoGaps(tail.sequences());
    } finally {
      await host[Symbol.asyncDispose]();
    }
  });

  it('opens a silent stream again', async () => {
    proxy.damage('/audits/logs/stream', { kind: 'stall', afterBytes: 0 });
    const tail = startTail(['--after', '0', '--limit', '3'], { ...behindProxy, SLUICE_IDLE_TIMEOUT: '0.3' });
    await waitFor(() => tail.stderr().includes('Nothing arrived for 300 ms'), 'the silence');
    proxy.reset();
    expect(await tail.ended).toMatchObject({ exitCode: 0 });
    expect(tail.sequences()).toEqual([1, 2, 3]);
  });

  it('shows a line per record on a terminal, with control characters as escapes, and ends with 130 by Ctrl-C', async () => {
    using terminal = openTerminal(['audit', 'tail', '--after', '0'], { env: auditor, columns: 100, rows: 60 });
    await terminal.waitFor('ghost@example.com');
    terminal.send('\u0003');
    expect(await terminal.exitCode).toBe(130);
    for (const part of ['\u001b]0', '\u0007', '\u202e']) expect(terminal.raw()).not.toContain(part);
    const ghosts = terminal.lines().filter((line) => line.includes('ghost@'));
    expect(ghosts.length).toBeGreaterThan(0);
    for (const line of ghosts)
      expect(line).toMatch(/\d+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}ghost@example\.com {2}LOGIN {2}\\u001b\]0;owned/);
    expect(terminal.lines().at(-1)).toContain('Cancelled.');
  });

  it('fails immediately when the first connection does, and when the login has ended', async () => {
    const down = { ...auditor, SLUICE_API_URL: `http://127.0.0.1:${await reservePort()}` };
    expect(await startTail([], down).ended).toMatchObject({ exitCode: 1, stdout: '' });
    const wrong = { ...auditor, SLUICE_PASSWORD: 'wrong' };
    expect(await startTail([], wrong).ended).toMatchObject({ exitCode: 4, stdout: '' });
    // Where the stream would have begun is not known, so another connection could miss records.
    proxy.damage('/audits/logs/stream', { kind: 'cut', afterBytes: 0 });
    expect(await startTail([], behindProxy).ended).toMatchObject({ exitCode: 3, stdout: '' });
    const { SLUICE_EMAIL: email = '' } = auditor;
    proxy.damage('/audits/logs/stream', { kind: 'end', afterBytes: 1000 });
    const tail = startTail(['--after', '0'], behindProxy);
    await waitFor(() => tail.sequences().length > 0, 'the first record');
    await cli.hosts.rows('update users set disabled = true where email = $1', [email]);
    const run = await tail.ended;
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toContain('The host ended the stream. Connecting again.');
  });
});
