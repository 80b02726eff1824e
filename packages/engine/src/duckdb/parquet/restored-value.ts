import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlIdentifier, sqlLet } from '../sql-text.ts';
import { fieldNames } from '../types.ts';

/** SQL of the values of a JSON list as texts: strings without their quotes, nested values as JSON. */
export const textsOf = (json: string): string => `from_json(${json}, '["VARCHAR"]')`;

/**
 * Returns SQL of the value of a type from its text in a kept result, where `text` is a name. Each cast is the inverse of the text that
 * docs/values.md describes. `depth` names the parameters of lambdas.
 */
export function restoredValue(type: DuckDBType, text: string, depth = 0): string {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return text;
    case DuckDBTypeId.BLOB:
      return `from_base64(${text})`;
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `ltrim(${text}, '+')::${type}`; // a year after 9999 has a sign
    case DuckDBTypeId.TIMESTAMP_TZ:
      return `regexp_replace(replace(ltrim(${text}, '+'), ' UTC', ' +00'), ' ([+-])', '\\1')::TIMESTAMPTZ`;
    case DuckDBTypeId.LIST: {
      const item = `r${depth}`;
      return `list_transform(${textsOf(text)}, lambda ${item}: ${restoredValue(type.valueType, item, depth + 1)})`;
    }
    case DuckDBTypeId.MAP: {
      const entry = `r${depth}`;
      const [key, value] = [`${entry}.key`, `${entry}.value`];
      const pair = `struct_pack(k := ${restoredValue(type.keyType, key, depth + 1)}, v := ${restoredValue(type.valueType, value, depth + 1)})`;
      const entries = `map_entries(from_json(${text}, '"MAP(VARCHAR,VARCHAR)"'))`;
      return `map_from_entries(list_transform(${entries}, lambda ${entry}: ${pair}))`;
    }
    case DuckDBTypeId.STRUCT: {
      const fields = `f${depth}`;
      const names = fieldNames(type.entryNames);
      const members = type.entryTypes.map((entry, index) => {
        const value = restoredValue(entry, `${fields}[${index + 1}]`, depth + 1);
        return `${sqlIdentifier(names[index] ?? '')} := ${value}`;
      });
      const struct = sqlLet(fields, textsOf(text), `struct_pack(${members.join(', ')})`);
      return `CASE WHEN ${text} IS NULL THEN NULL ELSE ${struct} END`;
    }
    default:
      return `${text}::${type}`;
  }
}
