import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** PostgreSQL server of `deploy/components/postgres.mjs` for one test. */
export interface ComponentServer extends AsyncDisposable {
  readonly superuserUrl: string;
  /** Suspends every process: connections stay open, but the server does not respond. */
  hang(): void;
  resume(): void;
  stop(): void;
  /** Starts the server again with its data. */
  start(): void;
}

interface ComponentServerOptions {
  readonly major: number;
  readonly port: number;
  readonly tls?: 'on';
}

const SCRIPT = fileURLToPath(new URL('../../../deploy/components/postgres.mjs', import.meta.url));

export async function startComponentServer({ major, port, tls }: ComponentServerOptions): Promise<ComponentServer> {
  const command = (...words: string[]): string => {
    const args = [SCRIPT, ...words, '--major', String(major), '--port', String(port)];
    const { status, stdout, stderr } = spawnSync(process.execPath, tls === undefined ? args : [...args, '--tls'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
    return stdout;
  };
  const superuserUrl = /postgres:\/\/\S+/.exec(command('start'))?.[0] ?? '';
  await waitUntilReady(superuserUrl);
  return {
    superuserUrl,
    hang: () => void command('hang'),
    resume: () => void command('resume'),
    stop: () => void command('stop'),
    start: () => void command('start', '--keep'),
    [Symbol.asyncDispose]: async () => void command('stop'),
  };
}

const waitUntilReady = async (url: string): Promise<void> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      await runStatements(url, 'select 1');
      return;
    } catch (thrown) {
      if (Date.now() > deadline) throw thrown;
      await wait(50);
    }
  }
};

/** Runs statements on a new connection, and returns the rows of the last one. */
export async function runStatements<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query<R>(text);
    return result.rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the URL of the same server and options with another role or database. */
export function urlOf(url: string, change: { role: string; password: string; database: string }): string {
  const changed = new URL(url);
  changed.username = change.role;
  changed.password = change.password;
  changed.pathname = `/${change.database}`;
  return changed.href;
}
