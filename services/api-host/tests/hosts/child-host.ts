import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startHostProcess } from '@sluice/testkit';
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
  const { child, url, exited } = await startHostProcess({
    main: MAIN,
    portSetting: 'API_PORT',
    environment: { ...environment, ...settings },
  });
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
