import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '@sluice/testkit';

/** Ports of a Trino of its own for each file that uses one, because it requires authentication and its accounts change. */
const SECURED_TRINO_PORTS = {
  credentials: { http: '28094', https: '28444' },
  'shared results': { http: '28095', https: '28445' },
} as const;
const COMPONENTS = new URL('../../../../deploy/components/', import.meta.url);
const TAKES_EFFECT_MS = 60_000;

interface TrinoSecurity {
  passwordLine(account: string, password: string): string;
}

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** A Trino with a password for each account of Sluice, as docs/operations.md recommends. */
export interface SecuredTrino extends AsyncDisposable {
  readonly url: string;
  /** Certificate of its authority. */
  readonly authority: string;
  /** The account of acme that exists. */
  readonly first: Account;
  /** An account with the same rules, which does not exist yet. */
  readonly second: Account;
  /** Creates an account and waits until Trino accepts it. */
  addAccount(account: Account): Promise<void>;
  /** Removes an account and waits until Trino rejects it. */
  removeAccount(account: Account): Promise<void>;
}

/** Starts a Trino that sends its own traces to an address. */
export async function startSecuredTrino(
  tracesEndpoint: string,
  purpose: keyof typeof SECURED_TRINO_PORTS = 'credentials',
): Promise<SecuredTrino> {
  const ports = SECURED_TRINO_PORTS[purpose];
  const folder = join(homedir(), '.cache', 'sluice-components', 'run', `trino-${ports.http}`, 'security');
  const script = fileURLToPath(new URL('trino.mjs', COMPONENTS));
  const run = (command: string) =>
    promisify(execFile)(process.execPath, [
      ...[script, command, '--port', ports.http, '--https-port', ports.https],
      ...['--traces-endpoint', tracesEndpoint],
    ]);
  const { passwordLine } = (await import(new URL('trino-security.mjs', COMPONENTS).href)) as TrinoSecurity;
  // One that an interrupted run has left behind would send its traces elsewhere.
  await run('stop');
  await run('start');
  const authority = await readFile(join(folder, 'ca.crt'), 'utf8');
  const passwords = join(folder, 'passwords');

  /** Status of a statement as an account, which Trino does not run, because its result is not fetched. */
  async function statusOf({ user, password }: Account): Promise<number | undefined> {
    const sent = request({
      ...{ host: 'localhost', port: ports.https, ca: authority, method: 'POST', path: '/v1/statement', agent: false },
      ...{ auth: `${user}:${password}`, headers: { 'x-trino-user': 'acme/operator' } },
    });
    sent.end('SELECT 1');
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  }
  const untilStatus = (account: Account, status: number) =>
    until(async () => ((await statusOf(account)) === status ? true : undefined), {
      what: `status ${status} for the account ${account.user}`,
      withinMs: TAKES_EFFECT_MS,
    });

  return {
    url: `https://localhost:${ports.https}`,
    authority,
    first: { user: 'sluice-acme', password: 'sluice-at-trino' },
    second: { user: 'sluice-acme-b', password: 'another password at Trino' },
    async addAccount(account) {
      await appendFile(passwords, passwordLine(account.user, account.password));
      await untilStatus(account, 200);
    },
    async removeAccount(account) {
      const lines = (await readFile(passwords, 'utf8')).split('\n');
      await writeFile(passwords, lines.filter((line) => !line.startsWith(`${account.user}:`)).join('\n'));
      await untilStatus(account, 401);
    },
    async [Symbol.asyncDispose]() {
      await run('stop');
    },
  };
}
