import type { DuckDBType } from '@duckdb/node-api';
import { type CellStyle, FORMULA_STARTS, isQuotedNumber } from '@sluice/encoders';
import { DuckDBTypeId, SQLNULL } from '../node-api.ts';
import { LONG_STRING } from '../rows/long-strings.ts';
import { sqlLet, sqlString } from '../sql-text.ts';
import { fieldNames, trinoTypeName } from '../types.ts';
import { doubleTextSql } from './double-text-sql.ts';
import { hasDistinctKeys } from './map-keys.ts';
import { type ScalarText, scalarText, validText } from './scalar-text.ts';

/**
 * Longer strings are written as JSON outside of the engine: `to_json` takes six times the bytes of a string, for all rows of a chunk
 * at once (1.2 GB for 2,048 of 100 kB, measured). For shorter strings the engine is faster.
 */
const BYTES_MAX = 4_096;

const isLong = (text: string): string => `strlen(${text}) > ${BYTES_MAX}`;

/** SQL of a string within a JSON row: a reference before it if it is long, and then the string, or its JSON if it is short. */
function longStringParts(text: string, json: string): readonly [string, string] {
  return [
    `CASE WHEN ${isLong(text)} THEN concat(chr(${LONG_STRING}), strlen(${text}), ':') END`,
    `CASE WHEN ${isLong(text)} THEN ${text} ELSE ${json} END`,
  ];
}

/** Settings of a cell in addition to its type. */
export interface CellContext {
  readonly style: CellStyle;
  /** Column name, for errors about a value that cannot be written. */
  readonly column: string;
  readonly timeZone: string;
  /** `marked`: long strings are separate columns, whose JSON the reader of the rows writes. */
  readonly longStrings: 'marked' | 'whole';
}

/**
 * Returns SQL that writes one value as the style's bytes, never NULL for `json`. Each type is cast by itself: `to_json` of the
 * whole would drop a decimal's zeros, print a FLOAT as a double and write NaN without quotes (measured).
 */
export function cellExpression(type: DuckDBType, value: string, context: CellContext): string {
  return context.style.notation === 'json'
    ? jsonCell(type, value, { ...context, depth: 0 })
    : csvCell(type, value, context);
}

export interface NestedCellContext extends CellContext {
  /** Nesting level, which names the parameters of lambdas. */
  readonly depth: number;
}

function jsonCell(type: DuckDBType, value: string, context: NestedCellContext): string {
  switch (type.typeId) {
    case DuckDBTypeId.SQLNULL:
      return "'null'";
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return `CASE WHEN ${value} IS NULL THEN 'null' ELSE ${doubleTextSql(type, value, (name) => `concat('"', ${name}, '"')`)} END`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return nullOr(value, `'['`, jsonItems(type.valueType, value, context), `']'`);
    case DuckDBTypeId.MAP:
      return jsonMap(type.keyType, type.valueType, { value, context });
    case DuckDBTypeId.UNION:
      return `coalesce(${jsonText(bareText(type, value, { ...context, longStrings: 'whole' }))}, 'null')`;
    case DuckDBTypeId.STRUCT: {
      if (context.style.valueForms === 'trino') return jsonList(type.entryTypes, value, context);
      const names = fieldNames(type.entryNames);
      const members = type.entryTypes.flatMap((entry, index) => [
        sqlString(`${index === 0 ? '{' : ','}${JSON.stringify(names[index])}:`),
        jsonCell(entry, `struct_extract_at(${value}, ${index + 1})`, context),
      ]);
      return nullOr(value, ...members, "'}'");
    }
    default:
      return jsonScalar(type, value, context);
  }
}

/** Writes the fields of a struct without their names. */
function jsonList(types: readonly DuckDBType[], value: string, context: NestedCellContext): string {
  const items = types.flatMap((entry, index) => [
    index === 0 ? `'['` : `','`,
    jsonCell(entry, `struct_extract_at(${value}, ${index + 1})`, context),
  ]);
  return nullOr(value, ...items, `']'`);
}

function jsonScalar(type: DuckDBType, value: string, context: CellContext): string {
  const text = scalarText(type, value, context.timeZone);
  if (text.alphabet === 'free') {
    const [first, ...rest] = freeParts(type, text.sql, context);
    return rest.length === 0 ? `coalesce(${first}, 'null')` : nullOr(value, first, ...rest);
  }
  return isQuoted(type, text, context.style) ? nullOr(value, `'"'`, text.sql, `'"'`) : `coalesce(${text.sql}, 'null')`;
}

/** Returns whether a string that is not `free` needs quotes around it; a `free` one contains its own. */
function isQuoted(type: DuckDBType, { alphabet }: ScalarText, style: CellStyle): boolean {
  if (alphabet !== 'number') return alphabet === 'plain';
  return isQuotedNumber(trinoTypeName(type), style);
}

function jsonItems(type: DuckDBType, list: string, context: NestedCellContext): string {
  const item = `e${context.depth}`;
  const cell = jsonCell(type, item, { ...context, depth: context.depth + 1 });
  return joined(`list_transform(${list}, lambda ${item}: ${cell})`);
}

/** Not `array_to_string`: that is a macro, and planning time doubles with each nested macro (12 levels took 5 s, measured). */
const joined = (list: string): string => `list_aggregate(${list}, 'string_agg', ',')`;

interface JsonMap {
  readonly value: string;
  readonly context: NestedCellContext;
}

