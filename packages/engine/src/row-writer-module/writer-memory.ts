/// <reference path="./webassembly.d.ts" />
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ProblemError } from '@sluice/contract/problems';
import { EVENT_BYTES_MAX } from '../event-bytes.ts';
import { powersOfTen } from './powers-of-ten.ts';

/** Built from packages/engine/assembly. The path is the same from the sources and from the bundle of query workers. */
const MODULE = new URL('../../dist/writer.wasm', import.meta.url);
const { resolve } = createRequire(import.meta.url);

/** The memory of a worker, 16 MiB. It never grows, because that would move frames that are being written to a socket. */
const PAGES = 256;
const PAGE_BYTES = 65_536;
/** 2 GiB: addresses are positive numbers in JavaScript too. The same limit is in assembly/build.mjs. */
const PAGES_MAX = 32_767;
/** Addresses below belong to the tables of the module. */
const TABLES_BYTES = PAGE_BYTES;
/** packages/engine/assembly/tables.ts */
const POWERS_ADDRESS = 43_008;
/** Copies run in steps of 16 bytes, so every area has room for one step more. */
const SLACK_BYTES = 64;
export const HEAP_BYTES = 4 * 1024 * 1024;

/** The functions of assembly/rows.ts and pages.ts; addresses and numbers are unsigned only after `>>> 0`. */
interface WriterFunctions {
  fillTables(): void;
  endOfFitting(...numbers: readonly number[]): number;
  findRuns(...numbers: readonly number[]): number;
  heapBytesOf(rows: number, strings: number, stringsEnd: number): number;
  endOfCells(entry: number, entriesEnd: number, row: number, frame: number, notation: number): number;
  writeRows(...numbers: readonly number[]): number;
  writeCells(table: number, tableEnd: number, row: number, out: number, notation: number): number;
  copyRows(...numbers: readonly number[]): number;
}

/** A place for finished rows. */
export interface Frame {
  readonly address: number;
  /** Lent frames are read in place by the receiver of the rows, which returns them. */
  readonly isLent: boolean;
}

/**
 * A WebAssembly module that writes rows, with its memory: tables, frames for finished rows, a heap for long strings, and the rest for
 * the vectors of one result.
 */
export class WriterMemory {
  readonly functions: WriterFunctions;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** The heap for strings that are not inline. */
  readonly heap: number;
  /** Offset of the field of an entry that changes with every chunk. */
  readonly validityField: number;
  /** Offset of the address in a string. */
  readonly textAddressField: number;
  readonly #exports: WebAssembly.Exports;
  readonly #restStart: number;
  readonly #restEnd: number;
  readonly #scratch: Frame;
  readonly #lendable: Frame[] = [];
  #next: number;
  #isInUse = false;

  private constructor(memory: WebAssembly.Memory, exports: WebAssembly.Exports, lendableFrames: number) {
    this.#exports = exports;
    this.functions = exports as unknown as WriterFunctions;
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.#restEnd = memory.buffer.byteLength;
    this.#next = TABLES_BYTES;
    this.#scratch = { address: this.#take(EVENT_BYTES_MAX), isLent: false };
    for (let count = 0; count < lendableFrames; count += 1)
      this.#lendable.push({ address: this.#take(EVENT_BYTES_MAX), isLent: true });
    this.heap = this.#take(HEAP_BYTES);
    this.#restStart = this.#next;
    this.validityField = this.global('ENTRY_VALIDITY');
    this.textAddressField = this.global('TEXT_ADDRESS');
    this.functions.fillTables();
    powersOfTen((index, high, low) => {
      this.view.setBigUint64(POWERS_ADDRESS + index * 16, high, true);
      this.view.setBigUint64(POWERS_ADDRESS + index * 16 + 8, low, true);
    });
  }

  /**
   * Throws `engine_unavailable` if WebAssembly cannot start: without the flag `--disable-wasm-trap-handler` V8 reserves 10 GB for each memory,
   * which fails under an address-space limit; with `--jitless` there is no WebAssembly, and on old processors no SIMD. `lendableFrames` is the
   * number of frames that a receiver may hold.
   */
  static open(lendableFrames: number): WriterMemory {
    try {
      return WriterMemory.#ofPages(PAGES, lendableFrames);
    } catch (thrown) {
      const hasReason = thrown instanceof RangeError || thrown instanceof ReferenceError;
      if (!hasReason && !(thrown instanceof WebAssembly.CompileError)) throw thrown;
      const message = `The row writer (WebAssembly) cannot start. Use a processor with SIMD (SSE 4.1 or NEON), and a Node.js with the flag \
--disable-wasm-trap-handler (20.15, 22.2 or newer) and without --jitless. Reason: ${thrown.message}`;
      throw new ProblemError('engine_unavailable', message, { cause: thrown });
    }
  }

  /**
   * Returns a memory with room for `bytes`, for one result with more columns than the memory of the worker holds. Throws RangeError if
   * there is not enough.
   */
  static forBytes(bytes: number): WriterMemory {
    const pages = Math.ceil((TABLES_BYTES + EVENT_BYTES_MAX + HEAP_BYTES + bytes) / PAGE_BYTES) + 1;
    if (pages > PAGES_MAX) throw new RangeError(`The row writer needs ${pages} pages of at most ${PAGES_MAX}`);
    return WriterMemory.#ofPages(Math.max(pages, PAGES), 0); // the module asks for at least as much as a worker has
  }

  static #ofPages(pages: number, lendableFrames: number): WriterMemory {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(compiled(), { env: { memory } });
    return new WriterMemory(memory, exports, lendableFrames);
  }

  /** The value of an exported constant, or of a variable after a call. */
  global(name: string): number {
    return Number((this.#exports[name] as WebAssembly.Global).value);
  }

  /** Starts the use for one result; false if another result is being written. */
  begin(): boolean {
    if (this.#isInUse) return false;
    this.#isInUse = true;
    this.#next = this.#restStart;
    return true;
  }

  end(): void {
    this.#isInUse = false;
  }

  /** Bytes that `reserve` can still give. */
  get bytesLeft(): number {
    return this.#restEnd - this.#next;
  }

  /** Reserves memory until the end of the result. Throws RangeError if there is not enough. */
  reserve(bytes: number): number {
    if (bytes + SLACK_BYTES > this.bytesLeft) throw new RangeError(`The row writer has no ${bytes} bytes left`);
    return this.#take(bytes);
  }

  /** Returns a frame for rows: a lendable one if there is one. */
  takeFrame(): Frame {
    return this.#lendable.pop() ?? this.#scratch;
  }

  returnFrame(frame: Frame): void {
    if (frame.isLent) this.#lendable.push(frame);
  }

  #take(bytes: number): number {
    const address = this.#next;
    this.#next = (address + bytes + SLACK_BYTES + 15) & ~15;
    return address;
  }
}

let module: WebAssembly.Module | undefined;

/** Returns the file of the module. The bundle of a host finds it by the name of the package that has a copy (ADR 0029). */
const moduleFile = (): URL | string => (existsSync(MODULE) ? MODULE : resolve('@sluice/query-worker/row-writer'));

function compiled(): WebAssembly.Module {
  module ??= new WebAssembly.Module(readFileSync(moduleFile()));
  return module;
}
