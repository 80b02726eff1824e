import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reservePort, send } from '@sluice/testkit';
import { HOST_PROGRAMS, type HostProgram } from './host-programs.ts';

interface StartBuiltHostOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Command that runs the program, such as `setpriv` with its arguments. */
  readonly runBy?: readonly string[];
}

/** Process of a host, as its operator sees it. */
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
  const { main, portSetting } = HOST_PROGRAMS[program];
  const port = await reservePort();
  const [command = '', ...args] = [...runBy, process.execPath, main];
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
