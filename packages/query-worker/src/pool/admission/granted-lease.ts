import type { SentEvent } from '@sluice/engine';
import type { QueryJob } from '../../protocol/query-job.ts';
import type { WorkerLease } from '../worker-source.ts';
import type { GrantedWorker, StatementStarts } from './statement-starts.ts';
import type { PooledWorker } from './workers.ts';

interface GrantedLeaseOptions {
  readonly engineKey: string;
  readonly worker: PooledWorker;
  readonly starts: StatementStarts;
  /** Waits for another worker instead of the lost one. */
  readonly replace: (signal: AbortSignal) => Promise<PooledWorker>;
  /** Takes back a worker of `replace` that is not needed any more. */
  readonly release: (worker: PooledWorker) => void;
  /** Called once, with the worker that the lease has in the end. */
  readonly onEnd: (worker: PooledWorker) => void;
}

const NO_MORE: IteratorResult<SentEvent> = { done: true, value: undefined };

/**
 * A lease whose first statement waits for its turn to start. The tables of a statement are named without one: that takes a fraction of the
 * time, and the statement then runs on the same worker, which has parsed it. A statement whose worker was lost before its first frame runs once more
 * on another one: nothing of its result was sent, and statements only read.
 */
export class GrantedLease implements WorkerLease {
  readonly #options: GrantedLeaseOptions;
  readonly #granted: GrantedWorker;
  #hasTurn = false;
  #hasBegun = false;
  #isEnded = false;

  constructor(options: GrantedLeaseOptions) {
    this.#options = options;
    this.#granted = { engineKey: options.engineKey, worker: options.worker };
    options.starts.add(this.#granted);
  }

  run(...job: Parameters<WorkerLease['run']>): AsyncIterable<SentEvent> {
    return { [Symbol.asyncIterator]: () => this.#events(...job) };
  }

  /** No generator: after the first event, each step is a call of the worker's own iterator. */
  #events(...[job, signal, ...callbacks]: Parameters<WorkerLease['run']>): AsyncIterator<SentEvent> {
    let events: AsyncIterator<SentEvent> | undefined;
    let isClosed = false;
    const isOver = (): boolean => isClosed || this.#isEnded;
    const start = (): Promise<IteratorResult<SentEvent>> => {
      events = this.#granted.worker.run(job, signal, ...callbacks)[Symbol.asyncIterator]();
      return events.next();
    };
    const begin = async (): Promise<IteratorResult<SentEvent>> => {
      if (!(await this.#mayStart(job, signal, isOver))) return NO_MORE;
      try {
        return await start();
      } catch (thrown) {
        if (signal.aborted || !this.#granted.worker.wasLostBeforeFirstFrame) throw thrown;
        return (await this.#replaceWorker(signal, isOver)) ? await start() : NO_MORE;
      }
    };
    return {
      next: () => (events === undefined ? begin() : events.next()),
      return: async () => {
        isClosed = true;
        return (await events?.return?.()) ?? NO_MORE;
      },
    };
  }

  /** Waits for the turn of the first statement. Returns false when the statement is over before. */
  async #mayStart({ wants }: QueryJob, signal: AbortSignal, isOver: () => boolean): Promise<boolean> {
    const needsTurn = wants !== 'tables' && !this.#hasTurn;
    if (needsTurn) this.#hasTurn = true;
    if (needsTurn) await this.#turn(signal);
    signal.throwIfAborted();
    if (isOver()) return false;
    if (!this.#hasBegun) this.#options.starts.begin(this.#granted);
    this.#hasBegun = true;
    return true;
  }

  /** Returns false when the statement is over before there is another worker. */
  async #replaceWorker(signal: AbortSignal, isOver: () => boolean): Promise<boolean> {
    const worker = await this.#options.replace(signal);
    if (isOver()) this.#options.release(worker);
    else this.#granted.worker = worker;
    return !isOver();
  }

  /** Resolves when the statement may start, or when `signal` aborts. */
  async #turn(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#options.starts.end(this.#granted);
    signal.addEventListener('abort', onAbort, { once: true });
    await this.#options.starts.waitForTurn(this.#granted);
    signal.removeEventListener('abort', onAbort);
  }

  [Symbol.dispose](): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.starts.end(this.#granted);
    this.#options.onEnd(this.#granted.worker);
  }
}
