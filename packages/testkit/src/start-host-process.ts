import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { reservePort } from './reserve-port.ts';
import { send } from './send.ts';
import { until } from './until.ts';

/** A built host in a process of its own. */
export interface HostProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Returns its standard output and error so far. */
  output(): string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

interface HostProcessOptions {
  /** File of the program. */
  readonly main: string;
  /** Name of the setting for the port. */
  readonly portSetting: 'API_PORT' | 'STREAM_PORT';
  readonly environment: Readonly<Record<string, string>>;
  /** Default: a free port. */
  readonly port?: number;
}

/** Starts a built host, and waits until it is ready. Throws with its output if it ends before. */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  const { main, portSetting, environment, port = await reservePort() } = options;
  const child = spawn(process.execPath, [main], {
    env: { ...environment, [portSetting]: String(port) },
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
    { what: 'the host' },
  );
  return { child, url, output: () => printed, exited };
}
