import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@sluice/testkit';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface SpawnOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Shell script that starts the program, with the command as `"$@"`. Default: no shell. */
  readonly script?: string;
}

export interface SpawnedSluice {
  readonly child: ChildProcess;
  readonly apiPort: number;
  readonly streamPort: number;
  readonly identityProviderPort: number;
  /** Returns all output so far. */
  output(): string;
  /** Resolves with the first match. Rejects with the exit code or signal and the output when the program ends before. */
  untilPrinted(pattern: RegExp): Promise<string>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts the built program like `npm start`, on free ports. */
export async function spawnSluice(options: SpawnOptions): Promise<SpawnedSluice> {
  const [apiPort, streamPort] = [await reservePort(), await reservePort()];
  const identityProviderPort = await reservePort();
  const command = [process.execPath, MAIN];
  const [file, ...args] = options.script === undefined ? command : ['sh', '-c', options.script, 'sh', ...command];
  const child = spawn(file ?? '', args, {
    // A separate process group, so that a signal for it does not reach jest.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      SLUICE_HOME: options.home,
      API_PORT: String(apiPort),
      STREAM_PORT: String(streamPort),
      IDP_PORT: String(identityProviderPort),
      STREAM_TLS_PORT: '0',
      ...options.environment,
    },
  });
  let printed = '';
  const changed = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      for (const check of changed) check();
    });
  }
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    apiPort,
    streamPort,
    identityProviderPort,
    output: () => printed,
    exited,
    untilPrinted: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(printed);
          if (found === null) return;
          changed.delete(check);
          resolve(found[0]);
        };
        changed.add(check);
        check();
        void exited.then(({ code, signal }) =>
          reject(new Error(`The program ended (${signal ?? code}) without printing ${pattern}:\n${printed}`)),
        );
      }),
  };
}

/** Returns the PIDs of all direct and indirect child processes. Reads /proc, so Linux only. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of readdirSync('/proc').flatMap(parentOf)) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found: number[] = [];
  for (const queue = [pid]; queue.length > 0; ) {
    const below = children.get(queue.pop() ?? 0) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

const parentOf = (name: string): [number, number][] => {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
  } catch {
    return [];
  }
};

/** Returns whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** Folder that a run as root keeps outside its home. Other homes on this machine have theirs beside it. */
export const stateFolderOf = (home: string): string =>
  join('/var/tmp', `sluice-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
