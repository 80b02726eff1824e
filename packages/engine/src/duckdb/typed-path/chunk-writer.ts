import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { CellStyle, RowTemplate } from '@sluice/encoders';
import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { type Frame, HEAP_BYTES, type WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { eventsOfRow } from '../rows/large-row-events.ts';
import { rawVector } from '../rows/raw-chunk.ts';
import { type LargeRow, largeRow } from './large-row.ts';
import type { LaidOutColumn, RowLayout } from './row-layout.ts';

/** A column of a chunk in the engine's memory. */
interface ColumnVector {
  readonly column: LaidOutColumn;
  readonly data: Uint8Array;
  readonly validity: Uint8Array | null;
}

/** The rows of a chunk that are to be written. The columns of strings are in the writer's memory if all rows fit it at once. */
interface LoadedChunk {
  readonly chunk: DuckDBDataChunk;
  readonly rows: number;
  readonly strings: readonly ColumnVector[];
}

interface Slice {
  /** First row of the slice in the chunk, a multiple of 8. */
  readonly base: number;
  readonly rows: number;
}

interface ChunkWriterOptions {
  readonly template: RowTemplate;
  /** Returns the memory that rows are copied to if they cannot be lent. */
  readonly allocate: (bytes: number) => Uint8Array;
}

/** Constants of the module by notation. Parquet has no rows. */
const NOTATIONS = { csv: 'CSV', json: 'JSON', xlsx: 'SHEET', parquet: 'CSV' } as const;

/** Writes the rows of the chunks of one result, in order. */
export class ChunkWriter {
  readonly #memory: WriterMemory;
  readonly #layout: RowLayout;
  readonly #style: CellStyle;
  readonly #allocate: ChunkWriterOptions['allocate'];
  readonly #notation: number;
  /** Bytes at the start of the next event that are not sent: the separator before the first row. */
  #skip: number;
  #frame: Frame | undefined;
  #frameEnd = 0;
  #frameRows = 0;
  #isStopped = false;
  #loaded: LoadedChunk | undefined;

  constructor(memory: WriterMemory, layout: RowLayout, { template, allocate }: ChunkWriterOptions) {
    this.#memory = memory;
    this.#layout = layout;
    this.#style = template.style;
    this.#allocate = allocate;
    this.#notation = memory.global(NOTATIONS[template.style.notation]);
    this.#skip = Buffer.byteLength(template.separator);
  }

  /**
   * Takes the first `rows` rows of a chunk. Returns the bytes of their long strings; infinite if the chunk does not fit the memory at
   * once.
   */
  load(chunk: DuckDBDataChunk, rows: number): number {
    const { strings, stringList, stringListEnd, rowsMax } = this.#layout;
    const vectors = rows === 0 ? [] : vectorsOf(chunk, rows, strings);
    this.#loaded = { chunk, rows, strings: vectors };
    if (vectors.length === 0) return 0;
    if (rows > rowsMax) return Number.POSITIVE_INFINITY;
    this.#copyVectors(vectors, { base: 0, rows });
    return this.#memory.functions.heapBytesOf(rows, stringList, stringListEnd);
  }

  /** Writes the loaded rows as events. The chunk must not be freed before the last event. */
  *write(): Generator<RowsEvent> {
    if (this.#loaded === undefined) return;
    const { chunk, rows, strings } = this.#loaded;
    this.#loaded = undefined;
    if (rows === 0) return;
    const { others, rowsMax } = this.#layout;
    const vectors = vectorsOf(chunk, rows, others);
    for (let base = 0; base < rows; base += rowsMax) {
      const slice = { base, rows: Math.min(rowsMax, rows - base) };
      if (slice.rows < rows) this.#copyVectors(strings, slice);
      this.#copyVectors(vectors, slice);
      yield* this.#writeSlice(chunk, strings, slice);
    }
    if (this.#frame !== undefined) yield this.#finishFrame(this.#frame);
  }

  /** Copies the values of a slice to the writer's memory. */
  #copyVectors(vectors: readonly ColumnVector[], { base, rows }: Slice): void {
    const { bytes, view, validityField } = this.#memory;
    for (const { column, data, validity } of vectors) {
      const { width } = column.stored;
      bytes.set(rows * width === data.length ? data : data.subarray(base * width, (base + rows) * width), column.data);
      if (validity !== null) bytes.set(validity.subarray(base / 8, Math.ceil((base + rows) / 8)), column.validity);
      view.setUint32(column.entry + validityField, validity === null ? 0 : column.validity, true);
    }
  }

  *#writeSlice(chunk: DuckDBDataChunk, strings: readonly ColumnVector[], slice: Slice): Generator<RowsEvent> {
    const { functions } = this.#memory;
    const { stringList, stringListEnd, rowFixed } = this.#layout;
    for (let row = 0; row < slice.rows; ) {
      const end = functions.endOfFitting(
        row,
        slice.rows,
        HEAP_BYTES,
        EVENT_BYTES_MAX,
        rowFixed,
        stringList,
        stringListEnd,
        this.#notation,
      );
      if (end === row) {
        yield* this.#writeLargeRow({ chunk, base: slice.base, row, isInHeap: false });
        row += 1;
        continue;
      }
      this.#copyStrings(strings, slice, { row, end });
      while (row < end) {
        row = this.#writeRows(row, end);
        if (row === end) break;
        if (this.#isStopped) {
          yield* this.#writeLargeRow({ chunk, base: slice.base, row, isInHeap: true });
          row += 1;
        } else if (this.#frame !== undefined) yield this.#finishFrame(this.#frame);
      }
    }
  }

  /** Copies the long strings of rows to the heap. */
  #copyStrings(
    strings: readonly ColumnVector[],
    { base }: Slice,
    { row, end }: { readonly row: number; readonly end: number },
  ): void {
    const { bytes, view, functions, heap, textAddressField } = this.#memory;
    const { runs } = this.#layout;
    let at = heap;
    for (const { column, data, validity } of strings) {
      const count = functions.findRuns(column.data, validity === null ? 0 : column.validity, row, end, runs, at);
      for (let run = 0; run < count; run += 1) {
        const first = base + view.getUint32(runs + run * 8, true);
        const length = view.getUint32(runs + run * 8 + 4, true);
        const address = data.byteOffset + first * column.stored.width + textAddressField;
        bytes.set(duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, address, length), at);
        at += length;
      }
    }
  }

  /** Writes rows into the current frame, and returns the first that did not fit or cannot be written. */
  #writeRows(row: number, end: number): number {
    const { table, tableEnd, rowFixed, stringList, stringListEnd } = this.#layout;
    this.#frame ??= this.#startFrame();
    const next = this.#memory.functions.writeRows(
      table,
      tableEnd,
      row,
      end,
      this.#frameEnd,
      this.#frame.address + EVENT_BYTES_MAX,
      rowFixed,
      stringList,
      stringListEnd,
      this.#notation,
    );
    this.#frameEnd = this.#memory.global('end') >>> 0;
    this.#frameRows += next - row;
    this.#isStopped = this.#memory.global('isStopped') !== 0;
    return next;
  }

  #startFrame(): Frame {
    const frame = this.#memory.takeFrame();
    this.#frameEnd = frame.address;
    this.#frameRows = 0;
    return frame;
  }

  #finishFrame(frame: Frame): RowsEvent {
    const bytes = this.#memory.bytes.subarray(frame.address + this.#skip, this.#frameEnd);
    const rows = this.#frameRows;
    this.#frame = undefined;
    this.#skip = 0;
    if (frame.isLent) return { kind: 'rows', rows, bytes, release: () => this.#memory.returnFrame(frame) };
    const copy = this.#allocate(bytes.byteLength);
    copy.set(bytes);
    return { kind: 'rows', rows, bytes: copy };
  }

  *#writeLargeRow(large: Omit<LargeRow, 'frame' | 'notation' | 'style'>): Generator<RowsEvent> {
    if (this.#frameRows > 0 && this.#frame !== undefined) yield this.#finishFrame(this.#frame);
    const skip = this.#skip;
    this.#skip = 0;
    const frame = this.#frame ?? this.#startFrame();
    this.#frame = undefined;
    const pieces = largeRow(this.#memory, this.#layout, {
      ...large,
      frame: frame.address,
      notation: this.#notation,
      style: this.#style,
    });
    yield* eventsOfRow(withoutStart(pieces, skip), this.#allocate);
    this.#memory.returnFrame(frame);
  }

  /** Frees what the result still holds. */
  end(): void {
    if (this.#frame !== undefined) this.#memory.returnFrame(this.#frame);
    this.#frame = undefined;
  }
}

const vectorsOf = (chunk: DuckDBDataChunk, rows: number, columns: readonly LaidOutColumn[]): readonly ColumnVector[] =>
  columns.map((column) => {
    const vector = rawVector(chunk, column.index);
    const data = duckdb.vector_get_data(vector, rows * column.stored.width);
    return { column, data, validity: duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) };
  });

/** The first piece is a literal that is at least as long as the start. */
function* withoutStart(pieces: Iterable<Uint8Array>, start: number): Generator<Uint8Array> {
  let skip = start;
  for (const piece of pieces) {
    yield piece.subarray(skip);
    skip = 0;
  }
}
