import type { ResultEvent } from '@sluice/engine';
import type { OnProgress, QueryJob } from '../../protocol/query-job.ts';
import type { WorkerLease } from '../worker-source.ts';
import type { GrantedWorker, StatementStarts } from './statement-starts.ts';
import type { PooledWorker } from './workers.ts';

interface GrantedLeaseOptions {
  readonly engineKey: string;
  readonly worker: PooledWorker;
  readonly starts: StatementStarts;
  /** Called once, with the worker that the lease has in the end. */
  readonly onEnd: (worker: PooledWorker) => void;
}

/** A lease whose first statement waits for its turn to start. */
export class GrantedLease implements WorkerLease {
  readonly #granted: GrantedWorker;
  readonly #starts: StatementStarts;
  readonly #onEnd: (worker: PooledWorker) => void;
  #hasStarted = false;
  #isEnded = false;

  constructor({ engineKey, worker, starts, onEnd }: GrantedLeaseOptions) {
    this.#granted = { engineKey, worker };
    this.#starts = starts;
    this.#onEnd = onEnd;
    starts.add(this.#granted);
  }

  run(job: QueryJob, signal: AbortSignal, onProgress?: OnProgress): AsyncIterable<ResultEvent> {
    if (this.#hasStarted) return this.#granted.worker.run(job, signal, onProgress);
    this.#hasStarted = true;
    return { [Symbol.asyncIterator]: () => this.#firstRun(job, signal, onProgress) };
  }

  /** No generator: after the first event, each step is a call of the worker's own iterator. */
  #firstRun(...[job, signal, onProgress]: Parameters<WorkerLease['run']>): AsyncIterator<ResultEvent> {
    let events: AsyncIterator<ResultEvent> | undefined;
    let isClosed = false;
    const begin = async (): Promise<IteratorResult<ResultEvent>> => {
      await this.#turn(signal);
      signal.throwIfAborted();
      if (isClosed || this.#isEnded) return { done: true, value: undefined };
      this.#starts.begin(this.#granted);
      events = this.#granted.worker.run(job, signal, onProgress)[Symbol.asyncIterator]();
      return events.next();
    };
    return {
      next: () => (events === undefined ? begin() : events.next()),
      return: async () => {
        isClosed = true;
        return (await events?.return?.()) ?? { done: true, value: undefined };
      },
    };
  }

  /** Resolves when the statement may start, or when `signal` aborts. */
  async #turn(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#starts.end(this.#granted);
    signal.addEventListener('abort', onAbort, { once: true });
    await this.#starts.waitForTurn(this.#granted);
    signal.removeEventListener('abort', onAbort);
  }

  [Symbol.dispose](): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#starts.end(this.#granted);
    this.#onEnd(this.#granted.worker);
  }
}
