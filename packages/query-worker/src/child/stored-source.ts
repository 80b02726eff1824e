import type { ResultBytes } from '@sluice/result-store/form';
import type { StoredRange } from '../protocol/payloads.ts';

interface StoredSourceOptions {
  /** Length of the sealed bytes. */
  readonly length: number;
  /** Asks the host for bytes. The host sends them in the order in which they were asked for. */
  readonly ask: (range: StoredRange) => void;
  readonly signal: AbortSignal;
}

interface PendingRead {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

/** Sealed bytes of the kept result of one job, which the host reads from its store. Reads reject with the reason of an aborted signal. */
export class StoredSource implements ResultBytes {
  readonly length: number;
  readonly #options: StoredSourceOptions;
  readonly #pending: PendingRead[] = [];

  constructor(options: StoredSourceOptions) {
    this.length = options.length;
    this.#options = options;
    const { signal } = options;
    signal.addEventListener('abort', () => {
      for (const { reject } of this.#pending.splice(0)) reject(signal.reason);
    });
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const { ask, signal } = this.#options;
    signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      ask({ start, end });
    });
  }

  /** Takes bytes from the host. Those that a cancelled job had asked for are ignored. */
  receive(bytes: Uint8Array): void {
    this.#pending.shift()?.resolve(bytes);
  }
}
