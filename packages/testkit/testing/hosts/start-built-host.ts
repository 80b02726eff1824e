import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { reservePort, send, until } from '@sluice/testkit';
import type { Settings } from './host-environment.ts';
import { HOST_PROGRAMS, type HostProgram } from './host-programs.ts';

/** A built host in a process of its own. */
export interface ChildHost {
  readonly child: ChildProcess;
  readonly url: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Status of `/ready`, or undefined while the port is closed. */
  readiness(): Promise<number | undefined>;
  hasEnded(): boolean;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Exit code. Resolves when the output is complete, which child processes of the host may prolong. */
  readonly ended: Promise<number | null>;
  /** Kills the process without a chance to clean up, and waits for its end. */
  kill(): Promise<void>;
  /** Returns the PIDs of its running child processes. */
  workerPids(): Promise<readonly number[]>;
  /** Returns the largest resident memory that the process has had since the last reset, in bytes. Linux only. */
  peakMemory(): Promise<number>;
  resetPeakMemory(): Promise<void>;
}

interface StartBuiltHostOptions {
  readonly environment: Settings;
  /** Command that runs the program, such as `setpriv` with its arguments. */
  readonly runBy?: readonly string[];
  /** Default: a free port. */
  readonly port?: number | undefined;
}

/** Starts a built host, without waiting until it is ready. */
export async function startBuiltHost(
  program: HostProgram,
  { environment, runBy = [], port: givenPort }: StartBuiltHostOptions,
): Promise<ChildHost> {
  const { main, portSetting } = HOST_PROGRAMS[program];
  const port = givenPort ?? (await reservePort());
  const url = `http://127.0.0.1:${port}`;
  const [command = '', ...args] = [...runBy, process.execPath, main];
  const child = spawn(command, args, {
    env: { ...environment, [portSetting]: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? -1;
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    url,
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    readiness: () =>
      send(`${url}/ready`).then(
        ({ status }) => status,
        () => undefined,
      ),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    exited,
    ended: once(child, 'close').then(([code]) => code as number | null),
    async kill() {
      child.kill('SIGKILL');
      await exited;
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

/** Starts a built host and waits until it is ready. Throws with its output if it ends before. */
async function startReadyHost(program: HostProgram, options: StartBuiltHostOptions): Promise<ChildHost> {
  const host = await startBuiltHost(program, options);
  const isReady = async () => {
    if (host.hasEnded()) throw new Error(`the host ended: ${host.stdout}${host.stderr}`);
    return (await host.readiness()) === 200 ? true : undefined;
  };
  await until(isReady, { what: 'the host' });
  return host;
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
  startReadyHost('stream host', { environment: { ...test.environment, ...settings }, port });

/** Starts the built program as a second API host on the database of a test, and waits until it is ready. */
export const startApiChildHost = (test: ChildHostInput, settings: Settings = {}): Promise<ChildHost> =>
  startReadyHost('API host', { environment: { ...test.environment, ...settings } });

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
