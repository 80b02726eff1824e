import type { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import type { PlainKind } from './plain-cursor.ts';

/** Part of a page that is copied into the module's memory at once: more than a page usually has. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Copies of the module run past their end, and digits are followed to the first byte that is not one. */
const SLACK_BYTES = 64;
/** Longer names of columns are left to JavaScript. */
const LITERALS_BYTES_MAX = 64 * 1024;

const CELLS = {
  number: 'Number',
  'quoted number': 'QuotedNumber',
  string: 'String',
  field: 'Field',
  boolean: 'Boolean',
} as const satisfies Record<Exclude<PlainKind, 'never'>, string>;

/** A cell with the text before it. */
interface PlainCell {
  readonly literal: Buffer;
  readonly kind: PlainKind;
}

export interface PlainRowsLayout {
  /** Cells of a row in the order of the page; the separator of rows is part of the first text. */
  readonly cells: readonly PlainCell[];
  readonly tail: Buffer;
  readonly isJson: boolean;
  /** Size of the target, and the part of it that rows are written to. */
  readonly targetBytes: number;
  readonly eventBytes: number;
}

/** Rows that were copied: their number, the index after them in the page, and the bytes of the target. */
export interface CopiedRows {
  readonly rows: number;
  readonly at: number;
  readonly length: number;
}

/**
 * Copies rows of plain cells with the WebAssembly module, about three times as fast as JavaScript. It only ever stops before a row:
 * what is not plain, and every error, is for the caller, which continues with that row.
 */
export class PlainRows implements Disposable {
  /** Memory that events are copied from; both writers of rows use it. */
  readonly target: Buffer;
  readonly #memory: WriterMemory;
  readonly #targetAddress: number;
  readonly #limit: number;
  readonly #window: number;
  readonly #table: number;
  readonly #tableEnd: number;
  readonly #fixedBytes: number;
  readonly #isJson: 0 | 1;
  #source: Uint8Array | undefined;
  #windowStart = 0;
  #windowEnd = 0;

  private constructor(memory: WriterMemory, { cells, tail, isJson, targetBytes, eventBytes }: PlainRowsLayout) {
    this.#memory = memory;
    this.#window = memory.reserve(WINDOW_BYTES + SLACK_BYTES);
    this.#targetAddress = memory.reserve(targetBytes);
    this.#limit = this.#targetAddress + eventBytes;
    this.target = Buffer.from(memory.bytes.buffer, this.#targetAddress, targetBytes);
    const entries = [...cells, { literal: tail, kind: 'never' as const }];
    const entryBytes = memory.global('CELL_BYTES');
    this.#table = memory.reserve(entries.length * entryBytes);
    this.#tableEnd = this.#table + entries.length * entryBytes;
    for (const [index, entry] of entries.entries()) this.#writeEntry(this.#table + index * entryBytes, entry);
    this.#fixedBytes = literalBytes(entries);
    this.#isJson = isJson ? 1 : 0;
  }

  /** Returns undefined if the rows are not for the module, or it is in use by another result. */
  static open(openMemory: (() => WriterMemory) | undefined, layout: PlainRowsLayout): PlainRows | undefined {
    const { cells, tail } = layout;
    const isPlain = cells.length > 0 && cells.every(({ kind }) => kind !== 'never');
    if (!isPlain || literalBytes([...cells, { literal: tail }]) > LITERALS_BYTES_MAX) return undefined;
    const memory = openMemory?.();
    return memory?.begin() === true ? new PlainRows(memory, layout) : undefined;
  }

  #writeEntry(entry: number, { literal, kind }: PlainCell): void {
    const { bytes, view } = this.#memory;
    const address = this.#memory.reserve(literal.byteLength);
    bytes.set(literal, address);
    view.setUint32(entry, kind === 'never' ? 0 : this.#memory.global(`Cell.${CELLS[kind]}`), true);
    view.setUint32(entry + 4, address, true);
    view.setUint32(entry + 8, literal.byteLength, true);
  }

  /**
   * Copies at most this many rows, each with the comma before it, from `at` in the page to `length` in the target. Returns none if
   * the next row is not plain or does not fit into the event.
   */
  copy(source: Uint8Array, at: number, length: number, rowsMax: number): CopiedRows {
    if (source !== this.#source || at < this.#windowStart || at >= this.#windowEnd) this.#load(source, at);
    const base = this.#window - this.#windowStart;
    const rows = this.#memory.functions.copyRows(
      base + at,
      base + this.#windowEnd,
      this.#targetAddress + length,
      this.#limit,
      Math.min(rowsMax, 0xffffffff),
      this.#table,
      this.#tableEnd,
      this.#fixedBytes,
      this.#isJson,
    );
    const readEnd = this.#memory.global('readEnd') - base;
    return { rows, at: readEnd, length: this.#memory.global('writtenEnd') - this.#targetAddress };
  }

  #load(source: Uint8Array, at: number): void {
    const { bytes } = this.#memory;
    this.#source = source;
    this.#windowStart = at;
    this.#windowEnd = Math.min(source.length, at + WINDOW_BYTES);
    bytes.set(source.subarray(at, this.#windowEnd), this.#window);
    const end = this.#window + this.#windowEnd - at;
    bytes.fill(0, end, end + SLACK_BYTES);
  }

  [Symbol.dispose](): void {
    this.#source = undefined;
    this.#memory.end();
  }
}

const literalBytes = (cells: readonly { readonly literal: Buffer }[]): number =>
  cells.reduce((sum, { literal }) => sum + literal.byteLength, 0);
