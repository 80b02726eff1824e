import {
  BOOLEAN_CELL,
  CELL_CHARACTERS_MAX,
  type CellStyle,
  DATE_CELL,
  DATE_MARK,
  DATE_TIME_CELL,
  EMPTY_CELL,
  EPOCH_SERIAL,
  EXACT_DIGITS_MAX,
  EXACT_INTEGER_MAX,
  FIRST_SERIAL_DAY,
  LAST_SERIAL_DAY,
  LONG_STRING,
  NUMBER_CELL,
  TEXT_CELL,
  xmlText,
} from '@sluice/encoders';
import { BYTE } from '../protocol/json-scan.ts';
import type { CellCursor } from './cell-cursor.ts';
import { intervalText } from './interval-text.ts';
import { type CellContext, type CellWriter, copyNumberText, isNested, jsonCell, scalarKind } from './json-cells.ts';
import type { TrinoType } from './types.ts';

const EMPTY = Buffer.from(EMPTY_CELL);
const NUMBER = enclosure(NUMBER_CELL);
const BOOLEAN = enclosure(BOOLEAN_CELL);
/** Text of a known alphabet, as for DuckDB. */
const TEXT = enclosure(TEXT_CELL);
const PRESERVED = enclosure({ open: TEXT_CELL.openPreserved, close: TEXT_CELL.close });
const SMALL_INTEGERS: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'integer']);

interface Enclosure {
  readonly open: Buffer;
  readonly close: Buffer;
}

function enclosure({ open, close }: { readonly open: string; readonly close: string }): Enclosure {
  return { open: Buffer.from(open), close: Buffer.from(close) };
}

/** Returns the writer of a worksheet cell, with the same result as `xlsxCellArguments` for DuckDB. */
export function xlsxCell(type: TrinoType, context: CellContext): CellWriter {
  const value = xlsxValue(type, context);
  return (cursor) => {
    if (cursor.takeNull()) cursor.write(EMPTY);
    else value(cursor);
  };
}

function xlsxValue(type: TrinoType, context: CellContext): CellWriter {
  if (isNested(type)) return nestedText(type, context);
  if (type.base === 'boolean') return (cursor) => enclosed(cursor, BOOLEAN, cursor.readBoolean() ? '1' : '0');
  if (SMALL_INTEGERS.has(type.base)) return copiedNumber;
  switch (scalarKind(type)) {
    case 'integer':
      return numberWhere((text) => isExactInteger(text));
    case 'float':
      return numberWhere((text) => Number.isFinite(Number(text)));
    case 'decimal':
      return numberWhere((text) => isExactInteger(text) || hasExactDigits(text));
    case 'interval':
      return (cursor) => enclosed(cursor, TEXT, intervalText(cursor.readText()));
    default:
      return dateTimeWriter(type.base, context.style) ?? plainText(type.base) ?? textOrNested(type, context);
  }
}

const copiedNumber: CellWriter = (cursor) => {
  cursor.write(NUMBER.open);
  cursor.copyNumber();
  cursor.write(NUMBER.close);
};

/** A number, with or without quotes: a number if a spreadsheet keeps it, otherwise its text. */
const numberWhere =
  (isExact: (text: string) => boolean): CellWriter =>
  (cursor) => {
    const text = numberText(cursor);
    if (isExact(text)) enclosed(cursor, NUMBER, text);
    else enclosed(cursor, TEXT, text);
  };

function numberText(cursor: CellCursor): string {
  const start = cursor.length;
  copyNumberText(cursor);
  const text = cursor.target.toString('latin1', start, cursor.length);
  cursor.length = start;
  return text;
}

function enclosed(cursor: CellCursor, { open, close }: Enclosure, text: string): void {
  cursor.write(open);
  cursor.write(Buffer.from(text));
  cursor.write(close);
}

/** Compares the text, because a double of it may be rounded already. */
function isExactInteger(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const digits = text.length - (text.startsWith('-') ? 1 : 0);
  return digits <= EXACT_DIGITS_MAX || (digits <= 16 && BigInt(text) ** 2n <= BigInt(EXACT_INTEGER_MAX) ** 2n);
}

function hasExactDigits(text: string): boolean {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return false;
  const trimmed = text.includes('.') ? text.replace(/0+$/, '') : text;
  return trimmed.replace('.', '').replace(/^[-0]+/, '').length <= EXACT_DIGITS_MAX;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,3})0*)?$/;
const DAY_MS = 86_400_000;

const MARKED_DATE = enclosure(DATE_MARK);
const DATE_TYPES: ReadonlySet<string> = new Set(['date', 'time', 'timestamp', 'timestamp with time zone']);

/** Dates, and timestamps without zone, are numbers if they are whole milliseconds after February 1900. */
function dateTimeWriter(base: string, { dates }: CellStyle): CellWriter | undefined {
  if (dates === 'marked' && DATE_TYPES.has(base)) return (cursor) => enclosed(cursor, MARKED_DATE, cursor.readText());
  if (base === 'date') return serialWhere(enclosure(DATE_CELL), dateSerial);
  return base === 'timestamp' ? serialWhere(enclosure(DATE_TIME_CELL), dateTimeSerial, doubleText) : undefined;
}

/** The text of a double as the WebAssembly module writes it for DuckDB. */
const doubleText = (serial: number): string => (Number.isInteger(serial) ? serial.toFixed(1) : String(serial));

const serialWhere =
  (
    cell: Enclosure,
    serialOf: (text: string) => number | undefined,
    textOf: (serial: number) => string = String,
  ): CellWriter =>
  (cursor) => {
    const text = cursor.readText();
    const serial = serialOf(text);
    if (serial === undefined) enclosed(cursor, TEXT, text);
    else enclosed(cursor, cell, textOf(serial));
  };

const isSerialDay = (day: string): boolean => day >= FIRST_SERIAL_DAY && day <= LAST_SERIAL_DAY;

const dateSerial = (text: string): number | undefined =>
  DATE.test(text) && isSerialDay(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS + EPOCH_SERIAL : undefined;

function dateTimeSerial(text: string): number | undefined {
  const [, day = '', time = '', fraction = ''] = DATE_TIME.exec(text) ?? [];
  if (!isSerialDay(day)) return undefined;
  return Date.parse(`${day}T${time}.${fraction.padEnd(3, '0')}Z`) / DAY_MS + EPOCH_SERIAL;
}

/** Types whose texts have nothing to escape. */
const PLAIN = /^(?:time|timestamp|uuid|interval)\b/;

const plainText = (base: string): CellWriter | undefined =>
  PLAIN.test(base) ? (cursor) => enclosed(cursor, TEXT, cursor.readText()) : undefined;

function textOrNested(type: TrinoType, context: CellContext): CellWriter {
  const nested = nestedText(type, context);
  return (cursor) => (cursor.peek() === BYTE.quote ? writeText(cursor, cursor.readText()) : nested(cursor));
}

/** Writes a nested value as its JSON, in one string. */
function nestedText(type: TrinoType, { style, column }: CellContext): CellWriter {
  const json = jsonCell(type, { style: { ...style, notation: 'json' }, column });
  return (cursor) => {
    const start = cursor.length;
    json(cursor);
    const text = cursor.target.toString('utf8', start, cursor.length);
    cursor.length = start;
    writeText(cursor, text);
  };
}

function writeText(cursor: CellCursor, text: string): void {
  const xml = xmlText(text);
  enclosed(
    cursor,
    PRESERVED,
    text.length > CELL_CHARACTERS_MAX ? `${LONG_STRING.open}${xml}${LONG_STRING.close}` : xml,
  );
}
