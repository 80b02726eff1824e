import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import type { SentEvent, TableName } from '@sluice/engine';
import { setNiceness, WORKER_NICENESS } from '../os/niceness.ts';
import { decodeJson, decodeRows, encodeFrame, encodeFrameHeader, type Frame } from '../protocol/frames.ts';
import type { FailedPayload, NotKeptPayload, StoredRange } from '../protocol/payloads.ts';
import type {
  JobProgress,
  OnProgress,
  OnStored,
  QueryJob,
  ReadStored,
  StoredEnd,
  StoredPart,
} from '../protocol/query-job.ts';
import { FrameQueue } from './frame-queue.ts';
import { RemoteStatement } from './remote-statement.ts';
import { spawnWorker, type WorkerLimits } from './spawn-worker.ts';
import { exitProblem, isKilledFromOutside, notStarted } from './worker-problems.ts';

/** The longer a statement runs, the lower its priority, so that short statements overtake it. `niceness` is above that of the host. */
const DECAY_STEPS: readonly { readonly afterMs: number; readonly niceness: number }[] = [
  { afterMs: 3_000, niceness: 10 },
  { afterMs: 15_000, niceness: 19 },
];

/** Lowers the priority of a worker as its statement runs longer. */
class PriorityDecay {
  readonly #pid: number;
  readonly #timers: readonly NodeJS.Timeout[];
  #isLowered = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timers = DECAY_STEPS.map(({ afterMs, niceness }) =>
      setTimeout(() => {
        this.#isLowered = true;
        setNiceness(pid, niceness);
      }, afterMs).unref(),
    );
  }

  /** Restores the priority when the statement has ended. Returns false when it stays low: raising a priority takes a privilege. */
  end(): boolean {
    for (const timer of this.#timers) clearTimeout(timer);
    return !this.#isLowered || setNiceness(this.#pid, WORKER_NICENESS);
  }
}

/** Time for an interrupted engine to stop before its process is killed: some functions never check for interrupts (measured). */
const INTERRUPT_GRACE_MS = 1_000;

