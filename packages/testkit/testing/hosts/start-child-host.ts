import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type HostProcess, startHostProcess } from '@sluice/testkit';
import type { Settings } from './host-environment.ts';
import { HOST_PROGRAMS, type HostProgram } from './host-programs.ts';

export interface ChildHost extends HostProcess {
  /** Kills the process without a chance to clean up, and waits for its end. */
  kill(): Promise<void>;
  /** Returns the PIDs of its running child processes. */
  workerPids(): Promise<readonly number[]>;
  /** Returns the largest resident memory that the process has had since the last reset, in bytes. Linux only. */
  peakMemory(): Promise<number>;
  resetPeakMemory(): Promise<void>;
}

interface ChildHostInput {
  /** Environment of the host of the test. */
  readonly environment: Settings;
}

/**
 * Starts the built program as a second stream host on the database of a test, and waits until it is ready.
 * @param port - default: a free one
 */
export const startChildHost = (test: ChildHostInput, settings: Settings = {}, port?: number): Promise<ChildHost> =>
  startChild('stream host', { ...test.environment, ...settings }, port);

/** Starts the built program as a second API host on the database of a test, and waits until it is ready. */
export const startApiChildHost = (test: ChildHostInput, settings: Settings = {}): Promise<ChildHost> =>
  startChild('API host', { ...test.environment, ...settings });

async function startChild(program: HostProgram, environment: Settings, port?: number): Promise<ChildHost> {
  const host = await startHostProcess({
    ...HOST_PROGRAMS[program],
    environment,
    ...(port === undefined ? {} : { port }),
  });
  const pid = host.child.pid ?? -1;
  return {
    ...host,
    async kill() {
      host.child.kill('SIGKILL');
      await host.exited;
    },
    workerPids: () => childrenOf(pid),
    async peakMemory() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
    },
    async resetPeakMemory() {
      await writeFile(`/proc/${pid}/clear_refs`, '5');
    },
  };
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
