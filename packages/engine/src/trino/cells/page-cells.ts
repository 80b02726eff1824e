import { BYTE } from '../protocol/json-scan.ts';
import type { CellCursor } from './cell-cursor.ts';
import {
  type CellContext,
  type CellWriter,
  copyBoolean,
  copyInteger,
  copyNumber,
  copyString,
  isNested,
  list,
  object,
  scalarKind,
} from './json-cells.ts';
import type { TrinoType } from './types.ts';

/** Types of times of day and points in time. Dates have no seconds. */
const TIMES: ReadonlySet<string> = new Set(['time', 'time with time zone', 'timestamp', 'timestamp with time zone']);
/** Text up to the seconds, their digits, and a zone. */
const SECONDS = /^(.*?\d{2}:\d{2}:\d{2})(?:\.(\d+))?(.*)$/;
const MILLISECOND_DIGITS = 3;

/** Whether values of a type, or parts of them, have digits of seconds. */
export const hasTimes = ({ base, parts }: TrinoType): boolean => TIMES.has(base) || parts.some(hasTimes);

/** Returns the writer of a value that stays as it is in a page of Trino. */
export function pageCell(type: TrinoType, context: CellContext): CellWriter {
  const value = pageValue(type, context);
  return (cursor) => {
    if (cursor.takeNull()) cursor.writeNull();
    else value(cursor);
  };
}

function pageValue(type: TrinoType, context: CellContext): CellWriter {
  if (isNested(type)) return nestedValue(type, context);
  if (context.style.times === 'milliseconds' && TIMES.has(type.base)) return copyMilliseconds;
  switch (scalarKind(type)) {
    case 'boolean':
      return copyBoolean;
    case 'integer':
      return copyInteger;
    case 'float':
      return copyNumber;
    case 'interval':
    case 'text':
      return copyString;
    default:
      return copyScalar;
  }
}

/** A decimal, which is a string, or a value of a type that is not known by name. */
const copyScalar: CellWriter = (cursor) => {
  const first = cursor.peek();
  if (first === BYTE.quote) copyString(cursor);
  else if (first === BYTE.lowerT || first === BYTE.lowerF) copyBoolean(cursor);
  else copyInteger(cursor);
};

/** Trino sends three digits to clients that know no others: it pads fewer, and cuts the rest. */
const copyMilliseconds: CellWriter = (cursor) => {
  const text = cursor
    .readText()
    .replace(
      SECONDS,
      (_text, start: string, digits: string | undefined, zone: string) =>
        `${start}.${(digits ?? '').padEnd(MILLISECOND_DIGITS, '0').slice(0, MILLISECOND_DIGITS)}${zone}`,
    );
  cursor.write(Buffer.from(JSON.stringify(text)));
};

function nestedValue(type: TrinoType, context: CellContext): CellWriter {
  const cells = type.parts.map((part) => pageCell(part, context));
  const [first, second] = cells;
  if (type.base === 'map' && second !== undefined) {
    const [keyType] = type.parts;
    const key = context.style.times === 'milliseconds' && keyType !== undefined ? keyOf(keyType) : copyString;
    return (cursor) => object(cursor, { key, value: second, column: context.column });
  }
  if (type.base === 'array' && first !== undefined) return (cursor) => list(cursor, first);
  return (cursor) => fields(cursor, cells);
}

const keyOf = ({ base }: TrinoType): CellWriter => (TIMES.has(base) ? copyMilliseconds : copyString);

/** A row is a list of the values of its fields. */
function fields(cursor: CellCursor, cells: readonly CellWriter[]): void {
  cursor.expect(BYTE.openArray);
  cursor.writeByte(BYTE.openArray);
  for (const [index, cell] of cells.entries()) {
    if (index > 0) {
      cursor.expect(BYTE.comma);
      cursor.writeByte(BYTE.comma);
    }
    cell(cursor);
  }
  cursor.expect(BYTE.closeArray);
  cursor.writeByte(BYTE.closeArray);
}
