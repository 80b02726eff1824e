import { availableParallelism } from 'node:os';
import { addressSpaceBytes } from './address-space.ts';
import { HeldWorkers } from './held-workers.ts';
import { busy, reasonOf, shuttingDown } from './pool-problems.ts';
import { startWorker } from './start-worker.ts';
import { TempFolders } from './temp-folders.ts';
import { Waiter, type WorkerApplicant } from './waiter.ts';
import type { WorkerProcess } from './worker-process.ts';
import type { WorkerLease, WorkerSource } from './worker-source.ts';

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

/**
 * A process is replaced after so many statements, so that nothing an engine leaks can grow for ever. A new one costs about a second
 * of processor until its code is compiled, as much as 300 small statements do.
 */
const JOBS_PER_WORKER_MAX = 10_000;
/** Node.js and the engine's code map about 0.9 GB at the start, most of it never touched. */
const MAPPED_SHARE_MAX = 0.6;
/** More starts at once would only delay the first of them: they are all work for a processor. */
const STARTS_MAX = availableParallelism();
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
  readonly #held = new HeldWorkers();
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

  /** Processes that run a statement now. */
  get busy(): number {
    return [...this.#all].filter((worker) => worker.isAlive && !this.#idle.includes(worker)).length;
  }

  /** Process ids of all workers, for tests and for the operator's eyes. */
  get pids(): readonly number[] {
    return [...this.#all].map((worker) => worker.pid);
  }

  async acquire(engineKey: string, signal: AbortSignal, accountId?: string): Promise<WorkerLease> {
    const worker = await this.#take({ engineKey, accountId }, signal);
    let released = false;
    return {
      run: (job, jobSignal, onProgress) => worker.run(job, jobSignal, onProgress),
      [Symbol.dispose]: () => {
        if (released) return;
        released = true;
        this.#release(worker, accountId);
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

  async #take(applicant: WorkerApplicant, signal: AbortSignal): Promise<WorkerProcess> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const waiter = new Waiter(applicant);
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

  /** The one that was used last, whose code and memory are warm. */
  #takeIdle(fits: (worker: WorkerProcess) => boolean): WorkerProcess | undefined {
    const index = this.#idle.findLastIndex((worker) => worker.isAlive && fits(worker));
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  #release(worker: WorkerProcess, accountId: string | undefined): void {
    if (worker.isAlive && !this.#isWorn(worker) && !this.#closing.signal.aborted) {
      this.#held.giveBack(accountId);
      this.#idle.push(worker);
    } else {
      this.#held.lose(accountId);
      worker.kill();
    }
    this.#fill();
  }

  /** Memory that an engine once mapped it keeps, and a statement must not fail for what another one needed. */
  #isWorn(worker: WorkerProcess): boolean {
    const mapped = addressSpaceBytes(worker.pid) / this.#options.addressSpaceBytesMax;
    return worker.isWorn || worker.jobsDone >= JOBS_PER_WORKER_MAX || mapped > MAPPED_SHARE_MAX;
  }

  /** Hands idle workers out: to those who have fewest first, then to those who wait longest. */
  #serve(): void {
    const waiting = this.#waiting.filter((waiter) => waiter.isWaiting);
    while (waiting.length > 0) {
      waiting.sort((a, b) => this.#held.of(a.applicant.accountId) - this.#held.of(b.applicant.accountId));
      const index = waiting.findIndex((waiter) => this.#serveOne(waiter));
      if (index === -1) return;
      waiting.splice(index, 1);
    }
  }

  #serveOne(waiter: Waiter): boolean {
    const { engineKey, accountId } = waiter.applicant;
    if (this.#held.of(accountId) > 0 && this.#isLastIdle()) return false;
    const worker =
      this.#takeIdle((candidate) => candidate.engineKey === engineKey) ??
      this.#takeIdle((candidate) => candidate.engineKey === undefined);
    if (worker === undefined) return false;
    this.#held.take(accountId);
    waiter.resolve(worker);
    return true;
  }

  /** One that is idle is kept for others than those who have one, while another is on its way or can be. */
  #isLastIdle(): boolean {
    const idle = this.#idle.filter((worker) => worker.isAlive).length;
    return idle < 2 && this.#options.workersWarm > 0 && (this.#room > 0 || this.#starts.size > 0);
  }

  /** How many more processes may be started. */
  get #room(): number {
    return this.#options.workersMax - this.#all.size - this.#starts.size;
  }

  /** Starts processes until those who wait are served and enough are warm, as far as the limit allows. */
  #fill(): void {
    if (this.#closing.signal.aborted) return;
    this.#serve();
    const waiting = this.#waiting.filter((waiter) => waiter.isWaiting).length;
    const blank = this.#idle.filter((worker) => worker.isAlive && worker.engineKey === undefined).length;
    const missing = waiting + this.#options.workersWarm - blank - this.#starts.size;
    const startable = Math.min(missing, this.#room, STARTS_MAX - this.#starts.size);
    for (let count = startable; count > 0; count -= 1) this.#startOne();
    this.#makeRoom(waiting);
    if (this.#starts.size === 0 && this.#dying === 0) this.#held.replaceAll();
  }

  /**
   * At the limit, idle workers that fit nobody who waits make room: as many as wait and have none on its way, starting or dying.
   * One that fits is kept for others and serves them next.
   */
  #makeRoom(waiting: number): void {
    for (let count = waiting - this.#starts.size - this.#dying - Math.max(0, this.#room); count > 0; count -= 1) {
      this.#takeIdle((worker) => !this.#isWanted(worker))?.kill();
    }
  }

  #isWanted({ engineKey }: WorkerProcess): boolean {
    return (
      engineKey === undefined ||
      this.#waiting.some((waiter) => waiter.isWaiting && waiter.applicant.engineKey === engineKey)
    );
  }

  get #dying(): number {
    return [...this.#all].filter((worker) => !worker.isAlive).length;
  }

  #startOne(): void {
    const start = this.#start().then((isStarted) => {
      this.#starts.delete(start);
      if (isStarted) this.#fill(); // others come before the account whose lost worker this one replaces
      this.#held.replaceOne();
      if (isStarted) this.#fill();
    });
    this.#starts.add(start);
  }

  /** Whether it could be started; never rejects. */
  async #start(): Promise<boolean> {
    try {
      const worker = await startWorker(this.#tempFolders, this.#options, this.#closing.signal);
      this.#lastStartFailed = false;
      this.#all.add(worker);
      void worker.exited.then(() => this.#forget(worker));
      this.#idle.push(worker);
      return true;
    } catch (thrown) {
      if (this.#closing.signal.aborted) return false;
      this.#options.onTrouble(`a query worker could not be started: ${reasonOf(thrown)}`);
      // One may fail by bad luck, and who waits can wait for the next; two in a row are how things are.
      if (this.#lastStartFailed) this.#waiting.find((waiter) => waiter.isWaiting)?.reject(thrown);
      this.#lastStartFailed = true;
      setTimeout(() => this.#fill(), RESTART_MS).unref();
      return false;
    }
  }

  #forget(worker: WorkerProcess): void {
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#fill();
  }
}
