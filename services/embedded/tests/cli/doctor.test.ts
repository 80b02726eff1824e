import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { selfSigned } from '../../../../packages/engine/testing/self-signed.ts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts();
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A proxy that sends a response only when it is whole, as nginx does by default. */
const bufferingProxy = (target: string): Server =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { ...(request.headers as Record<string, string>), 'accept-encoding': 'identity' };
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'])
      delete headers[name as never];
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const answer = await fetch(`${target}${request.url}`, { method: request.method ?? 'GET', headers, ...body });
    const whole = Buffer.from(await answer.arrayBuffer());
    const kept = [...answer.headers].filter(([name]) => name !== 'transfer-encoding' && name !== 'connection');
    response.writeHead(answer.status, Object.fromEntries(kept)).end(whole);
  });

async function doctor(env: Readonly<Record<string, string>>) {
  const run = await runCommand(['doctor', '--json'], { env });
  const { ok, checks } = JSON.parse(run.stdout) as { ok: boolean; checks: Check[] };
  return { run, ok, checks, find: (name: string) => checks.find((each) => each.name === name) };
}

/** Waits until a host of the test finds all its back ends, or not. On a stalled machine they may be late for its checks of 2 s. */
const untilReady = (url: string, isReady: boolean) =>
  until(async () => ((await send(`${url}/ready`)).status === 200) === isReady || undefined, {
    what: `a host that is ${isReady ? 'ready' : 'not ready'}`,
  });

/** Names of the checks that report what a host says of its back ends. */
const BACK_ENDS = /^(?:Health|Back ends) of the /;

/** Runs the checks again while the hosts report a back end that is late, which is the only finding that a stalled machine causes. */
async function doctorOfReadyHosts() {
  for (;;) {
    for (const { url } of [cli.hosts.api, cli.hosts]) await untilReady(url, true);
    const result = await doctor(cli.analyst);
    const findings = result.checks.filter(({ status }) => status !== 'ok');
    if (findings.length === 0 || !findings.every(({ name }) => BACK_ENDS.test(name))) return result;
  }
}

it('finds everything in order, and says so line by line', async () => {
  const { run, ok, checks } = await doctorOfReadyHosts();
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ok).toBe(true);
  expect(checks.map(({ name }) => name)).toEqual([
    'Proxy',
    ...['API host', 'stream host'].flatMap((host) =>
      ['DNS of', 'TLS of', 'Health of', 'Back ends of', 'Clock against', 'Version of'].map(
        (what) => `${what} the ${host}`,
      ),
    ),
    'Login',
    'Permissions',
    'Streaming',
  ]);
});

it('finds a proxy that buffers streams', async () => {
  const server = bufferingProxy(cli.hosts.url);
  try {
    const port = await listen(server);
    const { run, find } = await doctor({ ...cli.analyst, SLUICE_STREAM_URL: `http://127.0.0.1:${port}` });
    expect(find('Streaming')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('buffers responses'),
    });
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^error: 1 of \d+ checks failed\.\n$/) });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('names the back end that a host does not reach', async () => {
  cli.hosts.proxy.cut();
  try {
    await untilReady(cli.hosts.url, false);
    const { find } = await doctor(cli.analyst);
    expect(find('Health of the stream host')).toMatchObject({
      status: 'warning',
      message: 'sluice-stream is degraded: a back end is down. Tell its operator',
    });
    expect(find('Back ends of the stream host')).toMatchObject({
      status: 'failed',
      message: 'postgres does not respond. Tell the operator of the host',
    });
  } finally {
    cli.hosts.proxy.restore();
    await untilReady(cli.hosts.url, true);
  }
});

it('finds swapped hosts, a wrong password and a missing permission', async () => {
  const swapped = await doctor({ ...cli.analyst, SLUICE_API_URL: cli.hosts.url, SLUICE_STREAM_URL: cli.hosts.api.url });
  expect(swapped.find('Health of the API host')?.message).toContain(
    'the URL leads to sluice-stream, not to sluice-api',
  );
  expect(swapped.run.exitCode).toBe(1);
  const wrong = await doctor({ ...cli.analyst, SLUICE_PASSWORD: 'wrong' });
  expect(wrong.find('Login')).toMatchObject({ status: 'failed', message: 'The e-mail or the password is wrong.' });
  expect(wrong.find('Streaming')?.status).toBe('skipped');
  const auditor = await doctor({ ...(await cli.environmentOf(['auditor'])), HTTPS_PROXY: 'http://proxy.invalid' });
  expect(auditor.find('Permissions')).toMatchObject({ status: 'warning' });
  expect(auditor.find('Proxy')?.message).toBe('API host: reached directly; stream host: reached directly');
  expect(auditor.run.exitCode).toBe(0);
});

it('says that a certificate is not trusted, and what to do', async () => {
  const { certificate: cert, key } = selfSigned('localhost');
  const server = createTlsServer({ key, cert }, (_request, response) => response.end('{}'));
  try {
    const port = await listen(server as unknown as Server);
    const env = { ...cli.analyst, SLUICE_API_URL: `https://127.0.0.1:${port}` };
    const { find } = await doctor(env);
    expect(find('TLS of the API host')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('is signed by an authority that is not trusted here. Set NODE_EXTRA_CA_CERTS'),
    });
    const run = await runCommand(['whoami'], { env });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('Set NODE_EXTRA_CA_CERTS to the file');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('prints one line a check, with the name in a column of its own', async () => {
  const run = await runCommand(['doctor'], { env: cli.analyst });
  const lines = run.stdout.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  const starts = lines.map((line) => /^(?:ok|warning|failed|skipped) +\S+(?: \S+)* {2,}/.exec(line)?.[0].length);
  expect(new Set(starts).size).toBe(1);
});
