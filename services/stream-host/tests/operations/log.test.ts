import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOWNLOAD_FORMATS } from '@sluice/contract';
import { send, until } from '@sluice/testkit';
import { startHosts, TESTED_ENGINE, type TestHosts } from '@sluice/testkit/hosts';
import { basic, basicOf, bearer, clientToken, idtoken, listOf, logIn, post } from '@sluice/testkit/requests';
import { CUT, FAILS_LATE } from '@sluice/testkit/statements';

let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startHosts();
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

describe('the log', () => {
  it('has every request with its id, and neither secrets nor SQL', async () => {
    const client = await hosts.build.client(hosts.acme);
    const tokens = await logIn(hosts, hosts.ann);
    const access = await clientToken(hosts, client);
    const credentials = [
      basicOf(hosts.ann),
      idtoken(tokens.id_token),
      bearer(tokens.access_token),
      bearer(access),
      basic(hosts.ann.email, 'wrong-password-1'),
      idtoken(`${tokens.id_token}x`),
      { authorization: `Basic ${tokens.refresh_token}` },
      { ...basicOf(hosts.ann), ...idtoken(tokens.id_token) },
    ];
    const statements = [
      `SELECT 'secret-literal-1' AS a`,
      `SELECT CAST('secret-literal-2' AS INTEGER)`,
      `SELECT wrong_column_secret FROM items`,
      `DELETE FROM items WHERE name = 'secret-literal-3'`,
      FAILS_LATE.replace('boom', 'secret-literal-4'),
    ];
    for (const credential of credentials) {
      for (const sql of statements) await post(`${hosts.url}/query`, { sql }, credential);
      await post(
        `${hosts.url}/query/download/csv`,
        { sql: statements[1] },
        { ...credential, 'x-request-id': 'find-me' },
      );
    }
    await post(`${hosts.url}/query`, `{"sql": "secret-literal-5`, basicOf(hosts.ann));
    await send(`${hosts.url}/query?idtoken=${tokens.id_token}`, { headers: basicOf(hosts.ann) });
    const log = hosts.logLines.join('');
    expect(log).toContain('find-me');
    expect(log).toContain('"event":"query_ended"');
    const secrets = [
      hosts.ann.password,
      client.secret,
      'wrong-password-1',
      tokens.id_token,
      tokens.access_token,
      tokens.refresh_token,
      access,
      ...credentials.flatMap((credential) => Object.values(credential)),
      Buffer.from(`${hosts.ann.email}:${hosts.ann.password}`).toString('base64'),
      new URL(hosts.environment['DATABASE_URL'] ?? '').password,
      'secret-literal',
      'wrong_column_secret',
    ];
    for (const secret of secrets) expect([secret, log.includes(secret)]).toEqual([secret, false]);
    for (const line of hosts.logLines)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
  });
});

/** Variables that the pool sets, and those of the shell that sets the limits. */
const HARMLESS = ['', 'LANG', 'MALLOC_ARENA_MAX', 'TZ', 'PWD', 'OLDPWD', 'SHLVL', '_'];

describe('the environment of a query worker', () => {
  it('contains no variable of the host', async () => {
    await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, basicOf(hosts.ann));
    const { pids } = hosts.stream.context.workers;
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      const names = environment.split('\0').map((entry) => entry.split('=')[0] ?? '');
      expect(names.filter((name) => !HARMLESS.includes(name))).toEqual([]);
    }
  });
});

describe('a query that fails for a reason of the service', () => {
  const failures = (requestId: string) =>
    hosts.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['requestId'] === requestId && line['level'] === 'error');

  let credential: ReturnType<typeof basicOf>;
  beforeAll(async () => {
    credential = basicOf(await hosts.build.user(hosts.acme));
  });

  const killWorkers = (): undefined => {
    for (const pid of hosts.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
  };

  /** Runs a statement that sends nothing more from a row on, and kills its worker. */
  async function loseWorker(path: string, row: number): Promise<string> {
    const requestId = `lost${path.replaceAll('/', '-')}-${row}`;
    const headers = { ...credential, 'x-request-id': requestId };
    let isOver = false;
    const ended = post(`${hosts.url}${path}`, { sql: CUT.silentFrom(row) }, headers).finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined); // a transfer that is cut
    await until(async () => (await listOf(hosts.url, credential)).find(({ bytes }) => row === 0 || bytes > 0), {
      what: 'a query at its silent row',
    });
    // A query that had not begun may run again on another worker.
    await until(async () => isOver || killWorkers(), { what: 'the end of the query' });
    return requestId;
  }

  // On Trino a download as Parquet is rejected before it begins.
  const formats = Object.keys(DOWNLOAD_FORMATS).filter((format) => format !== 'parquet' || TESTED_ENGINE === 'duckdb');
  const paths = ['/query', ...formats.map((format) => `/query/download/${format}`)];

  it.each(paths)('leaves one line with its cause before the first byte of %s', async (path) => {
    const requestId = await loseWorker(path, 0);
    expect(failures(requestId)).toEqual([
      expect.objectContaining({
        event: 'query_ended',
        problem: 'ENGINE_CRASHED',
        err: expect.objectContaining({ code: 'engine_crashed', cause: expect.anything() }),
      }),
    ]);
  });

  it.each(paths.slice(0, 2))('leaves one line after the first byte of %s', async (path) => {
    const requestId = await loseWorker(path, CUT.farRow);
    expect(failures(requestId)).toMatchObject([{ event: 'query_ended', problem: 'ENGINE_CRASHED' }]);
  });
});
