import type { DuckDBConnection } from '@duckdb/node-api';

const REPEAT_MS = 50;

/**
 * Interrupts a connection when a signal aborts or on request, and repeats until it is disposed of: DuckDB forgets an interrupt
 * between two steps of a statement, or before a step has its thread.
 */
export class Interruption implements Disposable {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.begin();
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: DuckDBConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.begin();
  }

  begin(): void {
    this.#connection.interrupt();
    this.#timer ??= setInterval(() => this.#connection.interrupt(), REPEAT_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
