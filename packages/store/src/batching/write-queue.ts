import type { PendingWrite } from './settle-writes.ts';

interface WriteQueueDependencies<W, A> {
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
export class WriteQueue<W, A> {
  readonly #dependencies: WriteQueueDependencies<W, A>;
  readonly #waiting: PendingWrite<W, A>[] = [];
  /** Batch in flight that the waiting writes wait for. */
  #inFlight: readonly PendingWrite<W, A>[] | undefined;
  #waitTimer: NodeJS.Timeout | undefined;

  constructor(dependencies: WriteQueueDependencies<W, A>) {
    this.#dependencies = dependencies;
  }

  add(write: W): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#inFlight === undefined) void this.#send();
      else this.#startTimer();
    });
  }

  async #send(): Promise<void> {
    const batch = this.#takeBatch();
    this.#inFlight = batch;
    this.#startTimer();
    await this.#dependencies.send(batch);
    if (this.#inFlight === batch) this.#sendNext();
  }

  #sendNext(): void {
    clearTimeout(this.#waitTimer);
    this.#waitTimer = undefined;
    this.#inFlight = undefined;
    if (this.#waiting.length > 0) void this.#send();
    else this.#dependencies.onIdle();
  }

  #startTimer(): void {
    if (this.#waiting.length > 0) this.#waitTimer ??= setTimeout(() => this.#sendNext(), MAX_WAIT_MS);
  }

  #takeBatch(): PendingWrite<W, A>[] {
    let [count, characters] = [0, 0];
    for (const { write } of this.#waiting.slice(0, WRITES_MAX)) {
      characters += this.#dependencies.charactersOf(write);
      if (count > 0 && characters > CHARACTERS_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
