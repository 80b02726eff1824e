import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { RESERVED_BYTES } from '../os/reserved-address-space.ts';

const { resolve } = createRequire(import.meta.url);

/** Returns the path of the bundle of the worker, by its package: this module runs from its source and from the bundles of the hosts. */
const workerProgram = (): string => resolve('@sluice/query-worker/program');

/**
 * Views of the engine's memory count as V8's external bytes until they are collected. With V8's defaults that causes a full
 * collection every 30 MB: a third of a worker's processor time (measured). With a small young generation they are collected
 * soon, and without incremental marking only their real growth, or that of the heap (11 MB), starts a full collection.
 */
const NODE_FLAGS = ['--no-warnings', '--max-semi-space-size=1', '--no-incremental-marking', ...wasmFlags()];

/**
 * Returns the flag without which V8 reserves 10 GB of address space for each WebAssembly memory, more than a worker has. Versions of
 * Node.js that do not have it (21, 22.0 and 22.1) refuse to start with it; on them the engine reports that it cannot start.
 */
function wasmFlags(): readonly string[] {
  const flag = '--disable-wasm-trap-handler';
  return process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
}

/** Environment of a worker. It holds no secret. */
const WORKER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', TZ: 'UTC', LANG: 'C.UTF-8' };

/**
 * Sets RLIMIT_AS in the shell that becomes the worker: an engine's own limit does not bound everything it allocates (6 GB under a
 * limit of 512 MB, measured). Beyond RLIMIT_AS allocations fail, and the engine reports that it is out of memory.
 */
const LIMIT_MEMORY = 'ulimit -v "$0" && exec "$@"';

/** Uses RLIMIT_AS on Linux only: macOS accepts it and does not enforce it, so only the engine's own limit applies there. */
const commandOf = (addressSpaceBytesMax: number): readonly [string, ...string[]] =>
  process.platform === 'linux'
    ? [
        '/bin/sh',
        '-c',
        LIMIT_MEMORY,
        String(Math.floor((addressSpaceBytesMax + RESERVED_BYTES) / 1024)),
        process.execPath,
      ]
    : [process.execPath];

export interface WorkerLimits {
  /** Address space of the process, without `RESERVED_BYTES`. Node.js itself maps about 1.2 GB and uses little of it. */
  readonly addressSpaceBytesMax: number;
  /** Existing folder of this process alone. The caller removes it when the process has ended. */
  readonly tempFolder: string;
}

/** Spawns the process of a worker. Its file descriptor 3 is the channel to the host. */
export function spawnWorker({ addressSpaceBytesMax, tempFolder }: WorkerLimits): ChildProcess {
  const [command, ...prefix] = commandOf(addressSpaceBytesMax);
  // A separate session: Ctrl-C in a terminal must not reach the worker before the host has drained.
  return spawn(command, [...prefix, ...NODE_FLAGS, workerProgram(), tempFolder], {
    cwd: '/',
    env: WORKER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
}
