import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlIdentifier } from '../sql-text.ts';
import { fieldNames } from '../types.ts';

/** SQL of the types that a Parquet file stores as they are. It stores a text for all others (`parquet-columns.ts`). */
const STORED: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.BOOLEAN]: 'BOOLEAN',
  [DuckDBTypeId.TINYINT]: 'TINYINT',
  [DuckDBTypeId.SMALLINT]: 'SMALLINT',
  [DuckDBTypeId.INTEGER]: 'INTEGER',
  [DuckDBTypeId.BIGINT]: 'BIGINT',
  [DuckDBTypeId.UTINYINT]: 'UTINYINT',
  [DuckDBTypeId.USMALLINT]: 'USMALLINT',
  [DuckDBTypeId.UINTEGER]: 'UINTEGER',
  [DuckDBTypeId.UBIGINT]: 'UBIGINT',
  [DuckDBTypeId.FLOAT]: 'FLOAT',
  [DuckDBTypeId.DOUBLE]: 'DOUBLE',
  [DuckDBTypeId.BLOB]: 'BLOB',
  [DuckDBTypeId.UUID]: 'UUID',
  [DuckDBTypeId.DATE]: 'DATE',
  [DuckDBTypeId.TIME]: 'TIME',
  [DuckDBTypeId.TIMESTAMP_S]: 'TIMESTAMP_S',
  [DuckDBTypeId.TIMESTAMP_MS]: 'TIMESTAMP_MS',
  [DuckDBTypeId.TIMESTAMP]: 'TIMESTAMP',
  [DuckDBTypeId.TIMESTAMP_NS]: 'TIMESTAMP_NS',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'TIMESTAMPTZ',
};

/** Returns SQL of the type that a value of a kept result is read as when a Parquet file is written from it. */
export function fileType(type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return `DECIMAL(${type.width},${type.scale})`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return `${fileType(type.valueType)}[]`;
    case DuckDBTypeId.MAP:
      return `MAP(${fileType(type.keyType)}, ${fileType(type.valueType)})`;
    case DuckDBTypeId.STRUCT:
      return structOf(fieldNames(type.entryNames), type.entryTypes.map(fileType));
    default:
      return STORED[type.typeId] ?? 'VARCHAR';
  }
}

const structOf = (names: readonly string[], types: readonly string[]): string =>
  `STRUCT(${types.map((type, index) => `${sqlIdentifier(names[index] ?? '')} ${type}`).join(', ')})`;