/** A key is a JSON string whatever its type, with the text that the value has elsewhere. */
function jsonMap(keyType: DuckDBType, valueType: DuckDBType, { value, context }: JsonMap): string {
  const entry = `e${context.depth}`;
  const inner = { ...context, depth: context.depth + 1 };
  const key = jsonText(bareText(keyType, `${entry}.key`, withinText({ ...inner, longStrings: 'whole' })));
  const cell = jsonCell(valueType, `${entry}.value`, inner);
  const entries = `list_transform(map_entries(${value}), lambda ${entry}: concat(${key}, ':', ${cell}))`;
  const isDistinct = hasDistinctKeys(mapKeyTexts(keyType, value, context), context.column);
  return `CASE WHEN ${value} IS NULL THEN 'null' WHEN ${isDistinct} THEN concat('{', ${joined(entries)}, '}') END`;
}

/** Returns SQL of the list of the texts of a map's keys. */
export function mapKeyTexts(keyType: DuckDBType, map: string, context: NestedCellContext): string {
  const key = `e${context.depth}`;
  const inner = withinText({ ...context, longStrings: 'whole', depth: context.depth + 1 });
  const text = bareText(keyType, key, inner);
  return `list_transform(map_keys(${map}), lambda ${key}: ${text})`;
}

/**
 * A nested value within a text, which no format reads as JSON: it is the same in every format, so that a format can be written from the rows
 * of another.
 */
const withinText = (context: NestedCellContext): NestedCellContext => ({
  ...context,
  style: { ...context.style, bigNumbers: 'number', valueForms: 'clients' },
});

/** Returns the text of a value without its own quotes, or NULL. */
export function bareText(type: DuckDBType, value: string, context: NestedCellContext): string {
  switch (type.typeId) {
    case DuckDBTypeId.SQLNULL:
      return 'NULL::VARCHAR';
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return doubleTextSql(type, value);
    case DuckDBTypeId.UNION: {
      // A cast of the union itself writes the word NULL for a member that is NULL.
      const inner = withinText(context);
      const members = type.memberTags.map((tag, index) => {
        const member = type.memberTypes[index] ?? SQLNULL;
        return `WHEN ${sqlString(tag)} THEN ${bareText(member, `union_extract(${value}, ${sqlString(tag)})`, inner)}`;
      });
      return `CASE union_tag(${value})::VARCHAR ${members.join(' ')} END`;
    }
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.STRUCT:
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${jsonCell(type, value, context)} END`;
    default:
      return scalarText(type, value, context.timeZone).sql;
  }
}

const NESTED: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.MAP,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.UNION,
]);

/**
 * NULL is an empty field, which `concat` produces by itself. JSON of a struct has quotes around its names, so it must be quoted
 * too.
 */
function csvCell(type: DuckDBType, value: string, context: CellContext): string {
  const text = bareText(type, value, { ...context, depth: 1 });
  if (type.typeId === DuckDBTypeId.STRUCT) return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${csvQuoted(text)} END`;
  if (NESTED.has(type.typeId)) return sqlLet('e0', text, csvField('e0', context.style));
  // Base64 contains nothing to quote, but may begin with a `+`.
  if (type.typeId === DuckDBTypeId.BLOB) {
    const guarded = context.style.formulas === 'prefix' ? withoutFormula(text) : text;
    return `CASE WHEN octet_length(${value}) = 0 THEN '""' ELSE ${guarded} END`;
  }
  const fixed =
    type.typeId === DuckDBTypeId.FLOAT || type.typeId === DuckDBTypeId.DOUBLE || type.typeId === DuckDBTypeId.SQLNULL;
  return fixed || scalarText(type, value, context.timeZone).alphabet !== 'free' ? text : csvField(text, context.style);
}

/**
 * Quotes a field where RFC 4180 requires it. Single-character `contains` is a memchr, four times cheaper than a pattern
 * (measured).
 */
function csvField(text: string, style: CellStyle): string {
  const guarded = style.formulas === 'prefix' ? withoutFormula(text) : text;
  const special = [sqlString(style.separator ?? ','), `'"'`, 'chr(10)', 'chr(13)']
    .map((character) => `contains(${guarded}, ${character})`)
    .join(' OR ');
  return `CASE WHEN ${text} = '' THEN '""' WHEN ${special} THEN ${csvQuoted(guarded)} ELSE ${guarded} END`;
}

const csvQuoted = (text: string): string => `concat('"', replace(${text}, '"', '""'), '"')`;

const withoutFormula = (text: string): string =>
  `CASE WHEN ${FORMULA_STARTS.map((start) => `starts_with(${text}, ${sqlString(start)})`).join(' OR ')} THEN concat('''', ${text}) ELSE ${text} END`;

/** Returns a string as JSON, as arguments of one `concat`. */
function freeParts(type: DuckDBType, text: string, { longStrings }: CellContext): readonly [string, ...string[]] {
  const isMarked = longStrings === 'marked' && type.typeId === DuckDBTypeId.VARCHAR;
  return isMarked ? longStringParts(text, jsonText(text)) : [jsonText(text)];
}

/** `to_json` writes nothing at all for a string that is not valid UTF-8, so such a string must fail first. */
const jsonText = (text: string): string => `to_json(${validText(text)})::VARCHAR`;

const nullOr = (value: string, ...parts: readonly string[]): string =>
  `CASE WHEN ${value} IS NULL THEN 'null' ELSE concat(${parts.join(', ')}) END`;
