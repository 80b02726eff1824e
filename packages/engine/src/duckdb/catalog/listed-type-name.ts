/** DuckDB's names for types, as its catalog lists them, and the names that results have (`trinoTypeName`). */
export const LISTED_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'integer',
  BIGINT: 'bigint',
  HUGEINT: 'number',
  UHUGEINT: 'number',
  BIGNUM: 'number',
  UTINYINT: 'smallint',
  USMALLINT: 'integer',
  UINTEGER: 'bigint',
  UBIGINT: 'decimal(20,0)',
  FLOAT: 'real',
  DOUBLE: 'double',
  DATE: 'date',
  TIME: 'time(6)',
  TIME_NS: 'time(9)',
  'TIME WITH TIME ZONE': 'time(6) with time zone',
  TIMESTAMP_S: 'timestamp(0)',
  TIMESTAMP_MS: 'timestamp(3)',
  TIMESTAMP: 'timestamp(6)',
  TIMESTAMP_NS: 'timestamp(9)',
  'TIMESTAMP WITH TIME ZONE': 'timestamp(6) with time zone',
  INTERVAL: 'interval',
  BLOB: 'varbinary',
  UUID: 'uuid',
  VARCHAR: 'varchar',
  JSON: 'json',
};

const DECIMAL = /^DECIMAL\((\d+),\s*(\d+)\)$/;
const LIST = /^(.*)\[\d*\]$/s;

/**
 * Returns the name of a type if the catalog's text is enough to tell it; undefined for structs, maps, enums and other types with
 * parts.
 */
export function listedTypeName(text: string): string | undefined {
  if (Object.hasOwn(LISTED_TYPES, text)) return LISTED_TYPES[text];
  const [, precision, scale] = DECIMAL.exec(text) ?? [];
  if (precision !== undefined) return `decimal(${precision},${scale})`;
  const item = LIST.exec(text)?.[1];
  const inner = item === undefined ? undefined : listedTypeName(item);
  return inner === undefined ? undefined : `array(${inner})`;
}
