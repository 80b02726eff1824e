import { isUtf8 } from 'node:buffer';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { type CellStyle, mayExceedDouble, type RowPart, type RowTemplate } from '@sluice/encoders';
import type { RowsEvent, Statement, StoredRowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import type { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { BYTE, skipSpace, skipValue, unreadable } from '../protocol/json-scan.ts';
import { CellCursor } from './cell-cursor.ts';
import { csvCell, isNeverFormula } from './csv-cells.ts';
import { type CellContext, type CellWriter, isNested, jsonCell, scalarKind } from './json-cells.ts';
import { bytesOf, type Literal, literalOf } from './literal.ts';
import { hasTimes, pageCell } from './page-cells.ts';
import type { PlainKind } from './plain-cursor.ts';
import { PlainRows } from './plain-rows.ts';
import type { TrinoType } from './types.ts';
import { xlsxCell } from './xlsx-cells.ts';

/** Returns the kind of the plain cells of a column. */
function plainKind(type: TrinoType, style: CellStyle): PlainKind {
  if (isNested(type)) return 'never';
  if (style.notation === 'csv') return plainField(type, style);
  return style.notation === 'json' ? plainJson(type, style) : 'never';
}

function plainJson(type: TrinoType, style: CellStyle): PlainKind {
  if (style.valueForms === 'trino') return plainOfPage(type, style);
  const isQuoted = style.bigNumbers === 'string' && mayExceedDouble(type.name);
  return isQuoted ? 'never' : plainScalar(type, 'string');
}

/** Values that stay as they are in a page: decimals keep their quotes. */
function plainOfPage(type: TrinoType, style: CellStyle): PlainKind {
  if (style.times === 'milliseconds' && hasTimes(type)) return 'never';
  return scalarKind(type) === 'decimal' ? 'string' : plainScalar(type, 'string');
}

/** Only strings without a comma are plain fields, so with another separator they are not copied. */
const plainField = (type: TrinoType, style: CellStyle): PlainKind =>
  plainScalar(type, isNeverFormula(type, style) && (style.separator ?? ',') === ',' ? 'field' : 'never');

function plainScalar(type: TrinoType, ofTexts: PlainKind): PlainKind {
  switch (scalarKind(type)) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'float':
      return 'number';
    case 'decimal':
      return 'quoted number';
    case 'text':
      return ofTexts;
    default:
      return 'never';
  }
}

// Own constants, because an imported name is looked up at each use.
const { comma: COMMA, openArray: OPEN_ARRAY, closeArray: CLOSE_ARRAY } = BYTE;
const EVENT_BYTES = EVENT_BYTES_MAX;

interface RowWriterOptions {
  readonly template: RowTemplate;
  readonly columns: readonly Column[];
  readonly types: readonly TrinoType[];
  readonly rowsMax?: number | undefined;
  /** `true`: the rows are returned as they are in the source too. */
  readonly keepsRows?: Statement['keepsRows'];
  /** Returns the memory that the bytes of an event are copied to; the receiver of the event may return it. */
  readonly allocate: (bytes: number) => Uint8Array;
  /** Opens the memory of the WebAssembly module that copies plain rows; without it JavaScript copies them. */
  readonly openMemory?: () => WriterMemory;
}

const CELLS = { json: jsonCell, csv: csvCell, xlsx: xlsxCell } as const;

/** Returns the writer of the cells of a column. */
function cellOf(notation: keyof typeof CELLS, type: TrinoType, context: CellContext): CellWriter {
  const isOfPage = notation === 'json' && context.style.valueForms === 'trino';
  return isOfPage ? pageCell(type, context) : CELLS[notation](type, context);
}

/** An event and the row that fills it. A larger row makes the buffer grow, and it shrinks again afterwards. */
const TARGET_BYTES = 2 * EVENT_BYTES;

/** A cell with the text before it. */
interface Part {
  readonly before: Literal;
  readonly cell: number;
  readonly plain: PlainKind;
  readonly write: CellWriter;
}

const parquetNotSupported = (): ProblemError => new ProblemError('not_supported', 'Trino cannot write Parquet files.');

/** Turns the lists of rows in pages and segments into events of finished rows. One writer for a whole result. */
export class RowWriter implements Disposable {
  readonly #options: RowWriterOptions;
  readonly #cursor = new CellCursor(TARGET_BYTES);
  readonly #separator: Literal;
  readonly #parts: readonly Part[];
  readonly #tail: Literal;
  readonly #isInOrder: boolean;
  readonly #plainRows: PlainRows | undefined;
  #rows = 0;
  /** Index in the source after the rows that were returned as they are. */
  #storedEnd = 0;
  #isLimited = false;

  constructor(options: RowWriterOptions) {
    const { template, columns, types } = options;
    const { style } = template;
    const { notation } = style;
    if (notation === 'parquet') throw parquetNotSupported();
    const writers = types.map((type, index) => ({
      plain: plainKind(type, style),
      write: cellOf(notation, type, { style, column: columns[index]?.name ?? '' }),
    }));
    this.#options = options;
    this.#separator = literalOf(template.separator);
    const { parts, tail } = compile(template.parts, writers);
    this.#parts = parts;
    this.#tail = tail;
    this.#isInOrder = hasEachCellInOrder(template.parts, types.length);
    this.#plainRows = this.#isInOrder ? this.#openPlainRows(options) : undefined;
    if (this.#plainRows !== undefined) this.#cursor.target = this.#plainRows.target;
  }

  #openPlainRows({ template, openMemory }: RowWriterOptions): PlainRows | undefined {
    const cells = this.#parts.map(({ before, plain: kind }, index) => {
      const text = bytesOf(before);
      return { literal: index === 0 ? Buffer.concat([bytesOf(this.#separator), text]) : text, kind };
    });
    return PlainRows.open(openMemory, {
      cells,
      tail: bytesOf(this.#tail),
      isJson: template.style.notation === 'json',
      targetBytes: TARGET_BYTES,
      eventBytes: EVENT_BYTES,
    });
  }

  [Symbol.dispose](): void {
    this.#plainRows?.[Symbol.dispose]();
  }

  /** Rows written so far, from all lists. */
  get rows(): number {
    return this.#rows;
  }

  /** The result has more rows than requested, so reading stops. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /**
   * Reads the list of rows that begins at `at`, and returns the index after it. All rows that were read have then been sent in an
   * event.
   */
  *events(source: Uint8Array, at: number): Generator<RowsEvent | StoredRowsEvent, number> {
    // Strings are copied and not decoded, so nothing later would notice it (RFC 8259, section 8.1).
    if (!isUtf8(source)) throw unreadable('it is not UTF-8');
    const cursor = this.#cursor;
    cursor.source = source;
    cursor.at = at;
    let pending = 0;
    cursor.expect(OPEN_ARRAY);
    this.#storedEnd = cursor.at;
    let rowsEnd = cursor.at;
    for (let count = 0; cursor.peek() !== CLOSE_ARRAY; count += 1) {
      if (count > 0) cursor.expect(COMMA);
      if (this.#rows === (this.#options.rowsMax ?? Number.POSITIVE_INFINITY)) {
        this.#isLimited = true;
        break;
      }
      const rowStart = cursor.length;
      this.#writeRow();
      pending += 1;
      if (cursor.length > EVENT_BYTES) pending = yield* this.#release(rowStart, rowsEnd, pending);
      pending += this.#copyPlainRows();
      rowsEnd = cursor.at;
    }
    if (pending > 0) {
      yield this.#take(pending, cursor.length);
      yield* this.#storedRows(pending, rowsEnd);
    }
    return cursor.at + 1;
  }

  /** Copies the plain rows that follow and fit into the event. Returns their number. */
  #copyPlainRows(): number {
    const cursor = this.#cursor;
    if (this.#plainRows === undefined || cursor.target !== this.#plainRows.target) return 0;
    const rowsMax = (this.#options.rowsMax ?? Number.POSITIVE_INFINITY) - this.#rows;
    const { rows, at, length } = this.#plainRows.copy(cursor.source, cursor.at, cursor.length, rowsMax);
    cursor.at = at;
    cursor.length = length;
    this.#rows += rows;
    return rows;
  }

  #writeRow(): void {
    const cursor = this.#cursor;
    if (this.#rows > 0) cursor.writeLiteral(this.#separator);
    cursor.expect(OPEN_ARRAY);
    if (this.#isInOrder) this.#writeInOrder();
    else this.#writeByIndex();
    cursor.writeLiteral(this.#tail);
    this.#rows += 1;
  }

  #writeInOrder(): void {
    const cursor = this.#cursor;
    const parts = this.#parts;
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] as Part;
      cursor.writeLiteral(part.before);
      if (index > 0) cursor.expect(COMMA);
      if (!cursor.takePlain(part.plain)) part.write(cursor);
    }
    cursor.expect(CLOSE_ARRAY);
  }

  /** Writes a row by a template that omits cells, repeats them or changes their order. */
  #writeByIndex(): void {
    const cursor = this.#cursor;
    const positions: number[] = [];
    for (const index of this.#options.types.keys()) {
      if (index > 0) cursor.expect(COMMA);
      positions.push(cursor.at);
      cursor.at = skipValue(cursor.source, cursor.at);
    }
    cursor.expect(CLOSE_ARRAY);
    const end = cursor.at;
    for (const part of this.#parts) {
      cursor.writeLiteral(part.before);
      cursor.at = positions[part.cell] ?? end;
      part.write(cursor);
    }
    cursor.at = end;
  }

  /** Yields what precedes the last row. That row is kept, or sent in pieces if it alone is too large for one event. */
  *#release(rowStart: number, rowsEnd: number, pending: number): Generator<RowsEvent | StoredRowsEvent, number> {
    const cursor = this.#cursor;
    const rowEnd = cursor.at;
    if (rowStart > 0) {
      yield this.#take(pending - 1, rowStart);
      yield* this.#storedRows(pending - 1, rowsEnd);
    }
    if (cursor.length <= EVENT_BYTES) return 1;
    for (let from = 0; from < cursor.length; from += EVENT_BYTES) {
      const end = Math.min(from + EVENT_BYTES, cursor.length);
      yield { kind: 'rows', rows: end === cursor.length ? 1 : 0, bytes: this.#copy(from, end) };
    }
    yield* this.#storedRows(1, rowEnd);
    cursor.length = 0;
    if (cursor.target.byteLength > TARGET_BYTES)
      cursor.target = this.#plainRows?.target ?? Buffer.allocUnsafeSlow(TARGET_BYTES);
    return 0;
  }

  /** Returns the rows of the source up to this index as they are. They are valid: a cell was written from each of their values. */
  *#storedRows(rows: number, end: number): Generator<StoredRowsEvent> {
    if (this.#options.keepsRows !== true) return;
    const { source } = this.#cursor;
    const start = skipSpace(source, this.#storedEnd);
    this.#storedEnd = end;
    yield { kind: 'stored rows', rows, bytes: source.subarray(source[start] === COMMA ? start + 1 : start, end) };
  }

  /** Returns an event of the first bytes, and moves the rest to the front. */
  #take(rows: number, bytes: number): RowsEvent {
    const cursor = this.#cursor;
    const event: RowsEvent = { kind: 'rows', rows, bytes: this.#copy(0, bytes) };
    cursor.target.copyWithin(0, bytes, cursor.length);
    cursor.length -= bytes;
    return event;
  }

  #copy(start: number, end: number): Uint8Array {
    const copy = this.#options.allocate(end - start);
    copy.set(this.#cursor.target.subarray(start, end));
    return copy;
  }
}

/** Returns each cell with all text before it, and the text after the last cell. */
function compile(parts: readonly RowPart[], writers: readonly Pick<Part, 'plain' | 'write'>[]) {
  const cells: Part[] = [];
  let text = '';
  for (const part of parts) {
    if ('literal' in part) {
      text += part.literal;
      continue;
    }
    const writer = writers[part.cell];
    if (writer === undefined)
      throw new Error(`The row template has a cell ${part.cell}, but the result has no such column`);
    cells.push({ before: literalOf(text), cell: part.cell, ...writer });
    text = '';
  }
  return { parts: cells, tail: literalOf(text) };
}

const hasEachCellInOrder = (parts: readonly RowPart[], columns: number): boolean => {
  const cells = parts.flatMap((part) => ('cell' in part ? [part.cell] : []));
  return cells.length === columns && cells.every((cell, index) => cell === index);
};
