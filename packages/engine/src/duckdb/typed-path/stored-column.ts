import type { DuckDBType } from '@duckdb/node-api';
import { type CellStyle, isQuotedNumber } from '@sluice/encoders';
import { DuckDBTypeId } from '../node-api.ts';
import { trinoTypeName } from '../types.ts';
import { type SheetColumn, sheetColumn } from './sheet-markup.ts';

/** A name of the enumeration `Kind` in assembly/rows.ts. */
type KindName =
  | 'Boolean'
  | 'Int8'
  | 'Int16'
  | 'Int32'
  | 'Int64'
  | 'UInt8'
  | 'UInt16'
  | 'UInt32'
  | 'UInt64'
  | 'Int128'
  | 'UInt128'
  | 'Float'
  | 'Double'
  | 'Decimal16'
  | 'Decimal32'
  | 'Decimal64'
  | 'Date'
  | 'Time'
  | 'Timestamp'
  | 'Microseconds'
  | 'MicrosecondsUtc'
  | 'Uuid'
  | 'Text'
  | 'Raw'
  | 'None';

/** Layout of a column in its vector, and the options by which the writer writes its values. */
export interface StoredColumn {
  readonly kind: KindName;
  /** Bytes of one value in the vector. */
  readonly width: number;
  /** Digits after the decimal point. */
  readonly scale: number;
  readonly isQuoted: boolean;
  readonly isGuarded: boolean;
  /** Byte that a string of a CSV must be quoted for. */
  readonly separator: number;
  /** Cells of a worksheet; undefined for the other formats. */
  readonly sheet?: SheetColumn | undefined;
}

interface Storage {
  readonly kind: KindName;
  readonly width: number;
  readonly scale?: number;
  /** `number`: quoted only if big numbers are strings. `plain`: always quoted in JSON. `own`: the writer knows. */
  readonly quotes: 'number' | 'plain' | 'own';
}

/** A column of finished cells. */
export const RAW_COLUMN: StoredColumn = {
  kind: 'Raw',
  width: 16,
  scale: 0,
  isQuoted: false,
  isGuarded: false,
  separator: 0,
};

/** Returns undefined for a type that only SQL can write: nested types, intervals, zones other than UTC and some rare types. */
export function storedColumn(type: DuckDBType, style: CellStyle, timeZone: string): StoredColumn | undefined {
  const storage = storageOf(type, timeZone);
  if (storage === undefined) return undefined;
  const { kind, width, scale = 0, quotes } = storage;
  const isBig = quotes === 'number' && isQuotedNumber(trinoTypeName(type), style);
  return {
    kind,
    width,
    scale,
    isQuoted: style.notation === 'json' && (quotes === 'plain' || isBig),
    isGuarded: style.formulas === 'prefix',
    separator: (style.separator ?? ',').charCodeAt(0),
    sheet: style.notation === 'xlsx' ? sheetColumn(type, style) : undefined,
  };
}

function storageOf(type: DuckDBType, timeZone: string): Storage | undefined {
  if (type.typeId === DuckDBTypeId.DECIMAL) return decimalStorage(type.width, type.scale);
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ && timeZone.toUpperCase() !== 'UTC') return undefined;
  return STORAGE[type.typeId];
}

/** A decimal is stored in the smallest integer that holds its digits. */
function decimalStorage(width: number, scale: number): Storage {
  if (width <= 4) return { kind: 'Decimal16', width: 2, scale, quotes: 'number' };
  if (width <= 9) return { kind: 'Decimal32', width: 4, scale, quotes: 'number' };
  if (width <= 18) return { kind: 'Decimal64', width: 8, scale, quotes: 'number' };
  return { kind: 'Int128', width: 16, scale, quotes: 'number' };
}

const number = (kind: KindName, width: number): Storage => ({ kind, width, quotes: 'number' });
const timestamp = (scale: number): Storage => ({ kind: 'Timestamp', width: 8, scale, quotes: 'plain' });

const STORAGE: Partial<Record<DuckDBTypeId, Storage>> = {
  [DuckDBTypeId.BOOLEAN]: { kind: 'Boolean', width: 1, quotes: 'own' },
  [DuckDBTypeId.TINYINT]: number('Int8', 1),
  [DuckDBTypeId.SMALLINT]: number('Int16', 2),
  [DuckDBTypeId.INTEGER]: number('Int32', 4),
  [DuckDBTypeId.BIGINT]: number('Int64', 8),
  [DuckDBTypeId.UTINYINT]: number('UInt8', 1),
  [DuckDBTypeId.USMALLINT]: number('UInt16', 2),
  [DuckDBTypeId.UINTEGER]: number('UInt32', 4),
  [DuckDBTypeId.UBIGINT]: number('UInt64', 8),
  [DuckDBTypeId.HUGEINT]: number('Int128', 16),
  [DuckDBTypeId.UHUGEINT]: number('UInt128', 16),
  [DuckDBTypeId.FLOAT]: { kind: 'Float', width: 4, quotes: 'own' },
  [DuckDBTypeId.DOUBLE]: { kind: 'Double', width: 8, quotes: 'own' },
  [DuckDBTypeId.DATE]: { kind: 'Date', width: 4, quotes: 'plain' },
  [DuckDBTypeId.TIME]: { kind: 'Time', width: 8, scale: 6, quotes: 'plain' },
  [DuckDBTypeId.TIME_NS]: { kind: 'Time', width: 8, scale: 9, quotes: 'plain' },
  [DuckDBTypeId.TIMESTAMP_S]: timestamp(0),
  [DuckDBTypeId.TIMESTAMP_MS]: timestamp(3),
  [DuckDBTypeId.TIMESTAMP]: { kind: 'Microseconds', width: 8, quotes: 'plain' },
  [DuckDBTypeId.TIMESTAMP_NS]: timestamp(9),
  [DuckDBTypeId.TIMESTAMP_TZ]: { kind: 'MicrosecondsUtc', width: 8, quotes: 'plain' },
  [DuckDBTypeId.UUID]: { kind: 'Uuid', width: 16, quotes: 'plain' },
  [DuckDBTypeId.VARCHAR]: { kind: 'Text', width: 16, quotes: 'own' },
};

/** Maximum bytes of a value without its quotes. A string counts separately. */
export const VALUE_BYTES_MAX = 64;
