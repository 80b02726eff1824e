import { ProblemError } from '@sluice/contract';
import { HEARTBEAT, orHeartbeat } from '@sluice/encoders';
import type { SentEvent } from '@sluice/engine';

/** Reads the events of a job. A source that ends without an `end` event is an error. */
export class ResultEvents {
  readonly #source: AsyncIterator<SentEvent>;
  readonly #signal: AbortSignal;
  readonly #buffered: SentEvent[] = [];
  /** The step that a heartbeat preceded. */
  #pending: Promise<IteratorResult<SentEvent>> | undefined;

  constructor(source: AsyncIterator<SentEvent>, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /** Waits for the first rows, or for the end of a result without rows. `next` returns these events again. */
  async readFirst(): Promise<void> {
    for (;;) {
      const event = this.#eventOf(await this.#source.next());
      this.#buffered.push(event);
      if (event.kind !== 'columns') return;
    }
  }

  /** Returns the next event, or HEARTBEAT when none arrives for `silenceMs`. Undefined: waits for any time. */
  async next(silenceMs: number | undefined): Promise<SentEvent | typeof HEARTBEAT> {
    const buffered = this.#buffered.shift();
    if (buffered !== undefined) return buffered;
    this.#pending ??= this.#source.next();
    const step = await (silenceMs === undefined ? this.#pending : orHeartbeat(this.#pending, silenceMs));
    if (step === HEARTBEAT) return HEARTBEAT;
    this.#pending = undefined;
    return this.#eventOf(step);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #eventOf(step: IteratorResult<SentEvent>): SentEvent {
    if (step.done !== true) return step.value;
    this.#signal.throwIfAborted();
    throw new ProblemError('internal', 'The result ended without its end mark. The data that was sent is incomplete.');
  }
}
