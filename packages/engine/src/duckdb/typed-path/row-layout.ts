import type { RowTemplate } from '@sluice/encoders';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import type { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { MARKUP_BYTES_MAX, PRESERVED_TEXT, type SheetColumn, writeMarkup } from './sheet-markup.ts';
import { type StoredColumn, VALUE_BYTES_MAX } from './stored-column.ts';

/** Rows of a chunk (STANDARD_VECTOR_SIZE). */
const CHUNK_ROWS = 2_048;
/** Validity bits are copied by whole bytes. */
const ROWS_STEP = 8;
const RUN_BYTES = 8;
const UINT32_MAX = 2 ** 32 - 1;
/** Markup of all kinds of columns of a worksheet. */
const SHEET_BYTES = 16 * 1_024;
const NO_DAY = 0x7f_ff_ff_ff;
/** A literal and its cell must fit a frame, so a longer literal, such as the name of a column, becomes several. */
const LITERAL_BYTES_MAX = EVENT_BYTES_MAX / 4;

/** A column of the chunks, with its place in the writer's memory. */
export interface LaidOutColumn {
  readonly stored: StoredColumn;
  /** Index in the chunks. */
  readonly index: number;
  /** Address of its entry in the table. */
  readonly entry: number;
  readonly data: number;
  readonly validity: number;
}

/** The places of a result in the writer's memory. */
export interface RowLayout {
  /** Columns of strings and of finished cells. */
  readonly strings: readonly LaidOutColumn[];
  readonly others: readonly LaidOutColumn[];
  readonly table: number;
  readonly tableEnd: number;
  /** List of the entries that have strings. */
  readonly stringList: number;
  readonly stringListEnd: number;
  readonly runs: number;
  /** Rows whose vectors fit the memory at once; a multiple of 8. */
  readonly rowsMax: number;
  /** Upper bound of the bytes of a row without its strings. */
  readonly rowFixed: number;
}

interface Cell {
  /** Bytes before the cell. */
  readonly literal: Buffer;
  /** Undefined after the last cell. */
  readonly column: number | undefined;
}

function cellsOf({ separator, parts }: RowTemplate): readonly Cell[] {
  const cells: Cell[] = [];
  let literal = separator;
  for (const part of parts) {
    if ('literal' in part) literal += part.literal;
    else {
      cells.push(...piecesOf({ literal: Buffer.from(literal), column: part.cell }));
      literal = '';
    }
  }
  cells.push(...piecesOf({ literal: Buffer.from(literal), column: undefined }));
  return cells;
}

function piecesOf({ literal, column }: Cell): readonly Cell[] {
  const pieces: Cell[] = [];
  let from = 0;
  for (; literal.byteLength - from > LITERAL_BYTES_MAX; from += LITERAL_BYTES_MAX)
    pieces.push({ literal: literal.subarray(from, from + LITERAL_BYTES_MAX), column: undefined });
  return [...pieces, { literal: literal.subarray(from), column }];
}

/** Memory that the rows of a result need. */
interface LayoutBytes {
  readonly fixed: number;
  readonly perRow: number;
}

/** Rows of a result in a memory of its own. */
const WIDE_ROWS = 64;

/** Returns how the rows of a result are to be laid out. */
export function planLayout(
  template: RowTemplate,
  stored: readonly StoredColumn[],
  chunkColumns: readonly number[],
): LayoutPlan {
  return { template, stored, chunkColumns, cells: cellsOf(template) };
}

/** The cells of a result, not yet in a memory. */
export interface LayoutPlan {
  readonly template: RowTemplate;
  readonly stored: readonly StoredColumn[];
  /** Index in the chunks of each column. */
  readonly chunkColumns: readonly number[];
  readonly cells: readonly Cell[];
}

function bytesOf(memory: WriterMemory, { template, stored, cells }: LayoutPlan): LayoutBytes {
  const literals = cells.reduce((bytes, { literal }) => bytes + literal.byteLength + 80, 0);
  const entries = cells.length * (memory.global('ENTRY_BYTES') + 4);
  const sheet = template.style.notation === 'xlsx' ? SHEET_BYTES : 0;
  return {
    fixed: sheet + entries + literals + CHUNK_ROWS * RUN_BYTES + stored.length * 160 + 1_024,
    perRow: stored.reduce((bytes, { width }) => bytes + width + 1 / 8, 0),
  };
}

const rowsWithin = (memory: WriterMemory, { fixed, perRow }: LayoutBytes): number =>
  Math.min(CHUNK_ROWS, floorTo(ROWS_STEP, (memory.bytesLeft - fixed) / perRow));

/** Returns whether the memory holds enough rows of a result at once, which it does not for example with 100,000 columns. */
export const fitsMemory = (memory: WriterMemory, plan: LayoutPlan): boolean =>
  rowsWithin(memory, bytesOf(memory, plan)) >= ROWS_STEP;

/** Returns the bytes of a memory that is only for this result. */
export function bytesOfWide(memory: WriterMemory, plan: LayoutPlan): number {
  const { fixed, perRow } = bytesOf(memory, plan);
  return fixed + Math.ceil(perRow * WIDE_ROWS);
}

/** Lays a result out in a memory that it fits. */
export function layOutRows(memory: WriterMemory, plan: LayoutPlan): RowLayout {
  const { template, stored, chunkColumns, cells } = plan;
  const isSheet = template.style.notation === 'xlsx';
  const valueBytesMax = VALUE_BYTES_MAX + (isSheet ? MARKUP_BYTES_MAX : 0);
  const entryBytes = memory.global('ENTRY_BYTES');
  const rowsMax = rowsWithin(memory, bytesOf(memory, plan));

  const table = memory.reserve(cells.length * entryBytes);
  const columns: LaidOutColumn[] = [];
  const markups = new Map<SheetColumn, number>();
  const markupOf = (column: SheetColumn): number => {
    const address = markups.get(column) ?? writeMarkup(memory, column);
    markups.set(column, address);
    return address;
  };
  let rowFixed = 0;
  for (const [position, { literal, column }] of cells.entries()) {
    const entry = table + position * entryBytes;
    const bytesMax = literal.byteLength + valueBytesMax;
    rowFixed += bytesMax;
    const storedColumn = column === undefined ? undefined : stored[column];
    const data = storedColumn === undefined ? 0 : memory.reserve(storedColumn.width * rowsMax);
    writeEntry(memory, entry, { literal, stored: storedColumn, data, bytesMax });
    if (isSheet) writeSheetFields(memory, entry, storedColumn?.sheet ?? PRESERVED_TEXT, markupOf);
    if (storedColumn === undefined || column === undefined) continue;
    const index = chunkColumns[column] ?? column;
    columns.push({ stored: storedColumn, index, entry, data, validity: memory.reserve(rowsMax / 8) });
  }
  const strings = columns.filter(hasText);
  const stringList = memory.reserve(strings.length * 4);
  for (const [index, { entry }] of strings.entries()) memory.view.setUint32(stringList + index * 4, entry, true);
  return {
    strings,
    others: columns.filter((column) => !hasText(column)),
    table,
    tableEnd: table + cells.length * entryBytes,
    stringList,
    stringListEnd: stringList + strings.length * 4,
    runs: memory.reserve(CHUNK_ROWS * RUN_BYTES),
    rowsMax,
    rowFixed: Math.min(rowFixed, UINT32_MAX),
  };
}

const hasText = ({ stored: { kind } }: LaidOutColumn): boolean => kind === 'Text' || kind === 'Raw';

const floorTo = (step: number, value: number): number => Math.floor(value / step) * step;

interface Entry {
  readonly literal: Buffer;
  readonly stored: StoredColumn | undefined;
  readonly data: number;
  readonly bytesMax: number;
}

function writeEntry(memory: WriterMemory, entry: number, { literal, stored, data, bytesMax }: Entry): void {
  const { bytes, view } = memory;
  const at = (field: string): number => entry + memory.global(field);
  const address = memory.reserve(literal.byteLength);
  bytes.set(literal, address);
  bytes.fill(0, entry, entry + memory.global('ENTRY_BYTES'));
  view.setUint8(at('ENTRY_KIND'), memory.global(`Kind.${stored?.kind ?? 'None'}`));
  view.setUint32(at('ENTRY_LITERAL'), address, true);
  view.setUint32(at('ENTRY_LITERAL_BYTES'), literal.byteLength, true);
  view.setUint32(at('ENTRY_BYTES_MAX'), bytesMax, true);
  view.setInt32(at('ENTRY_LAST_DAY'), NO_DAY, true);
  if (stored === undefined) return;
  view.setUint8(at('ENTRY_QUOTED'), stored.isQuoted ? 1 : 0);
  view.setUint8(at('ENTRY_GUARDED'), stored.isGuarded ? 1 : 0);
  view.setUint8(at('ENTRY_SEPARATOR'), stored.separator);
  view.setUint8(at('ENTRY_SCALE'), stored.scale);
  view.setUint32(at('ENTRY_DATA'), data, true);
  // Decimals of more than 18 digits do not need it.
  view.setBigUint64(at('ENTRY_POWER'), stored.scale > 19 ? 0n : 10n ** BigInt(stored.scale), true);
}

function writeSheetFields(
  memory: WriterMemory,
  entry: number,
  column: SheetColumn,
  markupOf: (column: SheetColumn) => number,
): void {
  memory.view.setUint32(entry + memory.global('ENTRY_MARKUP'), markupOf(column), true);
  memory.view.setUint8(entry + memory.global('ENTRY_RULE'), memory.global(`Rule.${column.rule}`));
}
