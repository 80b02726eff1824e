import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type CellStyle, FORMULA_STARTS } from '@sluice/encoders';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import type { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { escapedPieces, withLongStrings } from '../rows/long-strings.ts';
import { rawVector } from '../rows/raw-chunk.ts';
import { StringVector } from '../rows/string-vector.ts';
import type { LaidOutColumn, RowLayout } from './row-layout.ts';
import { sheetTextPieces } from './sheet-text-pieces.ts';
import type { StoredColumn } from './stored-column.ts';

const QUOTE = Buffer.from('"');
const APOSTROPHE = Buffer.from("'");
const QUOTE_CODE = 0x22;
/** Bytes that make a field need quotes, besides the separator (RFC 4180, section 2, rule 6). */
const SPECIAL = [QUOTE_CODE, 0x0a, 0x0d];

/**
 * Returns a large string as a field of CSV, in pieces that are valid until the next one. `pieces` is called twice, because quotes come
 * before the text and depend on all of it.
 */
function* csvPieces(
  pieces: () => Iterable<Uint8Array>,
  { isGuarded, separator }: Pick<StoredColumn, 'isGuarded' | 'separator'>,
): Generator<Uint8Array> {
  const isQuoted = hasAny(pieces(), [...SPECIAL, separator]);
  let isFirst = true;
  if (isQuoted) yield QUOTE;
  for (const piece of pieces()) {
    if (isFirst && isGuarded && FORMULA_STARTS.some((start) => start.charCodeAt(0) === piece[0])) yield APOSTROPHE;
    isFirst = false;
    yield isQuoted ? withDoubledQuotes(piece) : piece;
  }
  if (isQuoted) yield QUOTE;
}

function hasAny(pieces: Iterable<Uint8Array>, codes: readonly number[]): boolean {
  for (const piece of pieces) if (codes.some((code) => piece.includes(code))) return true;
  return false;
}

function withDoubledQuotes(piece: Uint8Array): Uint8Array {
  if (!piece.includes(QUOTE_CODE)) return piece;
  const doubled = Buffer.allocUnsafe(piece.byteLength * 2);
  let length = 0;
  for (const byte of piece) {
    if (byte === QUOTE_CODE) length = doubled.writeUInt8(QUOTE_CODE, length);
    length = doubled.writeUInt8(byte, length);
  }
  return doubled.subarray(0, length);
}

/** Maximum bytes of a large string that are read at once. */
const PIECE_BYTES = 32 * 1024;

export interface LargeRow {
  readonly chunk: DuckDBDataChunk;
  /** First row of the slice that the memory has. */
  readonly base: number;
  /** Index of the row in the slice. */
  readonly row: number;
  /** Whether the heap has its long strings, with those of other rows. Otherwise the heap is free. */
  readonly isInHeap: boolean;
  /** Address for the cells that fit a frame. */
  readonly frame: number;
  readonly notation: number;
  readonly style: CellStyle;
}

/**
 * Writes one row that does not fit a frame, or that has a cell with references to long strings, in pieces: groups of cells that fit
 * together by the module, and large cells here. A piece is valid until the next one.
 */
export function* largeRow(memory: WriterMemory, layout: RowLayout, large: LargeRow): Generator<Uint8Array> {
  const { table, tableEnd } = layout;
  const entryBytes = memory.global('ENTRY_BYTES');
  const strings = new Map(layout.strings.map((column) => [column.entry, column]));
  const row = new RowStrings(large);
  let groupMax = Number.POSITIVE_INFINITY;
  for (let entry = table; entry < tableEnd; ) {
    const fitting = memory.functions.endOfCells(entry, tableEnd, large.row, EVENT_BYTES_MAX, large.notation);
    const end = Math.min(fitting, entry + groupMax);
    const cells = end === entry ? undefined : writeGroup(memory, { entry, end, entryBytes, strings, row }, large);
    if (cells !== undefined) {
      yield cells;
      entry = end;
    } else if (end <= entry + entryBytes) {
      yield* largeCell(memory, row, strings.get(entry), large);
      entry += entryBytes;
    } else groupMax = entryBytes; // one of the cells has references: find it cell by cell
  }
}

/** The strings of one row in the engine's memory. */
class RowStrings {
  readonly #chunk: DuckDBDataChunk;
  readonly #chunkRow: number;
  readonly #vectors = new Map<number, StringVector>();

  constructor({ chunk, base, row }: LargeRow) {
    this.#chunk = chunk;
    this.#chunkRow = base + row;
  }

  byteLength(column: LaidOutColumn): number {
    return this.#vector(column).byteLength(this.#chunkRow);
  }

  view(column: LaidOutColumn): Uint8Array {
    return this.#vector(column).view(this.#chunkRow);
  }

  pieces(column: LaidOutColumn): Iterable<Uint8Array> {
    return this.#vector(column).pieces(this.#chunkRow, PIECE_BYTES);
  }

  #vector({ index }: LaidOutColumn): StringVector {
    const vector = this.#vectors.get(index) ?? new StringVector(rawVector(this.#chunk, index), this.#chunk.rowCount);
    this.#vectors.set(index, vector);
    return vector;
  }
}

interface Group {
  readonly entry: number;
  readonly end: number;
  readonly entryBytes: number;
  readonly strings: ReadonlyMap<number, LaidOutColumn>;
  readonly row: RowStrings;
}

const INLINE_BYTES_MAX = 12;

/** Returns undefined if a cell has references to long strings. */
function writeGroup(
  memory: WriterMemory,
  { entry, end, entryBytes, strings, row }: Group,
  large: LargeRow,
): Uint8Array | undefined {
  if (!large.isInHeap) {
    const { bytes, view, heap, textAddressField } = memory;
    let at = heap;
    for (let each = entry; each < end; each += entryBytes) {
      const column = strings.get(each);
      if (column === undefined || isNull(memory, column, large.row)) continue;
      const length = row.byteLength(column);
      if (length <= INLINE_BYTES_MAX) continue;
      bytes.set(row.view(column), at);
      view.setUint32(column.data + large.row * column.stored.width + textAddressField, at, true);
      at += length;
    }
  }
  const written = memory.functions.writeCells(entry, end, large.row, large.frame, large.notation) >>> 0;
  return written === 0 ? undefined : memory.bytes.subarray(large.frame, written);
}

function isNull(
  { bytes, view, validityField }: WriterMemory,
  { entry, validity }: LaidOutColumn,
  row: number,
): boolean {
  if (view.getUint32(entry + validityField, true) === 0) return false;
  return ((bytes[validity + (row >> 3)] ?? 0) & (1 << (row & 7))) === 0;
}

function* largeCell(
  memory: WriterMemory,
  row: RowStrings,
  column: LaidOutColumn | undefined,
  { style: { notation } }: LargeRow,
): Generator<Uint8Array> {
  if (column === undefined) throw new Error('A cell without a string does not fit a frame');
  const literal = memory.view.getUint32(column.entry + memory.global('ENTRY_LITERAL'), true);
  const length = memory.view.getUint32(column.entry + memory.global('ENTRY_LITERAL_BYTES'), true);
  yield memory.bytes.subarray(literal, literal + length);
  if (column.stored.kind === 'Raw') yield* notation === 'json' ? withLongStrings(row.view(column)) : row.pieces(column);
  else if (notation === 'json') yield* escapedPieces(row.pieces(column));
  else if (notation === 'xlsx') yield* sheetTextPieces(() => row.pieces(column));
  else yield* csvPieces(() => row.pieces(column), column.stored);
}
