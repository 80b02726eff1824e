import type { DuckDBType } from '@duckdb/node-api';
import {
  BOOLEAN_CELL,
  type CellStyle,
  DATE_CELL,
  DATE_MARK,
  DATE_TIME_CELL,
  EMPTY_CELL,
  EXACT_DIGITS_MAX,
  LONG_STRING,
  NUMBER_CELL,
  TEXT_CELL,
} from '@sluice/encoders';
import type { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { DuckDBTypeId } from '../node-api.ts';

/** Notation of a column's values as cells of a worksheet. */
export interface SheetColumn {
  readonly open: string;
  readonly close: string;
  /** A name of the enumeration `Rule` in assembly/sheet.ts: which values are written so. The others are text. */
  readonly rule: 'Always' | 'Integer' | 'Digits' | 'Finite' | 'Serial';
}

const NUMBER: SheetColumn = { ...NUMBER_CELL, rule: 'Always' };
const INTEGER: SheetColumn = { ...NUMBER_CELL, rule: 'Integer' };
const DIGITS: SheetColumn = { ...NUMBER_CELL, rule: 'Digits' };
const FINITE: SheetColumn = { ...NUMBER_CELL, rule: 'Finite' };
const DATE_TIME: SheetColumn = { ...DATE_TIME_CELL, rule: 'Serial' };
/** Text of a known alphabet. */
const TEXT: SheetColumn = { open: TEXT_CELL.open, close: TEXT_CELL.close, rule: 'Always' };

/** Column of any strings, and of finished cells, which are only EMPTY_CELL for NULL. */
export const PRESERVED_TEXT: SheetColumn = { open: TEXT_CELL.openPreserved, close: TEXT_CELL.close, rule: 'Always' };

const MARKED_DATE: SheetColumn = { ...DATE_MARK, rule: 'Always' };
/** Types whose values become date cells when dates are marked. A time with a time zone has no date by which to convert it, and stays text. */
export const DATE_TYPES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIME_NS,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/** Returns how a column of a type that the module writes becomes cells. */
export function sheetColumn(type: DuckDBType, { dates }: Pick<CellStyle, 'dates'>): SheetColumn {
  if (dates === 'marked' && DATE_TYPES.has(type.typeId)) return MARKED_DATE;
  if (type.typeId === DuckDBTypeId.DECIMAL) {
    if (type.width <= EXACT_DIGITS_MAX) return NUMBER;
    return type.scale === 0 ? INTEGER : DIGITS;
  }
  return COLUMNS[type.typeId] ?? TEXT;
}

const COLUMNS: Partial<Record<DuckDBTypeId, SheetColumn>> = {
  [DuckDBTypeId.BOOLEAN]: { ...BOOLEAN_CELL, rule: 'Always' },
  [DuckDBTypeId.TINYINT]: NUMBER,
  [DuckDBTypeId.SMALLINT]: NUMBER,
  [DuckDBTypeId.INTEGER]: NUMBER,
  [DuckDBTypeId.UTINYINT]: NUMBER,
  [DuckDBTypeId.USMALLINT]: NUMBER,
  [DuckDBTypeId.UINTEGER]: NUMBER,
  [DuckDBTypeId.BIGINT]: INTEGER,
  [DuckDBTypeId.UBIGINT]: INTEGER,
  [DuckDBTypeId.HUGEINT]: INTEGER,
  [DuckDBTypeId.UHUGEINT]: INTEGER,
  [DuckDBTypeId.FLOAT]: FINITE,
  [DuckDBTypeId.DOUBLE]: FINITE,
  [DuckDBTypeId.DATE]: { ...DATE_CELL, rule: 'Serial' },
  [DuckDBTypeId.TIMESTAMP_S]: DATE_TIME,
  [DuckDBTypeId.TIMESTAMP_MS]: DATE_TIME,
  [DuckDBTypeId.TIMESTAMP]: DATE_TIME,
  [DuckDBTypeId.TIMESTAMP_NS]: DATE_TIME,
  [DuckDBTypeId.VARCHAR]: PRESERVED_TEXT,
};

/** Maximum bytes of the markup of a cell. */
export const MARKUP_BYTES_MAX = 128;

const SLOT_HEAD_BYTES = 4;

/** Writes the markup of a kind of column to the module's memory, and returns its address. */
export function writeMarkup(memory: WriterMemory, { open, close }: SheetColumn): number {
  const slotBytes = memory.global('MARKUP_SLOT_BYTES');
  const slots = [open, close, TEXT_CELL.open, TEXT_CELL.close, EMPTY_CELL, LONG_STRING.open, LONG_STRING.close];
  const address = memory.reserve(memory.global('MARKUP_BYTES'));
  for (const [index, text] of slots.entries()) {
    if (text.length > slotBytes - SLOT_HEAD_BYTES) throw new Error(`The markup ${text} is too long for the row writer`);
    const slot = address + index * slotBytes;
    memory.view.setUint32(slot, text.length, true);
    memory.bytes.set(Buffer.from(text), slot + SLOT_HEAD_BYTES);
  }
  return address;
}
