import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Column, ProblemError } from '@sluice/contract';
import type { ResultEvent } from '@sluice/engine';
import type { FailedPayload } from '../child/serve-channel.ts';
import { notStarted } from '../pool/pool-problems.ts';
import { decodeJson, decodeRows, encodeFrame, type Frame } from '../protocol/frames.ts';
import type { JobProgress, OnProgress, QueryJob } from '../protocol/query-job.ts';
import { RemoteStatement } from '../protocol/remote-statement.ts';
import { Aging } from './aging.ts';
import { deathProblem } from './death-problem.ts';
import { FrameQueue } from './frame-queue.ts';
import { JobStop } from './job-stop.ts';

/** The worker always runs the built file, also when this one runs from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/child/worker-main.js', import.meta.url));

/**
 * Views of the engine's memory weigh on V8's count of external bytes until they are collected, and with its defaults that brings on
 * a full collection every 30 MB: a third of a worker's processor time, measured. With a small young generation they are collected
 * soon, and without incremental marking only their real growth, or that of the heap (11 MB), begins a full one.
 */
const NODE_FLAGS = ['--no-warnings', '--max-semi-space-size=1', '--no-incremental-marking'];

/** What a worker gets of the environment: nothing that is anybody's secret. */
const WORKER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', TZ: 'UTC', LANG: 'C.UTF-8' };

/**
 * RLIMIT_AS, set by the shell that becomes the worker: an engine's own limit does not bound all that it allocates (6 GB under a
 * limit of 512 MB, measured). Beyond it allocations fail, and the engine says that it is out of memory.
 */
const LIMIT_MEMORY = 'ulimit -v "$0" && exec "$@"';

/** macOS knows the limit by name only and enforces nothing, so there the engine's own limit is all there is. */
const commandOf = (addressSpaceBytesMax: number): readonly [string, ...string[]] =>
  process.platform === 'linux'
    ? ['/bin/sh', '-c', LIMIT_MEMORY, String(Math.floor(addressSpaceBytesMax / 1024)), process.execPath]
    : [process.execPath];

/**
 * From spawn to ready: half a second on an idle machine, over ten on one that is very busy (seen), which another start from the
 * beginning would make busier.
 */
const START_MS = 30_000;

/** What a worker writes on its standard error is for the log, in bounded pieces. */
const STDERR_CHARACTERS_MAX = 4_000;

export interface WorkerProcessOptions {
  /** Address space of the process. Node.js itself maps about 1.2 GB, most of which it never touches. */
  readonly addressSpaceBytesMax: number;
  /** Exists, and is the process's alone; whoever starts it removes it when the process has ended. */
  readonly tempFolder: string;
  /** Told what the process writes on standard error, and how it ended when nobody ended it. */
  readonly onTrouble: (message: string) => void;
}

/** One child process that runs one statement at a time. It dies with its host. */
export class WorkerProcess {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  /** A statement took it to its limits: what an engine keeps of that would be missing to the next, so it must be replaced. */
  mustReplace = false;
  /** The key of the engine it has open, once it ran something. */
  engineKey: string | undefined;
  jobsDone = 0;
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #frames: FrameQueue;
  readonly #elsewhere = new RemoteStatement();
  #exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  #killed = false;
  #isRunning = false;

