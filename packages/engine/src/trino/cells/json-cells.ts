import { ProblemError } from '@sluice/contract/problems';
import { type CellStyle, mayExceedDouble } from '@sluice/encoders';
import { KEY_CHARACTERS_MAX, repeatedKeyMessage } from '../../map-key-messages.ts';
import { BYTE, unreadable } from '../protocol/json-scan.ts';
import type { CellCursor } from './cell-cursor.ts';
import { intervalText } from './interval-text.ts';
import { literalOf } from './literal.ts';
import type { TrinoType } from './types.ts';

/** Format of a cell, and its column for errors about a value that cannot be written. */
export interface CellContext {
  readonly style: CellStyle;
  /** Column name. */
  readonly column: string;
}

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
export function jsonCell(type: TrinoType, context: CellContext): CellWriter {
  const value = jsonValue(type, context);
  return (cursor) => {
    if (cursor.takeNull()) cursor.writeNull();
    else value(cursor);
  };
}

function jsonValue(type: TrinoType, context: CellContext): CellWriter {
  const { style, column } = context;
  if (isNested(type)) return nestedValue(type, context);
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
      return anyValue(0, column);
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
export const copyNumber = numberOr('"');

function readNonFinite(cursor: CellCursor): string {
  const word = cursor.readText();
  if (!NON_FINITE.has(word)) throw unreadable('a number of its data is invalid');
  return word;
}

/** A value of a type that is not known by name: its first byte determines the kind. Strings are by far the most frequent. */
const anyValue =
  (depth: number, column: string): CellWriter =>
  (cursor) => {
    if (depth > DEPTH_MAX) throw unreadable('a value of its data is nested too deeply');
    const first = cursor.peek();
    if (first === BYTE.quote) cursor.copyString();
    else if (first === BYTE.openArray) list(cursor, anyValue(depth + 1, column));
    else if (first === BYTE.openObject) object(cursor, { key: copyString, value: anyValue(depth + 1, column), column });
    else if (first === BYTE.lowerT || first === BYTE.lowerF) copyBoolean(cursor);
    else if (cursor.takeNull()) cursor.writeNull();
    else cursor.copyNumber();
  };

export const copyString: CellWriter = (cursor) => cursor.copyString();

function nestedValue(type: TrinoType, context: CellContext): CellWriter {
  const [first, second] = type.parts;
  if (type.base === 'row') return rowValue(type, context);
  if (first === undefined) throw unreadable('a nested type has no parts');
  if (type.base === 'array') {
    const item = jsonCell(first, context);
    return (cursor) => list(cursor, item);
  }
  if (second === undefined) throw unreadable('a map has no value type');
  const value = jsonCell(second, context);
  // Trino already writes each key as a string, with the text that the value has elsewhere; only intervals differ here.
  const key = scalarKind(first) === 'interval' && !isNested(first) ? jsonValue(first, context) : copyString;
  const writers = { key, value, column: context.column };
  return (cursor) => object(cursor, writers);
}

/** Trino sends a row as a list; clients get an object with the field names of its type. */
function rowValue(type: TrinoType, context: CellContext): CellWriter {
  const names = type.fieldNames.map((name, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const cells = type.parts.map((part) => jsonCell(part, context));
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

export function list(cursor: CellCursor, item: CellWriter): void {
  cursor.expect(BYTE.openArray);
  cursor.writeByte(BYTE.openArray);
  for (let count = 0; cursor.peek() !== BYTE.closeArray; count += 1) {
    if (count > 0) separate(cursor);
    item(cursor);
  }
  cursor.at += 1;
  cursor.writeByte(BYTE.closeArray);
}

interface ObjectWriters {
  readonly key: CellWriter;
  readonly value: CellWriter;
  readonly column: string;
}

/**
 * Trino's keys may be distinct values with the same text: the lists `['a, b']` and `['a', 'b']`, or the two instants of an hour that
 * autumn repeats.
 */
export function object(cursor: CellCursor, { key, value, column }: ObjectWriters): void {
  const keys = new Set<string>();
  cursor.expect(BYTE.openObject);
  cursor.writeByte(BYTE.openObject);
  for (let count = 0; cursor.peek() !== BYTE.closeObject; count += 1) {
    if (count > 0) separate(cursor);
    const start = cursor.length;
    key(cursor);
    addKey(keys, cursor.target.toString('utf8', start, cursor.length), column);
    cursor.expect(BYTE.colon);
    cursor.writeByte(BYTE.colon);
    value(cursor);
  }
  cursor.at += 1;
  cursor.writeByte(BYTE.closeObject);
}

function addKey(keys: Set<string>, json: string, column: string): void {
  // The same character may be written with and without an escape.
  const key = json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
  if (keys.has(key)) {
    const [before, after] = repeatedKeyMessage(column);
    throw new ProblemError('data_error', `${before}${key.slice(0, KEY_CHARACTERS_MAX).toWellFormed()}${after}`);
  }
  keys.add(key);
}

function separate(cursor: CellCursor): void {
  cursor.expect(BYTE.comma);
  cursor.writeByte(BYTE.comma);
}
