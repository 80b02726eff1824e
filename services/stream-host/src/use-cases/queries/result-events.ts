import { ProblemError } from '@sluice/contract';
import type { ResultEvent } from '@sluice/engine';

/** Reads the events of a job. A source that ends without an `end` event is an error. */
export class ResultEvents implements AsyncIterableIterator<ResultEvent> {
  readonly #source: AsyncIterator<ResultEvent>;
  readonly #signal: AbortSignal;
  readonly #buffered: ResultEvent[] = [];

  constructor(source: AsyncIterator<ResultEvent>, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /** Waits for the first rows, or for the end of a result without rows. `next` returns these events again. */
  async readFirst(): Promise<void> {
    for (;;) {
      const event = await this.#read();
      this.#buffered.push(event);
      if (event.kind !== 'columns') return;
    }
  }

  async next(): Promise<IteratorResult<ResultEvent>> {
    return { done: false, value: this.#buffered.shift() ?? (await this.#read()) };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the source. There is no `return`, so that leaving a loop does not wait for the engine. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #read(): Promise<ResultEvent> {
    const step = await this.#source.next();
    if (step.done !== true) return step.value;
    this.#signal.throwIfAborted();
    throw new ProblemError('internal', 'The result ended without its end mark. The data that was sent is incomplete.');
  }
}
