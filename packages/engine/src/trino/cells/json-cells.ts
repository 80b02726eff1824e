import { type CellStyle, mayExceedDouble } from '@sluice/encoders';
import { BYTE, unreadable } from '../protocol/json-scan.ts';
import type { CellCursor } from './cell-cursor.ts';
import { intervalText } from './interval-text.ts';
import { literalOf } from './literal.ts';
import type { TrinoType } from './types.ts';

/** Reads one value of a page and writes it as one cell. */
export type CellWriter = (cursor: CellCursor) => void;

const QUOTE = Buffer.from('"');
const TRUE = literalOf('true');
const FALSE = literalOf('false');

/** Numbers whose text in Trino's pages is already a JSON number. */
const INTEGERS: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'integer', 'bigint']);
/** Numbers that JSON may be unable to express: then they are strings. */
const FLOATS: ReadonlySet<string> = new Set(['real', 'double']);
/** Exact numbers, which Trino writes as strings so that no parser rounds them. */
const DECIMALS: ReadonlySet<string> = new Set(['decimal', 'number']);

/** Values of these types that are not numbers. */
const NON_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);
/** Limit for values of unknown types; values of known types are as deep as their types. */
const DEPTH_MAX = 1_000;

/** Types whose values are always strings. */
const TEXTS = /^(?:varchar|char|varbinary|json|date|time|timestamp|uuid|ipaddress)\b/;

/** Notation of a scalar's text in a page. */
type ScalarKind = 'boolean' | 'integer' | 'float' | 'decimal' | 'interval' | 'text' | 'other';

export function scalarKind(type: TrinoType): ScalarKind {
  if (type.base === 'boolean') return 'boolean';
  if (INTEGERS.has(type.base)) return 'integer';
  if (FLOATS.has(type.base)) return 'float';
  if (DECIMALS.has(type.base)) return 'decimal';
  if (type.base.startsWith('interval ')) return 'interval';
  return TEXTS.test(type.base) ? 'text' : 'other';
}

export const isNested = (type: TrinoType): boolean =>
  type.base === 'array' || type.base === 'map' || type.base === 'row';

/** Returns the writer of a JSON value, which is never empty. */
export function jsonCell(type: TrinoType, style: CellStyle): CellWriter {
  const value = jsonValue(type, style);
  return (cursor) => {
    if (cursor.takeNull()) cursor.writeNull();
    else value(cursor);
  };
}

function jsonValue(type: TrinoType, style: CellStyle): CellWriter {
  if (isNested(type)) return nestedValue(type, style);
  const isString = style.bigNumbers === 'string' && mayExceedDouble(type.name);
  switch (scalarKind(type)) {
    case 'boolean':
      return copyBoolean;
    case 'integer':
      return isString ? quoted(copyInteger) : copyInteger;
    case 'float':
    case 'decimal':
      return isString ? quoted(copyNumberText) : copyNumber;
    case 'interval':
      return (cursor) => cursor.write(Buffer.from(JSON.stringify(intervalText(cursor.readText()))));
    case 'text':
      return copyString;
    case 'other':
      return anyValue(0);
  }
}

export const copyInteger: CellWriter = (cursor) => cursor.copyNumber();

export const copyBoolean: CellWriter = (cursor) => cursor.writeLiteral(cursor.readBoolean() ? TRUE : FALSE);

const quoted =
  (writer: CellWriter): CellWriter =>
  (cursor) => {
    cursor.write(QUOTE);
    writer(cursor);
    cursor.write(QUOTE);
  };

/** A number without the quotes that Trino puts around decimals, or the text of a value that is not a number. */
const numberOr =
  (quote: string): CellWriter =>
  (cursor) => {
    if (cursor.peek() !== BYTE.quote) cursor.copyNumber();
    else if (!cursor.copyQuotedNumber()) cursor.write(Buffer.from(`${quote}${readNonFinite(cursor)}${quote}`));
  };

export const copyNumberText = numberOr('');
/** Writes a number for JSON, where a value that is not a number stays a string. */
const copyNumber = numberOr('"');

function readNonFinite(cursor: CellCursor): string {
  const word = cursor.readText();
  if (!NON_FINITE.has(word)) throw unreadable('a number of its data is invalid');
  return word;
}

/** A value of a type that is not known by name: its first byte determines the kind. Strings are by far the most frequent. */
const anyValue =
  (depth: number): CellWriter =>
  (cursor) => {
    if (depth > DEPTH_MAX) throw unreadable('a value of its data is nested too deeply');
    const first = cursor.peek();
    if (first === BYTE.quote) cursor.copyString();
    else if (first === BYTE.openArray) list(cursor, anyValue(depth + 1));
    else if (first === BYTE.openObject) object(cursor, copyString, anyValue(depth + 1));
    else if (first === BYTE.lowerT || first === BYTE.lowerF) copyBoolean(cursor);
    else if (cursor.takeNull()) cursor.writeNull();
    else cursor.copyNumber();
  };

const copyString: CellWriter = (cursor) => cursor.copyString();

function nestedValue(type: TrinoType, style: CellStyle): CellWriter {
  const [first, second] = type.parts;
  if (type.base === 'row') return rowValue(type, style);
  if (first === undefined) throw unreadable('a nested type has no parts');
  if (type.base === 'array') {
    const item = jsonCell(first, style);
    return (cursor) => list(cursor, item);
  }
  if (second === undefined) throw unreadable('a map has no value type');
  const value = jsonCell(second, style);
  // Trino already writes each key as a string, with the text that the value has elsewhere; only intervals differ here.
  const key = scalarKind(first) === 'interval' && !isNested(first) ? jsonValue(first, style) : copyString;
  return (cursor) => object(cursor, key, value);
}

/** Trino sends a row as a list; clients get an object with the field names of its type. */
function rowValue(type: TrinoType, style: CellStyle): CellWriter {
  const names = type.fieldNames.map((name, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const cells = type.parts.map((part) => jsonCell(part, style));
  return (cursor) => {
    cursor.expect(BYTE.openArray);
    for (let index = 0; index < cells.length; index += 1) {
      if (index > 0) cursor.expect(BYTE.comma);
      cursor.write(names[index] as Buffer);
      (cells[index] as CellWriter)(cursor);
    }
    cursor.expect(BYTE.closeArray);
    if (cells.length === 0) cursor.writeByte(BYTE.openObject);
    cursor.writeByte(BYTE.closeObject);
  };
}

function list(cursor: CellCursor, item: CellWriter): void {
  cursor.expect(BYTE.openArray);
  cursor.writeByte(BYTE.openArray);
  for (let count = 0; cursor.peek() !== BYTE.closeArray; count += 1) {
    if (count > 0) separate(cursor);
    item(cursor);
  }
  cursor.at += 1;
  cursor.writeByte(BYTE.closeArray);
}

function object(cursor: CellCursor, key: CellWriter, value: CellWriter): void {
  cursor.expect(BYTE.openObject);
  cursor.writeByte(BYTE.openObject);
  for (let count = 0; cursor.peek() !== BYTE.closeObject; count += 1) {
    if (count > 0) separate(cursor);
    key(cursor);
    cursor.expect(BYTE.colon);
    cursor.writeByte(BYTE.colon);
    value(cursor);
  }
  cursor.at += 1;
  cursor.writeByte(BYTE.closeObject);
}

function separate(cursor: CellCursor): void {
  cursor.expect(BYTE.comma);
  cursor.writeByte(BYTE.comma);
}
