import type { DuckDBType } from '@duckdb/node-api';
import {
  CELL_CHARACTERS_MAX,
  DATE_MARK,
  EMPTY_CELL,
  EXACT_INTEGER_MAX,
  LONG_STRING,
  NUMBER_CELL,
  TEXT_CELL,
} from '@sluice/encoders';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlLet, sqlString } from '../sql-text.ts';
import { DATE_TYPES } from '../typed-path/sheet-markup.ts';
import { type CellContext, cellExpression } from './cells.ts';
import { scalarText } from './scalar-text.ts';

/**
 * Characters that XML 1.0 cannot contain (section 2.2), in RE2 syntax, like all patterns here. `xmlText` of the encoders does the
 * same in JavaScript.
 */
const INVALID_XML = String.raw`\x00-\x08\x0B\x0C\x0E-\x1F\x{FFFE}\x{FFFF}`;
const SPECIAL = String.raw`[\x00-\x1F&<>\x{FFFE}\x{FFFF}]|_x[0-9A-Fa-f]{4}_`;
const LOOKS_ESCAPED = '_x[0-9A-Fa-f]{4}_';

/**
 * Returns SQL of a string as XML. `text` is a name, because it occurs often. One pattern, which almost no string matches, checks
 * whether there is anything to escape. A string counts as long by its bytes, which are never fewer than its characters; the writer
 * of the sheet checks exactly.
 */
const xmlTextSql = (text: string): string => {
  const escaped = escapedSql(text);
  const long = `concat(${sqlString(LONG_STRING.open)}, ${escaped}, ${sqlString(LONG_STRING.close)})`;
  return `CASE WHEN strlen(${text}) > ${CELL_CHARACTERS_MAX} THEN ${long} WHEN regexp_matches(${text}, ${sqlString(SPECIAL)}) THEN ${escaped} ELSE ${text} END`;
};

function escapedSql(text: string): string {
  const distinct = `CASE WHEN regexp_matches(${text}, '${LOOKS_ESCAPED}') THEN replace(${text}, '_x', '_x005F_x') ELSE ${text} END`;
  const references = [
    ["'&'", "'&amp;'"],
    ["'<'", "'&lt;'"],
    ["'>'", "'&gt;'"],
    ['chr(13)', "'&#13;'"],
  ].reduce((sql, [from, to]) => `replace(${sql}, ${from}, ${to})`, distinct);
  const pieces = `regexp_extract_all(${references}, '[${INVALID_XML}]|[^${INVALID_XML}]+')`;
  const piece = `CASE WHEN regexp_matches(x, '^[${INVALID_XML}]') THEN printf('_x%04X_', unicode(x)) ELSE x END`;
  const rewritten = `list_aggregate(list_transform(${pieces}, lambda x: ${piece}), 'string_agg', '')`;
  return `CASE WHEN regexp_matches(${text}, '[${INVALID_XML}]') THEN ${rewritten} ELSE ${references} END`;
}

/** Returns SQL that writes a value that the module does not write as a cell of a worksheet, never NULL. */
export function xlsxCellExpression(type: DuckDBType, value: string, context: CellContext): string {
  switch (type.typeId) {
    case DuckDBTypeId.SQLNULL:
      return sqlString(EMPTY_CELL);
    case DuckDBTypeId.BIGNUM: {
      const text = `${value}::VARCHAR`;
      const isExact = `abs(TRY_CAST(${text} AS HUGEINT)) <= ${EXACT_INTEGER_MAX}`;
      const cell = `CASE WHEN ${isExact} THEN ${enclosed(NUMBER_CELL, text)} ELSE ${enclosed(TEXT_CELL, text)} END`;
      return orEmpty(value, cell);
    }
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.STRUCT:
      return computedText(value, jsonText(type, value, context));
    case DuckDBTypeId.UNION: // its text as in the other formats, which JSON puts into quotes
      return computedText(value, `(${jsonText(type, value, context)})::JSON ->> '$'`);
    default: {
      const isDate = context.style.dates === 'marked' && DATE_TYPES.has(type.typeId);
      const { alphabet, sql } = scalarText(type, value, context.timeZone);
      const isBounded = alphabet !== 'free' && type.typeId !== DuckDBTypeId.BLOB;
      return isBounded ? orEmpty(value, enclosed(isDate ? DATE_MARK : TEXT_CELL, sql)) : computedText(value, sql);
    }
  }
}

interface Enclosure {
  readonly open: string;
  readonly close: string;
}

const PRESERVED_TEXT: Enclosure = { open: TEXT_CELL.openPreserved, close: TEXT_CELL.close };

const enclosed = ({ open, close }: Enclosure, text: string): string =>
  `concat(${sqlString(open)}, ${text}, ${sqlString(close)})`;

const orEmpty = (value: string, cell: string): string =>
  `CASE WHEN ${value} IS NULL THEN ${sqlString(EMPTY_CELL)} ELSE ${cell} END`;

const jsonText = (type: DuckDBType, value: string, context: CellContext): string =>
  cellExpression(type, value, { ...context, style: { ...context.style, notation: 'json' }, longStrings: 'whole' });

/** A string that may be NULL for a value that is not: a member of a union. */
const computedText = (value: string, text: string): string =>
  orEmpty(value, sqlLet('t', text, orEmpty('t', enclosed(PRESERVED_TEXT, xmlTextSql('t')))));
