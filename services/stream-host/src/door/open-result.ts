import { asProblem, type Column, type Principal, type ProblemError } from '@sluice/contract';
import { PageBuffer } from './page-buffer.ts';
import type { PageReader } from './page-reader.ts';
import type { RowChunk, RowSource, SourceProgress } from './row-source.ts';

interface OpenResultOptions {
  readonly id: string;
  readonly account: Principal;
  readonly source: RowSource;
  readonly reader: PageReader;
}

/** Rows for a page, or why there are none. */
export type FoundRows =
  | { readonly kind: 'rows'; readonly pieces: readonly Uint8Array[]; readonly endRow: number; readonly isLast: boolean }
  /** There are no further rows yet. */
  | { readonly kind: 'waiting' }
  /** All rows have been read, and the receipt is durable. */
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly problem: ProblemError }
  /** The rows are in the store, if anywhere. */
  | { readonly kind: 'elsewhere' };

/** Wait for further rows of a page that has some: a page more costs more than these milliseconds. */
const GATHER_MS = 20;

/** Longest wait of an engine for the next request of its client, before the rest of the rows is left to the store. */
const ROOM_CHECK_MS = 100;
/**
 * Longest wait in all. A client that reads about as fast as the engine writes gets all pages from memory, without the detour by the store. The
 * worker is held for that much longer at most.
 */
const CLIENT_WAIT_MAX_MS = 1_000;

/**
 * The result of one statement whose rows this host makes. Its rows are taken whether or not a client asks for them, as far as the memory
 * allows; what is beyond that is left to the store, or waits in the engine.
 */
export class OpenResult {
  readonly id: string;
  readonly #account: Principal;
  readonly #source: RowSource;
  readonly #reader: PageReader;
  readonly #buffer = new PageBuffer();
  readonly #startedMs = performance.now();
  #endedMs: number | undefined;
  #end: { readonly problem: ProblemError | undefined } | undefined;
  #skipsRows = false;
  #skippedRows = 0;
  /** Time for which the engine may still wait for the client, if the store has the rows. */
  #clientWaitLeftMs = CLIENT_WAIT_MAX_MS;
  /** Called at each change of what a page could have. */
  readonly #listeners = new Set<() => void>();
  /** Time by `performance.now()` at which a client was last known to want the result. */
  wantedMs = performance.now();

  constructor({ id, account, source, reader }: OpenResultOptions) {
    this.id = id;
    this.#account = account;
    this.#source = source;
    this.#reader = reader;
    void this.#takeRows();
  }

  get columns(): readonly Column[] | undefined {
    return this.#source.columns;
  }

  get progress(): SourceProgress {
    return this.#source.progress;
  }

  get elapsedMs(): number {
    return (this.#endedMs ?? performance.now()) - this.#startedMs;
  }

  /** Memory of the rows. */
  get bytes(): number {
    return this.#buffer.bytes;
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /** Whether all rows are in the store. */
  get isKept(): boolean {
    return this.#source.isKept;
  }

  isOf({ tenant, kind, id }: Principal): boolean {
    const account = this.#account;
    return account.tenant.id === tenant.id && account.kind === kind && account.id === id;
  }

  /** Resolves with the rows from a number on, at the latest after this wait. */
  async page(firstRow: number, { waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<FoundRows> {
    const deadlineMs = performance.now() + waitMs;
    while (this.isRunning && this.#buffer.isNext(firstRow) && this.#buffer.endRow === firstRow && !this.#skipsRows) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      await this.#change(leftMs, signal);
    }
    if (this.isRunning && !this.#buffer.hasPage(firstRow) && this.#buffer.endRow > firstRow)
      await this.#gathered(firstRow, signal);
    return this.#rowsFrom(firstRow, { leftMs: deadlineMs - performance.now(), signal });
  }

  /** Stops the statement, if it runs. */
  stop(reason: ProblemError): void {
    if (this.isRunning) this.#source.stop(reason);
  }

  /** Resolves when the page is as large as it can be, or nothing more has arrived for a while. */
  async #gathered(firstRow: number, signal: AbortSignal): Promise<void> {
    const deadlineMs = performance.now() + GATHER_MS;
    while (this.isRunning && !this.#buffer.hasPage(firstRow) && !this.#skipsRows) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return;
      await this.#change(leftMs, signal);
    }
  }

  async #rowsFrom(firstRow: number, { leftMs, signal }: { leftMs: number; signal: AbortSignal }): Promise<FoundRows> {
    const page = this.#buffer.take(firstRow);
    if (page !== undefined) {
      this.#reader.takenBytes += page.bytes;
      this.#changed();
      const endRow = page.firstRow + page.rows;
      const isLast = this.#end !== undefined && this.#end.problem === undefined && endRow === this.#rows;
      return { kind: 'rows', pieces: page.pieces, endRow, isLast };
    }
    if (this.#end?.problem !== undefined) return { kind: 'failed', problem: this.#end.problem };
    if (!this.isRunning) return firstRow === this.#rows ? { kind: 'end' } : { kind: 'elsewhere' };
    if (!this.#buffer.isNext(firstRow) && !this.#skipsRows) return { kind: 'elsewhere' };
    // The rest of the rows goes to the store alone, and can be read there when the statement has ended.
    if (this.#skipsRows && leftMs > 0) await this.#ended(leftMs, signal);
    return this.isRunning ? { kind: 'waiting' } : this.#rowsFrom(firstRow, { leftMs: 0, signal });
  }

  get #rows(): number {
    return this.#buffer.endRow + this.#skippedRows;
  }

  async #takeRows(): Promise<void> {
    let problem: ProblemError | undefined;
    try {
      for await (const chunk of this.#source.chunks) {
        if (this.#skipsRows) this.#skip(chunk);
        else this.#buffer.add(chunk);
        this.#changed();
        while (this.#buffer.isFull && !this.#skipsRows) {
          if (this.#clientWaitLeftMs <= 0 && this.#source.leavesRowsToStore()) this.#skipsRows = true;
          else await this.#room();
        }
      }
    } catch (thrown) {
      problem = asProblem(thrown);
    }
    this.#endedMs = performance.now();
    this.#end = { problem };
    this.#changed();
  }

  /** A store that fails now has lost rows, so the source stops. */
  #skip({ rows }: RowChunk): void {
    this.#skippedRows += rows;
    this.#source.leavesRowsToStore();
  }

  /** Resolves when a page was read, or none was for a while. The source ends the wait of a statement that is stopped by its own failure, which comes next. */
  async #room(): Promise<void> {
    const startMs = performance.now();
    const { takenBytes } = this.#reader;
    this.#reader.isBehind = true;
    await this.#change(ROOM_CHECK_MS, undefined);
    this.#reader.isBehind = false;
    const hasRead = this.#reader.takenBytes > takenBytes;
    this.#clientWaitLeftMs = hasRead ? this.#clientWaitLeftMs - (performance.now() - startMs) : 0;
    if (this.#source.isStopped) this.#buffer.clear();
  }

  async #ended(waitMs: number, signal: AbortSignal): Promise<void> {
    const deadlineMs = performance.now() + waitMs;
    while (this.isRunning) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return;
      await this.#change(leftMs, signal);
    }
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves at the next change, or after this time. Throws the reason of the signal. */
  #change(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        this.#listeners.delete(onChange);
        signal?.removeEventListener('abort', onAbort);
        outcome();
      };
      const onChange = (): void => settle(resolve);
      const onAbort = (): void => settle(() => reject(signal?.reason));
      const timer = setTimeout(onChange, waitMs).unref();
      this.#listeners.add(onChange);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}
