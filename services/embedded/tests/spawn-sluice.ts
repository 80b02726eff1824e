import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@sluice/embedded/postgres';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface SpawnOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A shell script that starts it, with the command as `"$@"`. Default: started directly. */
  readonly script?: string;
}

export interface SpawnedSluice {
  readonly child: ChildProcess;
  readonly apiPort: number;
  readonly streamPort: number;
  readonly identityProviderPort: number;
  /** Everything it printed so far. */
  output(): string;
  /** The text of the first match; rejects with the output when it ends before. */
  untilPrinted(pattern: RegExp): Promise<string>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts the real program as `npm start` does, on free ports. */
export async function spawnSluice(order: SpawnOptions): Promise<SpawnedSluice> {
  const [apiPort, streamPort] = [await findFreePort(), await findFreePort()];
  const identityProviderPort = await findFreePort();
  const command = [process.execPath, MAIN];
  const [file, ...args] = order.script === undefined ? command : ['sh', '-c', order.script, 'sh', ...command];
  const child = spawn(file ?? '', args, {
    // A group of its own, so that what a test sends to it does not reach jest.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      SLUICE_HOME: order.home,
      API_PORT: String(apiPort),
      STREAM_PORT: String(streamPort),
      IDP_PORT: String(identityProviderPort),
      ...order.environment,
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
        void exited.then(() => reject(new Error(`It ended without printing ${pattern}:\n${printed}`)));
      }),
  };
}

/** Every process below one, however deep: what must be gone when that one is. Reads /proc, so Linux only. */
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

/** Still running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}
