import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type HostProcess, startHostProcess } from '@sluice/testkit';
import type { TestHosts } from './start-hosts.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface ChildHost extends HostProcess {
  /** Returns the PIDs of its running child processes. */
  workerPids(): Promise<readonly number[]>;
}

/**
 * Starts the built program as a second stream host on the database of a test, and waits until it is ready.
 * @param port - default: a free one
 */
export async function startChildHost(
  { environment }: Pick<TestHosts, 'environment'>,
  settings: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<ChildHost> {
  const host = await startHostProcess({
    main: MAIN,
    portSetting: 'STREAM_PORT',
    environment: { ...environment, ...settings },
    ...(port === undefined ? {} : { port }),
  });
  return { ...host, workerPids: () => childrenOf(host.child.pid ?? -1) };
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
