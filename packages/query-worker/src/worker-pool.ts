import { ProblemError } from '@sluice/contract';
import type { ResultEvent } from '@sluice/engine';
import { addressSpaceBytes } from './address-space.ts';
import type { QueryJob } from './query-job.ts';
import { TempFolders } from './temp-folders.ts';
import { WorkerProcess } from './worker-process.ts';

export interface WorkerPoolOptions {
  /** Processes at once, idle ones included; each runs one statement. */
  readonly workersMax: number;
  /** Idle processes kept ready, so that a statement does not wait for one to start (365 ms, measured). */
  readonly workersWarm: number;
  /** How long a statement waits for a process before it is refused. */
  readonly queueTimeoutMs: number;
  /** Address space of each process, which the operating system enforces. */
  readonly addressSpaceBytesMax: number;
  /** Gets a folder for each process, for what does not fit its memory. */
  readonly tempParentFolder: string;
  readonly onTrouble: (message: string) => void;
}

/** A worker that is yours until you dispose of the lease. It runs one job after the other, not several at once. */
export interface WorkerLease extends Disposable {
  /** Events as the engine contract says. */
  run(job: QueryJob, signal: AbortSignal): AsyncIterable<ResultEvent>;
}

/** Where query workers come from. */
export interface WorkerSource {
  /**
   * Waits for a worker that may serve this engine. Throws `too_many_requests` when none is free in time, and the signal's
   * reason when it aborts.
   */
  acquire(engineKey: string, signal: AbortSignal): Promise<WorkerLease>;
}

/** A process is replaced after so many statements, so that nothing an engine leaks can grow for ever. */
const JOBS_PER_WORKER_MAX = 500;
/** Node.js and the engine's code map about 0.9 GB at the start, most of it never touched. */
const MAPPED_SHARE_MAX = 0.6;
/** A start that failed is tried again after so long. */
const RESTART_MS = 1_000;

