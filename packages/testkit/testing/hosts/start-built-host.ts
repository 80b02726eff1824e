import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@sluice/embedded/postgres';
import { send } from '@sluice/testkit';

const PROGRAMS = {
  'API host': { main: '../../../api-host/dist/main.js', portSetting: 'API_PORT' },
  'stream host': { main: '../../../stream-host/dist/main.js', portSetting: 'STREAM_PORT' },
} as const;
export type HostProgram = keyof typeof PROGRAMS;

interface StartBuiltHostOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Command that runs the program, such as `setpriv` with its arguments. */
  readonly runBy?: readonly string[];
}

/** What an operator sees of a process that was started. */
interface BuiltHost {
  readonly stdout: string;
  readonly stderr: string;
  /** Status of `/ready`, or undefined while the port is closed. */
  readiness(): Promise<number | undefined>;
  hasEnded(): boolean;
  /** Exit code. Resolves when the output is complete. */
  readonly ended: Promise<number | null>;
  terminate(): void;
}

/** Starts a built host on a free port, without waiting until it is ready. */
export async function startBuiltHost(
  program: HostProgram,
  { environment, runBy = [] }: StartBuiltHostOptions,
): Promise<BuiltHost> {
  const { main, portSetting } = PROGRAMS[program];
  const port = await findFreePort();
  const [command = '', ...args] = [...runBy, process.execPath, fileURLToPath(new URL(main, import.meta.url))];
  const child = spawn(command, args, {
    env: { ...environment, [portSetting]: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  return {
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    readiness: () =>
      send(`http://127.0.0.1:${port}/ready`).then(
        ({ status }) => status,
        () => undefined,
      ),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: once(child, 'close').then(([code]) => code as number | null),
    terminate: () => void child.kill('SIGTERM'),
  };
}
