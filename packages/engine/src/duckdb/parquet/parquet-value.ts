import type { DuckDBType } from '@duckdb/node-api';
import { bareText, type NestedCellContext } from '../cells/cells.ts';
import { validText } from '../cells/scalar-text.ts';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlIdentifier, sqlString } from '../sql-text.ts';
import { fieldNames } from '../types.ts';

export interface ParquetContext {
  /** The column, for what is said of a value that no reader would read as it is. */
  readonly column: string;
  readonly timeZone: string;
  /** Nesting so far, which names the parameters of lambdas. */
  readonly depth: number;
}

/**
 * SQL that gives a value as Parquet holds it without loss, or fails. What DuckDB's writer would change (a HUGEINT becomes a double, an
 * INTERVAL loses its microseconds, a TIMETZ its offset) is the text that CSV has of it, always, so that a column's type never
 * depends on its values. Within lists, maps and structs the same holds of each part.
 */
export function parquetValue(type: DuckDBType, value: string, context: ParquetContext): string {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return validText(type.alias === 'JSON' ? `${value}::VARCHAR` : value);
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.DECIMAL:
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.UUID:
      return value;
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_NS:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return unless(`NOT isfinite(${value})`, value, { context, what: 'infinity' });
    case DuckDBTypeId.TIMESTAMP_S: // Parquet has no seconds; one that has no microseconds fails in the cast
      return unless(`NOT isfinite(${value})`, `${value}::TIMESTAMP`, { context, what: 'infinity' });
    case DuckDBTypeId.TIME: // readers take it for midnight
      return unless(`${value} = TIME '24:00:00'`, value, { context, what: '24:00:00' });
    case DuckDBTypeId.LIST:
      return listOf(type.valueType, value, context) ?? value;
    case DuckDBTypeId.ARRAY: // as a list: of an ARRAY that is NULL the writer makes what other readers refuse
      return listOf(type.valueType, value, context) ?? `list_transform(${value}, lambda e: e)`;
    case DuckDBTypeId.MAP:
      return mapOf(type.keyType, type.valueType, { value, context });
    case DuckDBTypeId.STRUCT:
      return structOf(type.entryNames, type.entryTypes, { value, context });
    case DuckDBTypeId.UNION:
      return validText(bareText(type, value, textContext(context)));
    default:
      return bareText(type, value, textContext(context));
  }
}

const textContext = ({ timeZone, depth }: ParquetContext): NestedCellContext => ({
  style: { notation: 'json', bigNumbers: 'number', formulas: 'keep' },
  timeZone,
  longTexts: 'whole',
  depth,
});

interface Refusal {
  readonly context: ParquetContext;
  readonly what: string;
}

/** A value that other readers would take for another one ends the query, with what to do. */
const unless = (condition: string, value: string, { context: { column }, what }: Refusal): string => {
  const words = `The column ${column} holds ${what}, which Parquet cannot hold. Cast it to VARCHAR, or take CSV or JSON.`;
  return `CASE WHEN ${condition} THEN error(${sqlString(words)}) ELSE ${value} END`;
};

/** Undefined where the elements are what they are. */
function listOf(elementType: DuckDBType, list: string, context: ParquetContext): string | undefined {
  const element = `e${context.depth}`;
  const changed = parquetValue(elementType, element, { ...context, depth: context.depth + 1 });
  return changed === element ? undefined : `list_transform(${list}, lambda ${element}: ${changed})`;
}

interface Nested {
  readonly value: string;
  readonly context: ParquetContext;
}

function mapOf(keyType: DuckDBType, valueType: DuckDBType, { value, context }: Nested): string {
  const entry = `e${context.depth}`;
  const deeper = { ...context, depth: context.depth + 1 };
  const [key, item] = [`${entry}.key`, `${entry}.value`];
  const [changedKey, changedItem] = [parquetValue(keyType, key, deeper), parquetValue(valueType, item, deeper)];
  if (changedKey === key && changedItem === item) return value;
  const pair = `struct_pack(k := ${changedKey}, v := ${changedItem})`;
  return `map_from_entries(list_transform(map_entries(${value}), lambda ${entry}: ${pair}))`;
}

function structOf(names: readonly string[], types: readonly DuckDBType[], { value, context }: Nested): string {
  const parts = types.map((type, index) => {
    const part = `struct_extract_at(${value}, ${index + 1})`;
    return { part, changed: parquetValue(type, part, context) };
  });
  const shown = fieldNames(names);
  const isSame = parts.every(({ part, changed }, index) => part === changed && names[index] === shown[index]);
  if (isSame) return value;
  const members = parts.map(({ changed }, index) => `${sqlIdentifier(shown[index] ?? '')} := ${changed}`);
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${members.join(', ')}) END`;
}
