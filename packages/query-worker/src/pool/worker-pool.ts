import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ProblemError, temporaryFileProblem } from '@sluice/contract/problems';
import { addressSpaceBytes } from '../os/address-space.ts';
import { RESERVED_BYTES } from '../os/reserved-address-space.ts';
import { WorkerProcess, type WorkerProcessOptions } from '../parent/worker-process.ts';
import type { Workers, WorkersClient } from './admission/workers.ts';
import { TempFolders } from './temp-folders.ts';

/**
 * Starts a worker with a temporary folder, which is removed when the process has ended for any reason. Throws `storage_unavailable`
 * when the folder cannot be created and `engine_unavailable` when the process cannot be started.
 */
async function startWorker(
  tempFolders: TempFolders,
  options: Omit<WorkerProcessOptions, 'tempFolder'>,
  signal: AbortSignal,
): Promise<WorkerProcess> {
  const tempFolder = await tempFolders.create().catch((thrown: unknown) => {
    throw temporaryFileProblem(thrown);
  });
  const remove = (): void => tempFolders.remove(tempFolder);
  try {
    const worker = await WorkerProcess.start({ ...options, tempFolder }, signal);
    void worker.exited.then(remove);
    return worker;
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** Time after the start of its last statement during which an engine counts as in use. */
const IN_USE_MS = 5 * 60_000;

/** Recently used engines, and the number of idle workers that each should keep. */
class EnginesInUse {
  readonly #warmEach: number;
  readonly #lastMs = new Map<string, number>();

  constructor(warmEach: number) {
    this.#warmEach = warmEach;
  }

  note(engineKey: string): void {
    this.#lastMs.set(engineKey, performance.now());
  }

  /** Returns how many idle workers are missing, given the engines of the idle ones. */
  countMissing(idleKeys: readonly (string | undefined)[]): number {
    let missing = 0;
    for (const key of this.#inUse()) missing += Math.max(0, this.#warmEach - countOf(idleKeys, key));
    return missing;
  }

  /** Returns whether an idle worker of this engine should be kept. */
  needs(engineKey: string | undefined, idleKeys: readonly (string | undefined)[]): boolean {
    if (engineKey === undefined || !this.#inUse().includes(engineKey)) return false;
    return countOf(idleKeys, engineKey) <= this.#warmEach;
  }

  #inUse(): readonly string[] {
    const since = performance.now() - IN_USE_MS;
    for (const [key, lastMs] of this.#lastMs) if (lastMs < since) this.#lastMs.delete(key);
    return [...this.#lastMs.keys()];
  }
}

const countOf = (keys: readonly (string | undefined)[], key: string): number =>
  keys.filter((each) => each === key).length;

const shuttingDown = (): ProblemError =>
  new ProblemError('server_shutdown', 'This server is stopping. Send the request again.', { retryAfterSeconds: 1 });

/** Describes a failure for the operator, with the cause that callers do not see. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause !== undefined ? `${thrown.message} ${String(thrown.cause)}` : String(thrown);

export interface WorkerPoolOptions {
  /** Maximum number of processes, idle ones included; each runs one statement. */
  readonly workersMax: number;
  /** Idle processes kept ready for any tenant, so that a statement does not wait for a start (365 ms, measured). */
  readonly workersWarm: number;
  /** Idle processes kept ready for each tenant with recent statements. Default: none beyond `workersWarm`. */
  readonly workersWarmPerTenant?: number;
  /** Limit on the address space of each process, enforced by the operating system. */
  readonly addressSpaceBytesMax: number;
  /** Parent of the folders for data that does not fit the memory of a process. */
  readonly tempParentFolder: string;
  readonly onWarning: (message: string) => void;
}

/**
 * A process is replaced after this many statements, which bounds memory leaks of the engine. A new process costs about a second of
 * processor time until its code is compiled, as much as 300 small statements.
 */
const JOBS_PER_WORKER_MAX = 10_000;
/** Node.js and the engine's code map about 0.9 GB at the start and use little of it. */
const MAPPED_SHARE_MAX = 0.6;
/** A start is bound by the processor, so more starts at once would only delay the first. */
const STARTS_MAX = availableParallelism();
/** Delay before another attempt after a failed start. */
const RESTART_MS = 1_000;
/** Estimated time of a start on an idle machine, until one is measured. */
const START_MS_FIRST = 1_000;

const NO_CLIENT: WorkersClient = {
  onReady: () => undefined,
  onReplaced: () => undefined,
  onSettled: () => undefined,
  onStartFailed: () => undefined,
  onClose: () => undefined,
  enginesWanted: () => [],
};

/** Pool of query workers. It starts them ahead of time, lends one per statement, and replaces dead and worn-out ones. */
export class WorkerPool implements Workers, AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #idle: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  readonly #starts = new Set<Promise<void>>();
  readonly #tempFolders: TempFolders;
  readonly #inUse: EnginesInUse;
  readonly #closing = new AbortController();
  #client = NO_CLIENT;
  #lastStartFailed = false;
  #startMs = START_MS_FIRST;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#tempFolders = new TempFolders(options.tempParentFolder);
    this.#inUse = new EnginesInUse(options.workersWarmPerTenant ?? 0);
    this.fill();
  }

  connect(client: WorkersClient): void {
    this.#client = client;
  }

  /** Whether the last start of a process failed. */
  get isBroken(): boolean {
    return this.#lastStartFailed;
  }

  /** Number of processes. */
  get size(): number {
    return this.#all.size;
  }

  /** Number of processes that run a statement. */
  get busy(): number {
    return [...this.#all].filter((worker) => worker.isAlive && worker.isRunning).length;
  }

  /** Process ids of all workers, for tests. */
  get pids(): readonly number[] {
    return [...this.#all].map((worker) => worker.pid);
  }

  get canGrow(): boolean {
    return this.#options.workersWarm > 0 && (this.#room > 0 || this.#starts.size > 0);
  }

  get startingUp(): { readonly count: number; readonly eachMs: number } {
    return { count: this.#starts.size, eachMs: this.#startMs };
  }

  countReady(engineKey: string): number {
    return this.#idle.filter((worker) => worker.isAlive && fits(worker, engineKey)).length;
  }

  tryAcquire(engineKey: string): WorkerProcess | undefined {
    for (;;) {
      const worker =
        this.#takeIdle((candidate) => candidate.engineKey === engineKey) ??
        this.#takeIdle((candidate) => candidate.engineKey === undefined);
      if (worker !== undefined && !existsSync(worker.tempFolder)) {
        this.#options.onWarning(
          `query worker ${worker.pid} was replaced: its temporary folder was removed from outside`,
        );
        worker.kill();
        continue;
      }
      if (worker !== undefined) this.#inUse.note(engineKey);
      return worker;
    }
  }

  release(worker: WorkerProcess): boolean {
    const isReusable = this.#isReusable(worker);
    if (isReusable) this.#idle.push(worker);
    else worker.kill();
    return isReusable;
  }

  /** An engine keeps the memory that it has mapped, and a statement must not fail because of an earlier one. */
  #isReusable(worker: WorkerProcess): boolean {
    if (!worker.isAlive || worker.mustReplace || worker.jobsDone >= JOBS_PER_WORKER_MAX) return false;
    const mapped = (addressSpaceBytes(worker.pid) - RESERVED_BYTES) / this.#options.addressSpaceBytesMax;
    return mapped <= MAPPED_SHARE_MAX && !this.#closing.signal.aborted;
  }

  /** Kills every worker, starting ones too, and waits until all have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(shuttingDown());
    this.#client.onClose(shuttingDown());
    await Promise.all(this.#starts);
    const workers = [...this.#all];
    for (const worker of workers) worker.kill();
    await Promise.all(workers.map((worker) => worker.exited));
    await this.#tempFolders[Symbol.asyncDispose]();
  }

  /** Removes and returns the suitable idle worker that was used last, whose code and memory are warm. */
  #takeIdle(isSuitable: (worker: WorkerProcess) => boolean): WorkerProcess | undefined {
    const index = this.#idle.findLastIndex((worker) => worker.isAlive && isSuitable(worker));
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  /** Number of processes that may still be started. */
  get #room(): number {
    return this.#options.workersMax - this.#all.size - this.#starts.size;
  }

  fill(): void {
    if (this.#closing.signal.aborted) {
      this.#client.onClose(shuttingDown());
      return;
    }
    this.#client.onReady();
    const wanted = this.#client.enginesWanted();
    const idleKeys = this.#idle.filter((worker) => worker.isAlive).map(({ engineKey }) => engineKey);
    const blank = idleKeys.filter((key) => key === undefined).length;
    const warm = Math.max(this.#options.workersWarm, this.#inUse.countMissing(idleKeys));
    const missing = wanted.length + warm - blank - this.#starts.size;
    const startable = Math.min(missing, this.#room, STARTS_MAX - this.#starts.size);
    for (let count = startable; count > 0; count -= 1) this.#startOne();
    this.#makeRoom(wanted);
    if (this.#starts.size === 0 && this.#dying === 0) this.#client.onSettled();
  }

  /**
   * Kills idle workers that cannot serve a waiting request, if the limit is reached: one for each request without a starting or ending
   * worker. Workers that are kept warm for a tenant are killed last.
   */
  #makeRoom(wanted: readonly string[]): void {
    const missing = wanted.length - this.#starts.size - this.#dying - Math.max(0, this.#room);
    for (let count = missing; count > 0; count -= 1) {
      const isUnwanted = ({ engineKey }: WorkerProcess): boolean =>
        engineKey !== undefined && !wanted.includes(engineKey);
      const idleKeys = this.#idle.map(({ engineKey }) => engineKey);
      const worker =
        this.#takeIdle((one) => isUnwanted(one) && !this.#inUse.needs(one.engineKey, idleKeys)) ??
        this.#takeIdle(isUnwanted);
      worker?.kill();
    }
  }

  get #dying(): number {
    return [...this.#all].filter((worker) => !worker.isAlive).length;
  }

  #startOne(): void {
    const start = this.#start().then((isStarted) => {
      this.#starts.delete(start);
      if (isStarted) this.fill(); // before onReplaced: other accounts precede the one whose lost worker this replaces
      this.#client.onReplaced();
      if (isStarted) this.fill();
    });
    this.#starts.add(start);
  }

  /** Returns whether a worker was started. Never rejects. */
  async #start(): Promise<boolean> {
    const startedMs = performance.now();
    try {
      const worker = await startWorker(this.#tempFolders, this.#options, this.#closing.signal);
      this.#startMs = performance.now() - startedMs;
      this.#lastStartFailed = false;
      this.#all.add(worker);
      void worker.exited.then(() => this.#forget(worker));
      this.#idle.push(worker);
      return true;
    } catch (thrown) {
      if (this.#closing.signal.aborted) return false;
      this.#options.onWarning(`a query worker could not be started: ${reasonOf(thrown)}`);
      // A single failure may be transient, and the request waits for the next start. Two in a row are reported.
      if (this.#lastStartFailed) this.#client.onStartFailed(thrown);
      this.#lastStartFailed = true;
      setTimeout(() => this.fill(), RESTART_MS).unref();
      return false;
    }
  }

  #forget(worker: WorkerProcess): void {
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index !== -1) this.#idle.splice(index, 1);
    this.fill();
  }
}

const fits = (worker: WorkerProcess, engineKey: string): boolean =>
  worker.engineKey === undefined || worker.engineKey === engineKey;
