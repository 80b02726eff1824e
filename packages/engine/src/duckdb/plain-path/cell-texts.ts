import type { DuckDBType } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ScalarText } from '../cells/scalar-text.ts';
import { DuckDBTypeId } from '../node-api.ts';
import { dayText, momentText, timeOfDayText } from './calendar-text.ts';
import { doubleText } from './double-text.ts';
import { type CellTexts, varcharTexts } from './varchar-texts.ts';

/** How the values of a type are read from a vector. */
export interface CellReader {
  /** `double`: a JSON number unless it is not finite. */
  readonly alphabet: ScalarText['alphabet'] | 'double';
  open(vector: duckdb.Vector, rows: number, isNull: (row: number) => boolean): CellTexts;
}

/** Undefined for a type that only SQL writes: nested ones, intervals, blobs, zones other than UTC. */
export function cellReader(type: DuckDBType, timeZone: string): CellReader | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return { alphabet: 'free', open: varcharTexts };
    case DuckDBTypeId.DOUBLE:
      return { alphabet: 'double', open: texts(Float64Array, doubleOrWord) };
    case DuckDBTypeId.DECIMAL:
      return decimalReader(type.width, type.scale);
    default:
      return integerReader(type.typeId) ?? timeReader(type.typeId, timeZone);
  }
}

interface Values<T> {
  readonly [row: number]: T;
}

interface ValuesConstructor<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Values<T>;
}

/** Values of fixed width, in place. */
function valuesOf<T>(kind: ValuesConstructor<T>, vector: duckdb.Vector, count: number): Values<T> {
  const data = duckdb.vector_get_data(vector, count * kind.BYTES_PER_ELEMENT);
  return new kind(data.buffer, data.byteOffset, count);
}

const texts =
  <T>(kind: ValuesConstructor<T>, text: (value: T) => string): CellReader['open'] =>
  (vector, rows) => {
    const values = valuesOf(kind, vector, rows);
    return (row) => text(values[row] as T);
  };

const number = (open: CellReader['open']): CellReader => ({ alphabet: 'number', open });
const plain = (open: CellReader['open']): CellReader => ({ alphabet: 'plain', open });

function integerReader(typeId: DuckDBTypeId): CellReader | undefined {
  switch (typeId) {
    case DuckDBTypeId.BOOLEAN:
      return number(texts(Uint8Array, (value) => (value === 0 ? 'false' : 'true')));
    case DuckDBTypeId.TINYINT:
      return number(texts(Int8Array, String));
    case DuckDBTypeId.SMALLINT:
      return number(texts(Int16Array, String));
    case DuckDBTypeId.INTEGER:
      return number(texts(Int32Array, String));
    case DuckDBTypeId.BIGINT:
      return number(texts(BigInt64Array, String));
    case DuckDBTypeId.UTINYINT:
      return number(texts(Uint8Array, String));
    case DuckDBTypeId.USMALLINT:
      return number(texts(Uint16Array, String));
    case DuckDBTypeId.UINTEGER:
      return number(texts(Uint32Array, String));
    case DuckDBTypeId.UBIGINT:
      return number(texts(BigUint64Array, String));
    case DuckDBTypeId.HUGEINT:
      return number(hugeTexts(String));
    case DuckDBTypeId.UUID:
      return plain(hugeTexts(uuidText));
    default:
      return undefined;
  }
}

/** Values of 128 bits, two's complement, the low word first. */
const hugeTexts =
  (text: (value: bigint) => string): CellReader['open'] =>
  (vector, rows) => {
    const values = valuesOf(BigInt64Array, vector, rows * 2);
    return (row) => text(((values[row * 2 + 1] ?? 0n) << 64n) + BigInt.asUintN(64, values[row * 2] ?? 0n));
  };

/** DuckDB flips the first bit, so that UUIDs sort as signed numbers. */
function uuidText(value: bigint): string {
  const hex = BigInt.asUintN(128, value ^ (1n << 127n))
    .toString(16)
    .padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Decimals lie in the smallest integer that holds their digits (DuckDB's storage of DECIMAL). */
function decimalReader(width: number, scale: number): CellReader {
  const text = (value: bigint | number): string => decimalText(String(value), scale);
  if (width <= 4) return number(texts(Int16Array, text));
  if (width <= 9) return number(texts(Int32Array, text));
  return number(width <= 18 ? texts(BigInt64Array, text) : hugeTexts(text));
}

/** The digits of a whole number of smallest units, with the point where it belongs. */
function decimalText(units: string, scale: number): string {
  if (scale === 0) return units;
  const sign = units.startsWith('-') ? '-' : '';
  const digits = units.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const DAYS_INFINITE = 2 ** 31 - 1;
const TICKS_INFINITE = 2n ** 63n - 1n;

function timeReader(typeId: DuckDBTypeId, timeZone: string): CellReader | undefined {
  switch (typeId) {
    case DuckDBTypeId.DATE:
      return plain(texts(Int32Array, (days) => infinite(days, DAYS_INFINITE) ?? dayText(days)));
    case DuckDBTypeId.TIMESTAMP_S:
      return plain(moments(0, ''));
    case DuckDBTypeId.TIMESTAMP_MS:
      return plain(moments(3, ''));
    case DuckDBTypeId.TIMESTAMP:
      return plain(moments(6, ''));
    case DuckDBTypeId.TIMESTAMP_NS:
      return plain(moments(9, ''));
    case DuckDBTypeId.TIMESTAMP_TZ:
      return timeZone.toUpperCase() === 'UTC' ? plain(moments(6, ' UTC')) : undefined;
    case DuckDBTypeId.TIME:
      return plain(texts(BigInt64Array, (ticks) => timeOfDayText(ticks, 6)));
    default:
      return undefined;
  }
}

const moments = (digits: number, zone: string): CellReader['open'] =>
  texts(BigInt64Array, (ticks) => infinite(ticks, TICKS_INFINITE) ?? `${momentText(ticks, digits)}${zone}`);

function infinite<T extends bigint | number>(value: T, most: T): string | undefined {
  if (value === most) return 'infinity';
  return value === -most ? '-infinity' : undefined;
}

function doubleOrWord(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : String(value);
}
