import type { DuckDBType } from '@duckdb/node-api';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { bareText, mapKeyTexts, type NestedCellContext } from '../cells/cells.ts';
import { hasDistinctKeys } from '../cells/map-keys.ts';
import { validText } from '../cells/scalar-text.ts';
import { DuckDBTypeId } from '../node-api.ts';
import { columnAlias, type Shape } from '../source.ts';
import { sqlIdentifier, sqlString } from '../sql-text.ts';
import { fieldNames } from '../types.ts';

interface ParquetContext {
  /** Column name, for errors about a value that readers would misread. */
  readonly column: string;
  readonly timeZone: string;
  /** Nesting level, which names the parameters of lambdas. */
  readonly depth: number;
}

/**
 * Returns SQL of a value that Parquet stores without loss, or that fails. Values that DuckDB's writer would change (a HUGEINT
 * becomes a double, an INTERVAL loses its microseconds, a TIMETZ its offset) are always their CSV text, so that a column's type
 * never depends on its values. The same applies to each part of lists, maps and structs.
 */
function parquetValue(type: DuckDBType, value: string, context: ParquetContext): string {
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
      return rejectWhen(`NOT isfinite(${value})`, value, { context, what: 'infinity' });
    case DuckDBTypeId.TIMESTAMP_S: // Parquet has no seconds; a value outside the range of microseconds fails in the cast
      return rejectWhen(`NOT isfinite(${value})`, `${value}::TIMESTAMP`, { context, what: 'infinity' });
    case DuckDBTypeId.TIME: // readers read it as midnight
      return rejectWhen(`${value} = TIME '24:00:00'`, value, { context, what: '24:00:00' });
    case DuckDBTypeId.LIST:
      return listOf(type.valueType, value, context) ?? value;
    case DuckDBTypeId.ARRAY: // as a list: for an ARRAY that is NULL the writer writes what other readers reject
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

const textContext = ({ column, timeZone, depth }: ParquetContext): NestedCellContext => ({
  style: { notation: 'json', bigNumbers: 'number', formulas: 'keep' },
  column,
  timeZone,
  longStrings: 'whole',
  depth,
});

interface Rejection {
  readonly context: ParquetContext;
  readonly what: string;
}

/** Ends the query, with advice, for a value that other readers would misread. */
const rejectWhen = (condition: string, value: string, { context: { column }, what }: Rejection): string => {
  const message = `The column ${column} contains ${what}, which Parquet cannot store. Cast it to VARCHAR, or download CSV, NDJSON or JSON.`;
  return `CASE WHEN ${condition} THEN error(${sqlString(message)}) ELSE ${value} END`;
};

/** Undefined if the elements are stored unchanged. */
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
  const pair = `struct_pack(k := ${changedKey}, v := ${changedItem})`;
  const isSame = changedKey === key && changedItem === item;
  const stored = isSame ? value : `map_from_entries(list_transform(map_entries(${value}), lambda ${entry}: ${pair}))`;
  const texts = mapKeyTexts(keyType, value, textContext(context));
  return `CASE WHEN ${hasDistinctKeys(texts, context.column)} THEN ${stored} END`;
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

/**
 * Returns the select list of a Parquet file over a source's aliased columns. The engine treats names that differ only in case as
 * equal, and would rename one in its own way. Throws `not_supported` for a column without a name.
 */
export function parquetColumns({ columns, types }: Shape, timeZone: string): string {
  const names = distinctNames(columns);
  return types
    .map((type, index) => {
      const name = names[index] ?? '';
      const value = parquetValue(type, columnAlias(index), { column: name, timeZone, depth: 0 });
      return `${value} AS ${sqlIdentifier(name)}`;
    })
    .join(', ');
}

function distinctNames(columns: readonly Column[]): readonly string[] {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const seen = new Set<string>();
  return columns.map(({ name }, index) => {
    if (name === '') {
      throw new ProblemError(
        'not_supported',
        `Column ${index + 1} has no name, which Parquet requires. Name it with AS.`,
      );
    }
    let distinct = name;
    const isFree = () => !seen.has(distinct.toLowerCase()) && (distinct === name || !taken.has(distinct.toLowerCase()));
    for (let number = 2; !isFree(); number += 1) distinct = `${name}_${number}`;
    seen.add(distinct.toLowerCase());
    return distinct;
  });
}
