import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from './node-api.ts';

const SCALARS: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'tinyint',
  [DuckDBTypeId.SMALLINT]: 'smallint',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'bigint',
  [DuckDBTypeId.HUGEINT]: 'number',
  [DuckDBTypeId.UHUGEINT]: 'number',
  [DuckDBTypeId.BIGNUM]: 'number',
  [DuckDBTypeId.UTINYINT]: 'smallint',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'bigint',
  [DuckDBTypeId.UBIGINT]: 'decimal(20,0)',
  [DuckDBTypeId.FLOAT]: 'real',
  [DuckDBTypeId.DOUBLE]: 'double',
  [DuckDBTypeId.DATE]: 'date',
  [DuckDBTypeId.TIME]: 'time(6)',
  [DuckDBTypeId.TIME_NS]: 'time(9)',
  [DuckDBTypeId.TIME_TZ]: 'time(6) with time zone',
  [DuckDBTypeId.TIMESTAMP_S]: 'timestamp(0)',
  [DuckDBTypeId.TIMESTAMP_MS]: 'timestamp(3)',
  [DuckDBTypeId.TIMESTAMP]: 'timestamp(6)',
  [DuckDBTypeId.TIMESTAMP_NS]: 'timestamp(9)',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'timestamp(6) with time zone',
  [DuckDBTypeId.INTERVAL]: 'interval',
  [DuckDBTypeId.BLOB]: 'varbinary',
  [DuckDBTypeId.UUID]: 'uuid',
  [DuckDBTypeId.VARIANT]: 'json',
  [DuckDBTypeId.SQLNULL]: 'unknown',
};

/** Names that Trino writes without quotes inside `row(...)`. */
const PLAIN_FIELD = /^[a-z_][a-z0-9_]*$/;

/** Returns the field names of a struct; the fields of an unnamed struct get Trino's names. */
export const fieldNames = (names: readonly string[]): readonly string[] =>
  names.map((name, index) => (name === '' ? `field${index}` : name));

/** Returns Trino's lower-case name for a DuckDB type, including nested types; `varchar` for a type that Trino does not have. */
export function trinoTypeName(type: DuckDBType): string {
  if (type.alias === 'JSON') return 'json';
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return `decimal(${type.width},${type.scale})`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return `array(${trinoTypeName(type.valueType)})`;
    case DuckDBTypeId.MAP:
      return `map(${trinoTypeName(type.keyType)},${trinoTypeName(type.valueType)})`;
    case DuckDBTypeId.STRUCT: {
      const names = fieldNames(type.entryNames);
      return `row(${type.entryTypes.map((entry, index) => `${quoteField(names[index] ?? '')} ${trinoTypeName(entry)}`).join(',')})`;
    }
    default:
      return SCALARS[type.typeId] ?? 'varchar';
  }
}

const quoteField = (name: string): string => (PLAIN_FIELD.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
