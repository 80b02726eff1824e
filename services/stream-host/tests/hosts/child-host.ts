import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, until } from '@sluice/testkit';
import { send } from '../client/requests.ts';
import type { TestHosts } from './start-hosts.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface ChildHost {
  readonly child: ChildProcess;
  readonly url: string;
  /** Returns its standard output and error so far. */
  output(): string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Returns the PIDs of its running child processes. */
  workerPids(): Promise<readonly number[]>;
}

/** Starts the built program as a second stream host on the database of a test, and waits until it is ready. */
export async function startChildHost(
  hosts: Pick<TestHosts, 'environment'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildHost> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...hosts.environment, STREAM_PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`the host ended: ${printed}`);
      return send(`${url}/ready`).then(
        ({ status }) => (status === 200 ? true : undefined),
        () => undefined,
      );
    },
    { what: 'the host', withinMs: 60_000 },
  );
  return { child, url, output: () => printed, exited, workerPids: () => childrenOf(child.pid ?? -1) };
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) found.push(Number(name));
  }
  return found;
}

export const isAlive = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
};