/** Query workers, started ahead, handed out one a statement, and replaced when they die or have served long enough. */
export class WorkerPool implements WorkerSource, AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #idle: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  readonly #starts = new Set<Promise<void>>();
  readonly #waiting: Waiter[] = [];
  readonly #tempFolders: TempFolders;
  readonly #closing = new AbortController();
  #lastStartFailed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#tempFolders = new TempFolders(options.tempParentFolder);
    this.#fill();
  }

  /** Whether the last process that was started failed to start. */
  get isBroken(): boolean {
    return this.#lastStartFailed;
  }

  /** Processes alive now. */
  get size(): number {
    return this.#all.size;
  }

  /** Process ids of all workers, for tests and for the operator's eyes. */
  get pids(): readonly number[] {
    return [...this.#all].map((worker) => worker.pid);
  }

  async acquire(engineKey: string, signal: AbortSignal): Promise<WorkerLease> {
    const worker = await this.#take(engineKey, signal);
    let released = false;
    return {
      run: (job, jobSignal) => worker.run(job, jobSignal),
      [Symbol.dispose]: () => {
        if (!released) this.#release(worker);
        released = true;
      },
    };
  }

  /** Kills every worker, those that are being started too, and waits until all are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(shuttingDown());
    for (const waiter of this.#waiting.splice(0)) waiter.reject(shuttingDown());
    await Promise.all(this.#starts);
    const workers = [...this.#all];
    for (const worker of workers) worker.kill();
    await Promise.all(workers.map((worker) => worker.exited));
    await this.#tempFolders[Symbol.asyncDispose]();
  }

  async #take(engineKey: string, signal: AbortSignal): Promise<WorkerProcess> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const idle =
      this.#takeIdle((worker) => worker.engineKey === engineKey) ??
      this.#takeIdle((worker) => worker.engineKey === undefined);
    if (idle !== undefined) {
      this.#fill();
      return idle;
    }
    const waiter = new Waiter(engineKey);
    const giveUp = (): void => waiter.reject(signal.reason);
    const timer = setTimeout(() => waiter.reject(busy()), this.#options.queueTimeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.push(waiter);
    this.#fill();
    try {
      return await waiter.worker;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      const index = this.#waiting.indexOf(waiter);
      if (index !== -1) this.#waiting.splice(index, 1);
    }
  }

  #takeIdle(fits: (worker: WorkerProcess) => boolean): WorkerProcess | undefined {
    const index = this.#idle.findIndex((worker) => worker.isAlive && fits(worker));
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  #release(worker: WorkerProcess): void {
    if (worker.isAlive && !this.#isWorn(worker) && !this.#closing.signal.aborted) {
      this.#handOut(worker, (waiter) => worker.engineKey === undefined || waiter.engineKey === worker.engineKey);
    } else if (worker.isAlive) worker.kill();
    this.#fill();
  }

  /** Memory that an engine once mapped it keeps, and a statement must not fail for what another one needed. */
  #isWorn(worker: WorkerProcess): boolean {
    const mapped = addressSpaceBytes(worker.pid) / this.#options.addressSpaceBytesMax;
    return worker.isWorn || worker.jobsDone >= JOBS_PER_WORKER_MAX || mapped > MAPPED_SHARE_MAX;
  }

  /** To the first who waits and whom it fits, else among the idle. */
  #handOut(worker: WorkerProcess, fits: (waiter: Waiter) => boolean): void {
    const waiter = this.#waiting.find((candidate) => candidate.isWaiting && fits(candidate));
    if (waiter === undefined) this.#idle.push(worker);
    else waiter.resolve(worker);
  }

  /** Starts processes until those who wait are served and enough are warm, as far as the limit allows. */
  #fill(): void {
    if (this.#closing.signal.aborted) return;
    const waiting = this.#waiting.filter((waiter) => waiter.isWaiting).length;
    const blank = this.#idle.filter((worker) => worker.isAlive && worker.engineKey === undefined).length;
    const room = this.#options.workersMax - this.#all.size - this.#starts.size;
    const missing = waiting + this.#options.workersWarm - blank - this.#starts.size;
    for (let count = Math.min(missing, room); count > 0; count -= 1) this.#startOne();
    this.#makeRoom(waiting);
  }

  /** At the limit, idle workers of other tenants make room: as many as wait and have none on its way, starting or dying. */
  #makeRoom(waiting: number): void {
    const dying = [...this.#all].filter((worker) => !worker.isAlive).length;
    const free = this.#options.workersMax - this.#all.size - this.#starts.size;
    for (let count = waiting - this.#starts.size - dying - Math.max(0, free); count > 0; count -= 1) {
      this.#takeIdle(() => true)?.kill();
    }
  }

  #startOne(): void {
    const start = this.#start().finally(() => {
      this.#starts.delete(start);
    });
    this.#starts.add(start);
  }

  async #start(): Promise<void> {
    try {
      const worker = await this.#startProcess();
      this.#lastStartFailed = false;
      this.#all.add(worker);
      void worker.exited.then(() => this.#forget(worker));
      this.#handOut(worker, () => true);
    } catch (thrown) {
      if (this.#closing.signal.aborted) return;
      this.#lastStartFailed = true;
      this.#options.onTrouble(`a query worker could not be started: ${String(thrown)}`);
      this.#waiting.find((waiter) => waiter.isWaiting)?.reject(thrown);
      setTimeout(() => this.#fill(), RESTART_MS).unref();
    }
  }

  /** Its temporary folder goes when the process has ended, however it ends. */
  async #startProcess(): Promise<WorkerProcess> {
    const tempFolder = await this.#tempFolders.create();
    const remove = (): void => this.#tempFolders.remove(tempFolder);
    try {
      const worker = await WorkerProcess.start({ ...this.#options, tempFolder }, this.#closing.signal);
      void worker.exited.then(remove);
      return worker;
    } catch (thrown) {
      remove();
      throw thrown;
    }
  }

  #forget(worker: WorkerProcess): void {
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#fill();
  }
}

/** A statement that waits for a worker: served once, or given up once. */
class Waiter {
  readonly engineKey: string;
  readonly worker: Promise<WorkerProcess>;
  isWaiting = true;
  readonly #promise = withResolvers<WorkerProcess>();

  constructor(engineKey: string) {
    this.engineKey = engineKey;
    this.worker = this.#promise.promise;
  }

  resolve(worker: WorkerProcess): void {
    this.isWaiting = false;
    this.#promise.resolve(worker);
  }

  reject(reason: unknown): void {
    this.isWaiting = false;
    this.#promise.reject(reason);
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const busy = (): ProblemError =>
  new ProblemError('too_many_requests', 'All query workers are busy. Try again when another query has ended.', {
    retryAfterSeconds: 5,
  });

const shuttingDown = (): ProblemError =>
  new ProblemError('server_shutdown', 'This server is stopping. Send the request again.', { retryAfterSeconds: 1 });
