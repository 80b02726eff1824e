import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { createProxyFetch } from '@sluice/client/node';
import { until } from '@sluice/testkit';
import { selfSigned } from '../../../../packages/engine/testing/self-signed.ts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { type ConnectProxy, startConnectProxy } from './connect-proxy.ts';
import { type CommandOptions, runSluice } from './run-command.ts';

const { certificate: cert, key } = selfSigned('sluice');

let cli: CliHosts;
const servers: Server[] = [];
/** Environment with both hosts behind TLS. */
let encrypted: CommandOptions['env'];

/** Starts a server that adds TLS to a host, and returns its URL. */
async function withTls(url: string): Promise<string> {
  const port = Number(new URL(url).port);
  const server = createServer({ cert, key }, (socket) => {
    const host = connect(port, '127.0.0.1');
    socket.pipe(host).pipe(socket);
    socket.on('error', () => host.destroy());
    host.on('error', () => socket.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  cli = await startCliHosts();
  const authority = join(cli.home, 'authority.pem');
  await writeFile(authority, cert);
  encrypted = {
    ...cli.analyst,
    SLUICE_API_URL: await withTls(cli.hosts.api.url),
    SLUICE_STREAM_URL: await withTls(cli.hosts.url),
    SLUICE_CACHE: 'false',
    NODE_EXTRA_CA_CERTS: authority,
  };
}, 120_000);
afterAll(async () => {
  for (const server of servers) server.close();
  await cli?.[Symbol.asyncDispose]();
});

const hostOf = (env: CommandOptions['env'], name: string): string => new URL(env[name] ?? '').host;
const QUERY = ['query', 'SELECT 1 AS one'];
const CATALOG = ['catalog', 'list', '--json'];
/** Note on stderr until the host has read the catalogs for the first time. */
const NO_CATALOGS = 'No catalogs. An administrator reads them with POST /admin/harvest.\n';

describe('the command line', () => {
  it('reaches hosts with TLS through the tunnel of HTTPS_PROXY', async () => {
    await using proxy = await startConnectProxy('forward');
    const env = { ...encrypted, HTTPS_PROXY: proxy.url, HTTP_PROXY: 'http://127.0.0.1:1' };
    expect(await runSluice(QUERY, { env })).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    const listed = await runSluice(CATALOG, { env });
    expect([listed.exitCode, listed.stderr.replace(NO_CATALOGS, '')]).toEqual([0, '']);
    const targets = new Set(proxy.seen);
    expect([...targets].sort()).toEqual(
      ['SLUICE_STREAM_URL', 'SLUICE_API_URL'].map((name) => `CONNECT ${hostOf(env, name)}`).sort(),
    );
  });

  it('sends requests to hosts without TLS to http_proxy', async () => {
    await using proxy = await startConnectProxy('forward');
    const env = { ...cli.analyst, http_proxy: proxy.url, HTTP_PROXY: 'http://127.0.0.1:1' };
    expect(await runSluice(QUERY, { env })).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    expect(proxy.seen).toEqual([`POST ${hostOf(env, 'SLUICE_STREAM_URL')}`]);
  });

  it('reaches the hosts of NO_PROXY directly', async () => {
    await using proxy = await startConnectProxy('forward');
    const env = { ...encrypted, HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com,127.0.0.1' };
    expect(await runSluice(QUERY, { env })).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    expect(proxy.seen).toEqual([]);
  });

  it('sends the user name and password of the variable, and says when the proxy wants them', async () => {
    await using proxy = await startConnectProxy('ann:p@ss');
    const { host } = new URL(proxy.url);
    const env = { ...encrypted, HTTPS_PROXY: `http://ann:p%40ss@${host}` };
    expect(await runSluice(QUERY, { env })).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    const without = await runSluice(QUERY, { env: { ...encrypted, HTTPS_PROXY: proxy.url } });
    expect(without).toMatchObject({ exitCode: 1, stdout: '' });
    expect(without.stderr).toBe(
      `error: The proxy ${host} asks for user name and password (status 407). Write them into HTTPS_PROXY: http://USER:PASSWORD@${host}.\n`,
    );
    const plain = await runSluice(QUERY, { env: { ...cli.analyst, HTTP_PROXY: `http://ann:wrong@${host}` } });
    expect(plain).toMatchObject({ exitCode: 1, stdout: '' });
    expect(plain.stderr).toContain('does not accept the user name and password (status 407)');
  });

  it.each([
    ['a query', QUERY],
    ['a login', CATALOG],
  ])('gives up when the proxy closes the connection of %s without a response', async (_what, words) => {
    await using proxy = await startConnectProxy('close');
    const run = await runSluice(words, { env: { ...encrypted, HTTPS_PROXY: proxy.url } });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    const { host } = new URL(proxy.url);
    expect(run.stderr).toBe(
      `error: The proxy ${host} could not be reached, or closed the connection (ECONNRESET). Check HTTPS_PROXY and the network.\n`,
    );
    expect(proxy.seen).toHaveLength(1);
  });

  const untilSeen = (proxy: ConnectProxy) =>
    until(async () => proxy.seen.length > 0 || undefined, { what: 'a request at the proxy' });

  it('gives up when the proxy is silent, and ends at once after Ctrl-C', async () => {
    await using proxy = await startConnectProxy('hang');
    const env = { ...encrypted, HTTPS_PROXY: proxy.url };
    // One of its own: the program is stopped when its own request has arrived, not that of the other one.
    await using other = await startConnectProxy('hang');
    const [silent, stopped] = await Promise.all([
      runSluice(QUERY, { env }),
      runSluice(CATALOG, {
        env: { ...env, HTTPS_PROXY: other.url },
        onStart: (child) => void untilSeen(other).then(() => child.kill('SIGINT')),
      }),
    ]);
    expect(silent).toMatchObject({ exitCode: 1, stdout: '' });
    const { host } = new URL(proxy.url);
    const target = hostOf(env, 'SLUICE_STREAM_URL');
    expect(silent.stderr).toBe(
      `error: The proxy ${host} opened no connection to ${target} within 10 s. Check HTTPS_PROXY, or add the host to NO_PROXY.\n`,
    );
    expect(stopped).toMatchObject({ exitCode: 130, stdout: '' });
  });

  it('names a variable that is not the URL of a proxy', async () => {
    const run = await runSluice(QUERY, { env: { ...encrypted, HTTPS_PROXY: 'socks5://127.0.0.1:1' } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('error: HTTPS_PROXY must be the URL of an http or https proxy');
  });

  it('checks the hosts behind the proxy', async () => {
    await using proxy = await startConnectProxy('forward');
    const run = await runSluice(['doctor', '--json'], { env: { ...encrypted, HTTPS_PROXY: proxy.url } });
    const { checks } = JSON.parse(run.stdout) as { readonly checks: readonly { name: string; status: string }[] };
    expect(checks.filter(({ status }) => status !== 'ok').map(({ name }) => name)).toEqual([
      'TLS of the API host',
      'TLS of the stream host',
    ]);
    expect(run.exitCode).toBe(0);
  });
});

describe('the client', () => {
  const clientOf = (environment: Readonly<Record<string, string>>) =>
    createClient({
      tenant: 'acme',
      apiUrl: cli.hosts.api.url,
      streamUrl: cli.hosts.url,
      auth: { email: cli.hosts.ann.email, password: cli.hosts.ann.password },
      fetch: createProxyFetch(environment),
    });

  it('reads every row of a large result, and stops a query whose loop is left', async () => {
    await using proxy = await startConnectProxy('forward');
    const client = clientOf({ HTTP_PROXY: proxy.url });
    let rows = 0;
    for await (const batch of client.query('SELECT * FROM range(200000)').batches()) rows += batch.length;
    expect(rows).toBe(200_000);
    const long = client.query('SELECT * FROM range(100000000000)');
    for await (const _row of long) break;
    expect((await client.awaitReceipt(await long.id)).state).toBe('CANCELLED');
    expect(proxy.seen.length).toBeGreaterThan(3);
  });

  it('rejects with the reason of its signal while the proxy is silent', async () => {
    await using proxy = await startConnectProxy('hang');
    const stop = new AbortController();
    const request = clientOf({ HTTP_PROXY: proxy.url }).stream.getMe({ signal: stop.signal });
    await until(async () => proxy.seen.length > 0 || undefined, { what: 'a request at the proxy' });
    stop.abort(new Error('enough'));
    await expect(request).rejects.toThrow('enough');
  });

  it('throws the error of a host as without a proxy', async () => {
    await using proxy = await startConnectProxy('forward');
    const client = clientOf({ HTTP_PROXY: proxy.url });
    await expect(client.api.getDatamap({ params: { id: 'missing' } })).rejects.toMatchObject({ status: 404 });
    expect((await client.api.listDomains()).data).toEqual([]);
  });
});
