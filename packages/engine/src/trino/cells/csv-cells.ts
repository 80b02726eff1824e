import { type CellStyle, FORMULA_STARTS } from '@sluice/encoders';
import { BYTE } from '../protocol/json-scan.ts';
import type { CellCursor } from './cell-cursor.ts';
import { intervalText } from './interval-text.ts';
import {
  type CellContext,
  type CellWriter,
  copyBoolean,
  copyInteger,
  copyNumberText,
  isNested,
  jsonCell,
  scalarKind,
} from './json-cells.ts';
import type { TrinoType } from './types.ts';

const EMPTY_TEXT = Buffer.from('""');
const APOSTROPHE = 0x27;
const FORMULA_BYTES: ReadonlySet<number> = new Set(FORMULA_STARTS.map((start) => start.charCodeAt(0)));
/** Strings of letters, digits and `:+-. /` that begin with a letter or digit, a year's sign or a colon, and are not formulas. */
const PLAIN = /^(date|time|timestamp|uuid|ipaddress)\b/;

/** Returns the writer of a field of RFC 4180; NULL is empty. */
export function csvCell(type: TrinoType, context: CellContext): CellWriter {
  const value = csvValue(type, context);
  return (cursor) => {
    if (!cursor.takeNull()) value(cursor);
  };
}

/** Returns whether the strings of a column stay unchanged, whatever they begin with. */
export const isNeverFormula = (type: TrinoType, style: CellStyle): boolean =>
  style.formulas === 'keep' || PLAIN.test(type.base);

function csvValue(type: TrinoType, context: CellContext): CellWriter {
  if (isNested(type)) return nestedText(context.style, jsonCell(type, context));
  switch (scalarKind(type)) {
    case 'boolean':
      return copyBoolean;
    case 'integer':
      return copyInteger;
    case 'float':
    case 'decimal':
      return copyNumberText;
    case 'interval':
      return (cursor) => cursor.write(Buffer.from(intervalText(cursor.readText())));
    case 'text':
      return text(context.style, !isNeverFormula(type, context.style));
    case 'other':
      return textOrNested(type, context);
  }
}

const separatorOf = ({ separator }: CellStyle): number => separator?.charCodeAt(0) ?? BYTE.comma;

function text(style: CellStyle, isGuarded: boolean): CellWriter {
  const separator = separatorOf(style);
  return (cursor) => {
    const start = cursor.length;
    writeText(cursor);
    if (cursor.length === start) return cursor.write(EMPTY_TEXT);
    if (isGuarded && FORMULA_BYTES.has(cursor.target[start] as number)) insertApostrophe(cursor, start);
    quoteWhereNeeded(cursor, start, separator);
  };
}

function textOrNested(type: TrinoType, context: CellContext): CellWriter {
  const string = text(context.style, context.style.formulas === 'prefix');
  const nested = nestedText(context.style, jsonCell(type, context));
  return (cursor) => (cursor.peek() === BYTE.quote ? string(cursor) : nested(cursor));
}

/** Writes a nested value as its JSON, in one string. */
function nestedText(style: CellStyle, json: CellWriter): CellWriter {
  const separator = separatorOf(style);
  return (cursor) => {
    const start = cursor.length;
    json(cursor);
    quoteWhereNeeded(cursor, start, separator);
  };
}

/** Copies a string's bytes, and decodes it only if it contains an escape: without one it has no line end and no quote either. */
function writeText(cursor: CellCursor): void {
  const readFrom = cursor.at;
  const start = cursor.length;
  if (!cursor.copyStringInside()) return;
  cursor.at = readFrom;
  cursor.length = start;
  cursor.write(Buffer.from(cursor.readText()));
}

function insertApostrophe(cursor: CellCursor, start: number): void {
  cursor.reserve(1);
  cursor.target.copyWithin(start + 1, start, cursor.length);
  cursor.target[start] = APOSTROPHE;
  cursor.length += 1;
}

/**
 * Quotes what was just written where RFC 4180 section 2, rules 6 and 7, requires it. Quotes are rare, so the bytes are moved only
 * then.
 */
function quoteWhereNeeded(cursor: CellCursor, start: number, separator: number): void {
  let isNeeded = false;
  let quotes = 0;
  for (let index = start; index < cursor.length; index += 1) {
    const byte = cursor.target[index];
    if (byte === BYTE.quote) quotes += 1;
    else if (byte === separator || byte === 0x0a || byte === 0x0d) isNeeded = true;
  }
  if (!isNeeded && quotes === 0) return;
  cursor.reserve(quotes + 2);
  const { target } = cursor;
  let to = cursor.length + quotes + 1;
  target[to] = BYTE.quote;
  for (let from = cursor.length - 1; from >= start; from -= 1) {
    const byte = target[from] as number;
    to -= 1;
    target[to] = byte;
    if (byte !== BYTE.quote) continue;
    to -= 1;
    target[to] = BYTE.quote;
  }
  target[start] = BYTE.quote;
  cursor.length += quotes + 2;
}
