import type { DuckDBType } from '@duckdb/node-api';
import { EMPTY_CELL, EXACT_DIGITS_MAX, NUMBER_CELL, TEXT_CELL } from '@sluice/encoders';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlLet, sqlString } from '../sql-text.ts';
import { type CellContext, cellExpression } from './cells.ts';
import { scalarText } from './scalar-text.ts';
import { xmlTextSql } from './xlsx-text.ts';

/** Returns SQL that writes a value that the module does not write as a cell of a worksheet, never NULL. */
export function xlsxCellExpression(type: DuckDBType, value: string, context: CellContext): string {
  switch (type.typeId) {
    case DuckDBTypeId.SQLNULL:
      return sqlString(EMPTY_CELL);
    case DuckDBTypeId.BIGNUM: {
      const text = `${value}::VARCHAR`;
      const cell = `CASE WHEN strlen(${text}) <= ${EXACT_DIGITS_MAX} THEN ${enclosed(NUMBER_CELL, text)} ELSE ${enclosed(TEXT_CELL, text)} END`;
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
      const { alphabet, sql } = scalarText(type, value, context.timeZone);
      const isBounded = alphabet !== 'free' && type.typeId !== DuckDBTypeId.BLOB;
      return isBounded ? orEmpty(value, enclosed(TEXT_CELL, sql)) : computedText(value, sql);
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
