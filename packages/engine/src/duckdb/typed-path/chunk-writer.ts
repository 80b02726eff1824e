import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { RowTemplate } from '@sluice/encoders';
import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { type Frame, HEAP_BYTES, type WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { eventsOfRow } from '../rows/large-row-events.ts';
import { rawVector } from '../rows/raw-chunk.ts';
import { largeRow } from './large-row.ts';
import type { LaidOutColumn, RowLayout } from './row-layout.ts';

/** Bytes from the start of a text (duckdb_string_t) to its address. */
const TEXT_BYTES = 16;
const ADDRESS_OFFSET = 8;

/** The vectors of a chunk in the engine's memory, by column. */
interface ChunkVectors {
  readonly data: readonly Uint8Array[];
  readonly validity: readonly (Uint8Array | null)[];
}

interface ChunkWriterOptions {
  readonly template: RowTemplate;
  /** Returns the memory that rows are copied to if they cannot be lent. */
  readonly allocate: (bytes: number) => Uint8Array;
}

/** Writes the rows of the chunks of one result, in order. */
export class ChunkWriter {
  readonly #memory: WriterMemory;
  readonly #layout: RowLayout;
  readonly #allocate: ChunkWriterOptions['allocate'];
  readonly #isJson: 0 | 1;
  /** Bytes at the start of the next event that are not sent: the separator before the first row. */
  #skip: number;
  #frame: Frame | undefined;
  #frameEnd = 0;
  #frameRows = 0;

  constructor(memory: WriterMemory, layout: RowLayout, { template, allocate }: ChunkWriterOptions) {
    this.#memory = memory;
    this.#layout = layout;
    this.#allocate = allocate;
    this.#isJson = template.style.notation === 'json' ? 1 : 0;
    this.#skip = Buffer.byteLength(template.separator);
  }

  /** Bytes of the long texts of a chunk of these rows; infinite if the chunk does not fit the memory at once. */
  longTextBytes(chunk: DuckDBDataChunk, rows: number): number {
    const { texts, textList, textListEnd, rowsMax } = this.#layout;
    if (texts.length === 0) return 0;
    if (rows > rowsMax) return Number.POSITIVE_INFINITY;
    this.#loadVectors(this.#vectorsOf(chunk, rows, texts), { base: 0, rows, columns: texts });
    return this.#memory.functions.heapBytesOf(rows, textList, textListEnd);
  }

  /** Writes the first `rows` rows of a chunk as events. The chunk must not be freed before the last event. */
  *write(chunk: DuckDBDataChunk, rows: number): Generator<RowsEvent> {
    const { columns, rowsMax } = this.#layout;
    const vectors = this.#vectorsOf(chunk, rows, columns);
    for (let base = 0; base < rows; base += rowsMax) {
      const slice = { base, rows: Math.min(rowsMax, rows - base), columns };
      this.#loadVectors(vectors, slice);
      yield* this.#writeSlice(chunk, vectors, slice);
    }
    if (this.#frame !== undefined) yield this.#finishFrame(this.#frame);
  }

  #vectorsOf(chunk: DuckDBDataChunk, rows: number, columns: readonly LaidOutColumn[]): ChunkVectors {
    const vectors = columns.map(({ index }) => rawVector(chunk, index));
    return {
      data: columns.map(({ stored: { width } }, position) =>
        duckdb.vector_get_data(vectors[position] as duckdb.Vector, rows * width),
      ),
      validity: vectors.map((vector) => duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8)),
    };
  }

  #loadVectors({ data, validity }: ChunkVectors, { base, rows, columns }: Slice): void {
    const { bytes, view } = this.#memory;
    const validityField = this.#memory.validityField;
    for (const [position, column] of columns.entries()) {
      const { width } = column.stored;
      const values = data[position] as Uint8Array;
      bytes.set(
        rows * width === values.length ? values : values.subarray(base * width, (base + rows) * width),
        column.data,
      );
      const bits = validity[position] ?? null;
      if (bits !== null) bytes.set(bits.subarray(base / 8, Math.ceil((base + rows) / 8)), column.validity);
      view.setUint32(column.entry + validityField, bits === null ? 0 : column.validity, true);
    }
  }

  *#writeSlice(chunk: DuckDBDataChunk, vectors: ChunkVectors, slice: Slice): Generator<RowsEvent> {
    const { functions } = this.#memory;
    const { textList, textListEnd, rowFixed, texts } = this.#layout;
    for (let row = 0; row < slice.rows; ) {
      const end = functions.endOfFitting(
        row,
        slice.rows,
        HEAP_BYTES,
        EVENT_BYTES_MAX,
        rowFixed,
        textList,
        textListEnd,
        this.#isJson,
      );
      if (end === row) {
        yield* this.#writeLargeRow(chunk, slice, row);
        row += 1;
        continue;
      }
      if (texts.length > 0) this.#loadTexts(vectors, slice, { row, end });
      while (row < end) {
        row = this.#writeRows(row, end);
        if (row === end) break;
        if (this.#isStopped) {
          yield* this.#writeLargeRow(chunk, slice, row);
          functions.skipTexts(row, textList, textListEnd);
          row += 1;
        } else if (this.#frame !== undefined) yield this.#finishFrame(this.#frame);
      }
    }
  }

  /** Copies the long texts of rows to the heap. */
  #loadTexts(vectors: ChunkVectors, slice: Slice, { row, end }: { readonly row: number; readonly end: number }): void {
    const { bytes, view, functions, heap, heapField } = this.#memory;
    const { runs } = this.#layout;
    let at = heap;
    for (const [position, column] of slice.columns.entries()) {
      if (column.stored.width !== TEXT_BYTES || !isText(column)) continue;
      view.setUint32(column.entry + heapField, at, true);
      const data = vectors.data[position] as Uint8Array;
      const validity = vectors.validity[position] === null ? 0 : column.validity;
      const count = functions.findRuns(column.data, validity, row, end, runs);
      for (let run = 0; run < count; run += 1) {
        const first = slice.base + view.getUint32(runs + run * 8, true);
        const length = view.getUint32(runs + run * 8 + 4, true);
        const address = data.byteOffset + first * TEXT_BYTES + ADDRESS_OFFSET;
        bytes.set(duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, address, length), at);
        at += length;
      }
    }
  }

  #isStopped = false;

  /** Writes rows into the current frame, and returns the first that did not fit or cannot be written. */
  #writeRows(row: number, end: number): number {
    const { table, tableEnd, rowFixed, textList, textListEnd } = this.#layout;
    this.#frame ??= this.#startFrame();
    const next = this.#memory.functions.writeRows(
      table,
      tableEnd,
      row,
      end,
      this.#frameEnd,
      this.#frame.address + EVENT_BYTES_MAX,
      rowFixed,
      textList,
      textListEnd,
      this.#isJson,
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

  *#writeLargeRow(chunk: DuckDBDataChunk, { base }: Slice, row: number): Generator<RowsEvent> {
    if (this.#frameRows > 0 && this.#frame !== undefined) yield this.#finishFrame(this.#frame);
    const skip = this.#skip;
    this.#skip = 0;
    const frame = this.#frame ?? this.#startFrame();
    this.#frame = undefined;
    const pieces = largeRow(this.#memory, this.#layout, {
      chunk,
      base,
      row,
      frame: frame.address,
      isJson: this.#isJson,
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

interface Slice {
  /** First row of the slice in the chunk, a multiple of 8. */
  readonly base: number;
  readonly rows: number;
  readonly columns: readonly LaidOutColumn[];
}

const isText = ({ stored: { kind } }: LaidOutColumn): boolean => kind === 'Text' || kind === 'Raw';

/** The first piece is a literal that is at least as long as the start. */
function* withoutStart(pieces: Iterable<Uint8Array>, start: number): Generator<Uint8Array> {
  let skip = start;
  for (const piece of pieces) {
    yield piece.subarray(skip);
    skip = 0;
  }
}
