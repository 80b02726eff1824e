import type { PendingWrite } from './settle-writes.ts';

export interface WriteLaneDependencies<W, A> {
  readonly charactersOf: (write: W) => number;
  /** Settles every write of the batch; never rejects. */
  readonly send: (batch: readonly PendingWrite<W, A>[]) => Promise<void>;
  /** Called when no batch is in flight and no write waits. */
  readonly onIdle: () => void;
}

const WRITES_MAX = 64;
/** A batch is one message, which the driver and the server hold in memory as a whole. */
const CHARACTERS_MAX = 1_000_000;
/** Longest wait for the batch in flight: a connection that hangs must not stop a tenant for as long as it hangs. */
const MAX_WAIT_MS = 100;

/** Queue of one tenant's writes. Sends one batch at a time, unless it takes too long; writes that arrive meanwhile form the next batch. */
export class WriteLane<W, A> {
  readonly #parts: WriteLaneDependencies<W, A>;
  readonly #waiting: PendingWrite<W, A>[] = [];
  /** Batch in flight that the waiting writes wait for. */
  #ahead: readonly PendingWrite<W, A>[] | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(parts: WriteLaneDependencies<W, A>) {
    this.#parts = parts;
  }

  add(write: W): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#ahead === undefined) void this.#send();
      else this.#watch();
    });
  }

  async #send(): Promise<void> {
    const batch = this.#takeBatch();
    this.#ahead = batch;
    this.#watch();
    await this.#parts.send(batch);
    if (this.#ahead === batch) this.#goOn();
  }

  #goOn(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#ahead = undefined;
    if (this.#waiting.length > 0) void this.#send();
    else this.#parts.onIdle();
  }

  #watch(): void {
    if (this.#waiting.length > 0) this.#patience ??= setTimeout(() => this.#goOn(), MAX_WAIT_MS);
  }

  #takeBatch(): PendingWrite<W, A>[] {
    let [count, characters] = [0, 0];
    for (const { write } of this.#waiting.slice(0, WRITES_MAX)) {
      characters += this.#parts.charactersOf(write);
      if (count > 0 && characters > CHARACTERS_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