  private constructor(child: ChildProcess, pid: number, options: WorkerProcessOptions) {
    this.#child = child;
    this.pid = pid;
    this.#channel = child.stdio[3] as Duplex;
    this.#frames = new FrameQueue(this.#channel, (cause) => {
      options.onTrouble(`query worker ${pid} sent what is no frame, and is killed: ${cause.message}`);
      this.kill();
    });
    child.stderr?.on('data', (chunk: Buffer) =>
      options.onTrouble(chunk.toString('utf8').slice(0, STDERR_CHARACTERS_MAX)),
    );
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        if (!this.#killed) options.onTrouble(`query worker ${pid} ended by itself (${this.#howItEnded})`);
        resolve();
      });
    });
  }

  /**
   * Starts a process and waits until it can take a job. Throws `engine_unavailable` when it cannot be started in time, and kills
   * it when `signal` aborts meanwhile.
   */
  static async start(options: WorkerProcessOptions, signal: AbortSignal): Promise<WorkerProcess> {
    // A session of its own: Ctrl-C in a terminal must not reach it before the host has drained.
    const [command, ...prefix] = commandOf(options.addressSpaceBytesMax);
    const child = spawn(command, [...prefix, ...NODE_FLAGS, ENTRY, options.tempFolder], {
      cwd: '/',
      env: WORKER_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw notStarted(cause);
    }
    const worker = new WorkerProcess(child, child.pid ?? -1, options);
    let late = '';
    const kill = (): void => worker.kill();
    const timer = setTimeout(() => {
      late = ` within ${START_MS / 1_000} s`;
      kill();
    }, START_MS);
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    try {
      const ready = await worker.#frames.take();
      if (ready?.kind === 'ready' && worker.isAlive) return worker;
      worker.kill();
      await worker.exited;
      throw notStarted(new Error(`query worker ${worker.pid} was not ready${late} (${worker.#howItEnded})`));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
  }

  get #howItEnded(): string {
    return `code ${this.#exit?.code ?? null}, signal ${this.#exit?.signal ?? null}`;
  }

  /** A statement runs, or is being stopped. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  get isAlive(): boolean {
    return this.#exit === undefined && !this.#killed;
  }

  /**
   * Runs one job; events as the engine contract says. When `signal` aborts, the worker is told to interrupt its engine and is
   * killed when it has not answered a second later; the iterator then throws the signal's reason. Leaving the iterator early
   * cancels too. After it has returned or thrown, the process is idle or dead.
   */
  async *run(job: QueryJob, signal: AbortSignal, onProgress?: OnProgress): AsyncIterable<ResultEvent> {
    signal.throwIfAborted();
    this.engineKey = job.engine.key;
    this.jobsDone += 1;
    this.#isRunning = true;
    this.#frames.keepRows();
    const aging = new Aging(this.pid);
    const stop = new JobStop(this.#channel, this.#frames, () => this.kill());
    const onAbort = (): void => stop.begin();
    signal.addEventListener('abort', onAbort);
    let over = false;
    try {
      this.#channel.write(encodeFrame('run', job));
      while (!over) {
        const frame = await this.#take();
        over = frame === undefined || frame.kind === 'end' || frame.kind === 'failed';
        if (frame === undefined) await this.exited; // its channel closes first; from here on it counts as dead
        signal.throwIfAborted();
        if (frame?.kind === 'progress') onProgress?.(decodeJson(frame.payload) as JobProgress);
        else yield this.#event(frame);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (!over) await this.#stopAndWait(stop);
      stop.done();
      this.#isRunning = false;
      if (!aging.end()) this.mustReplace = true;
      await this.#elsewhere.cancel(job);
    }
  }

  /** Ends the process at once, whatever it does. */
  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  /** Reads on until the worker has said its last word about the job, or is gone. */
  async #stopAndWait(stop: JobStop): Promise<void> {
    stop.begin();
    for (;;) {
      const frame = await this.#take();
      if (frame === undefined) await this.exited; // or the next statement would be given to a dead process
      if (frame === undefined || frame.kind === 'end') return;
      if (frame.kind !== 'failed') continue;
      if ((decodeJson(frame.payload) as FailedPayload).mustReplace) this.kill();
      return;
    }
  }

  /** The next frame but those that tell where the statement runs. */
  async #take(): Promise<Frame | undefined> {
    for (;;) {
      const frame = await this.#frames.take();
      if (!this.#elsewhere.note(frame)) return frame;
    }
  }

  #event(frame: Frame | undefined): ResultEvent {
    switch (frame?.kind) {
      case 'columns':
        return { kind: 'columns', columns: (decodeJson(frame.payload) as { columns: Column[] }).columns };
      case 'rows':
        return { kind: 'rows', ...decodeRows(frame.payload) };
      case 'end':
        return { kind: 'end', limited: (decodeJson(frame.payload) as { limited: boolean }).limited };
      case 'failed':
        throw this.#failure(decodeJson(frame.payload) as FailedPayload);
      default:
        throw this.#deathProblem();
    }
  }

  #failure(payload: FailedPayload): ProblemError {
    if (payload.mustReplace) this.kill();
    if (payload.code === 'resource_limit') this.mustReplace = true;
    return new ProblemError(payload.code, payload.message, {
      ...(payload.location === undefined ? {} : { location: payload.location }),
      ...(payload.cause === undefined ? {} : { cause: payload.cause }),
    });
  }

  #deathProblem(): ProblemError {
    return deathProblem(this.#exit?.signal ?? null, new Error(`query worker ${this.pid} died (${this.#howItEnded})`));
  }
}