/** Cancellation of a running job: the engine is interrupted first, and the process is killed a second later. */
class JobCancellation {
  readonly #frames: FrameQueue;
  readonly #kill: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(frames: FrameQueue, kill: () => void) {
    this.#frames = frames;
    this.#kill = kill;
  }

  begin(): void {
    if (this.#timer !== undefined) return;
    this.#frames.discardRows();
    this.#frames.channel.write(encodeFrame('cancel'));
    this.#timer = setTimeout(this.#kill, INTERRUPT_GRACE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Time from spawn to ready: half a second on an idle machine, over ten on a very busy one (observed), which another start would
 * make busier.
 */
const START_TIMEOUT_MS = 30_000;

/** Limit of each piece of a worker's standard error that is logged. */
const STDERR_CHARACTERS_MAX = 4_000;

export interface WorkerProcessOptions extends WorkerLimits {
  /** Receives the standard error of the process, and how it ended if the host did not kill it. */
  readonly onWarning: (message: string) => void;
}

const isStored = (frame: Frame | undefined): frame is Frame =>
  frame?.kind === 'stored' || frame?.kind === 'stored-end' || frame?.kind === 'not-kept';

function storedPartOf({ kind, payload, release = () => undefined }: Frame): StoredPart {
  if (kind === 'stored') return { kind: 'bytes', bytes: payload, release };
  if (kind === 'stored-end') return { kind: 'end', end: decodeJson(payload) as StoredEnd };
  return { kind: 'not kept', reason: (decodeJson(payload) as NotKeptPayload).reason };
}

/** A child process that runs one statement at a time and ends with its host. */
export class WorkerProcess {
  readonly pid: number;
  readonly tempFolder: string;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  /** A statement reached a resource limit: memory that the engine keeps would be missing to the next, so it must be replaced. */
  mustReplace = false;
  /** Key of the open engine; undefined until the first job. */
  engineKey: string | undefined;
  jobsDone = 0;
  /** Start of the last job on the clock of `performance.now()`. */
  lastRunMs = -1;
  readonly #child: ChildProcess;
  readonly #frames: FrameQueue;
  readonly #remoteStatement = new RemoteStatement();
  #exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  #killed = false;
  #isRunning = false;
  /** The last job has sent a frame. */
  #hasAnswered = false;

  private constructor(child: ChildProcess, pid: number, options: WorkerProcessOptions) {
    this.#child = child;
    this.pid = pid;
    this.tempFolder = options.tempFolder;
    this.#frames = new FrameQueue(child.stdio[3] as Duplex, (cause) => {
      options.onWarning(`query worker ${pid} sent an invalid frame and was killed: ${cause.message}`);
      this.kill();
    });
    child.stderr?.on('data', (chunk: Buffer) =>
      options.onWarning(chunk.toString('utf8').slice(0, STDERR_CHARACTERS_MAX)),
    );
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        if (!this.#killed) options.onWarning(`query worker ${pid} ended unexpectedly (${this.#exitStatus})`);
        resolve();
      });
    });
  }

  /**
   * Starts a process and waits until it is ready for a job. Throws `engine_unavailable` when it is not ready in time. Kills the
   * process when `signal` aborts.
   */
  static async start(options: WorkerProcessOptions, signal: AbortSignal): Promise<WorkerProcess> {
    const child = spawnWorker(options);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw notStarted(cause);
    }
    const worker = new WorkerProcess(child, child.pid ?? -1, options);
    let timeLimit = '';
    const kill = (): void => worker.kill();
    const timer = setTimeout(() => {
      timeLimit = ` within ${START_TIMEOUT_MS / 1_000} s`;
      kill();
    }, START_TIMEOUT_MS);
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    try {
      const ready = await worker.#frames.next();
      if (ready?.kind === 'ready' && worker.isAlive) return worker;
      worker.kill();
      await worker.exited;
      throw notStarted(new Error(`query worker ${worker.pid} was not ready${timeLimit} (${worker.#exitStatus})`));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
  }

  get #exitStatus(): string {
    return `code ${this.#exit?.code ?? null}, signal ${this.#exit?.signal ?? null}`;
  }

  /** Whether a statement runs or is being stopped. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  get isAlive(): boolean {
    return this.#exit === undefined && !this.#killed;
  }

  get wasLostBeforeFirstFrame(): boolean {
    return !this.#hasAnswered && !this.#killed && isKilledFromOutside(this.#exit?.signal ?? null);
  }

  /**
   * Runs one job and yields the events of the engine contract. When `signal` aborts, the worker interrupts its engine and is killed
   * if that takes longer than a second; the iterator then throws the signal's reason. Leaving the iterator early cancels the job
   * too. After it has returned or thrown, the process is idle or dead. Throws what `readStored` throws.
   */
  async *run(
    job: QueryJob,
    signal: AbortSignal,
    onProgress?: OnProgress,
    onStored?: OnStored,
    readStored?: ReadStored,
  ): AsyncIterable<SentEvent> {
    signal.throwIfAborted();
    this.engineKey = job.engine.key;
    this.jobsDone += 1;
    this.lastRunMs = performance.now();
    this.#isRunning = true;
    this.#hasAnswered = false;
    this.#frames.keepRows();
    const aging = new PriorityDecay(this.pid);
    const stop = new JobCancellation(this.#frames, () => this.kill());
    const onAbort = (): void => stop.begin();
    signal.addEventListener('abort', onAbort);
    let over = false;
    try {
      this.#frames.channel.write(encodeFrame('run', job));
      while (!over) {
        const frame = await this.#nextFrame();
        over = frame === undefined || frame.kind === 'end' || frame.kind === 'failed';
        if (frame === undefined) await this.exited; // the channel closes before the process counts as dead
        signal.throwIfAborted();
        if (frame?.kind === 'progress') onProgress?.(decodeJson(frame.payload) as JobProgress);
        else if (frame?.kind === 'read-stored') await this.#sendStored(frame, readStored);
        else if (isStored(frame)) this.#passStored(frame, onStored);
        else yield this.#event(frame);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (!over) await this.#stopAndWait(stop);
      stop.end();
      this.#isRunning = false;
      if (!aging.end()) this.mustReplace = true;
      await this.#remoteStatement.cancel(job);
    }
  }

  /** Passes a part of a kept result on, and tells the worker to stop keeping when it is not wanted. */
  #passStored(frame: Frame, onStored: OnStored | undefined): void {
    if (onStored?.(storedPartOf(frame)) === true) return;
    if (onStored === undefined) frame.release?.();
    if (frame.kind === 'stored') this.#frames.channel.write(encodeFrame('stop-keeping'));
  }

  /** Sends bytes of a kept result that the worker asked for. It asks for the next ones early, so it does not wait for these. */
  async #sendStored({ payload }: Frame, readStored: ReadStored | undefined): Promise<void> {
    if (readStored === undefined) throw new Error('A query worker asked for a kept result that its job does not have.');
    const { start, end } = decodeJson(payload) as StoredRange;
    const bytes = await readStored(start, end);
    const { channel } = this.#frames;
    channel.write(encodeFrameHeader('stored-bytes', bytes.byteLength));
    channel.write(bytes);
  }

  /** Kills the process immediately. */
  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  /** Cancels the job and reads until its last frame or the end of the worker. */
  async #stopAndWait(stop: JobCancellation): Promise<void> {
    stop.begin();
    for (;;) {
      const frame = await this.#nextFrame();
      if (frame === undefined) await this.exited; // otherwise the next statement would go to a dead process
      if (frame === undefined || frame.kind === 'end') return;
      if (frame.kind !== 'failed') continue;
      if ((decodeJson(frame.payload) as FailedPayload).mustReplace) this.kill();
      return;
    }
  }

  /** Returns the next frame. Handles the frames with the address of a remote statement itself. */
  async #nextFrame(): Promise<Frame | undefined> {
    for (;;) {
      const frame = await this.#frames.next();
      if (frame !== undefined) this.#hasAnswered = true;
      if (!this.#remoteStatement.update(frame)) return frame;
    }
  }

  #event(frame: Frame | undefined): SentEvent {
    switch (frame?.kind) {
      case 'columns':
        return { kind: 'columns', ...(decodeJson(frame.payload) as { columns: Column[]; tables?: TableName[] }) };
      case 'rows':
        return { kind: 'rows', ...decodeRows(frame.payload), ...(frame.release && { release: frame.release }) };
      case 'end':
        return { kind: 'end', limited: (decodeJson(frame.payload) as { limited: boolean }).limited };
      case 'failed':
        throw this.#failure(decodeJson(frame.payload) as FailedPayload);
      default:
        throw this.#exitProblem();
    }
  }

  #failure(payload: FailedPayload): ProblemError {
    if (payload.mustReplace) this.kill();
    if (payload.code === 'resource_limit') this.mustReplace = true;
    return new ProblemError(payload.code, payload.message, {
      ...(payload.location === undefined ? {} : { location: payload.location }),
      engineError: payload.engineError,
      ...(payload.cause === undefined ? {} : { cause: payload.cause }),
    });
  }

  #exitProblem(): ProblemError {
    return exitProblem(this.#exit?.signal ?? null, new Error(`query worker ${this.pid} ended (${this.#exitStatus})`));
  }
}
