import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, until } from '@sluice/testkit';
import { send } from './requests.ts';
import type { TestHost } from './start-test-host.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface ChildHost {
  readonly url: string;
  /** Kills the process without a chance to clean up, and waits for its end. */
  kill(): Promise<void>;
  /** Returns the largest resident memory that the process has had since the last reset, in bytes. Linux only. */
  peakMemory(): Promise<number>;
  resetPeakMemory(): Promise<void>;
}

/** Starts the built program as a second API host on the database of a test, and waits until it is ready. */
export async function startChildHost(
  { environment }: Pick<TestHost, 'environment'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildHost> {
  const port = await findFreePort();
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: { ...environment, API_PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000);
    });
  }
  const exited = once(child, 'exit');
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
  const statusLine = async (name: string): Promise<number> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  };
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    peakMemory: () => statusLine('VmHWM'),
    async resetPeakMemory() {
      await writeFile(`/proc/${child.pid}/clear_refs`, '5');
    },
  };
}
