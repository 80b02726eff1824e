import type { DuckDBType } from '@duckdb/node-api';
import {
  BOOLEAN_CELL,
  DATE_CELL,
  DATE_TIME_CELL,
  EMPTY_CELL,
  EPOCH_SERIAL,
  EXACT_DIGITS_MAX,
  EXACT_INTEGER_MAX,
  FIRST_SERIAL_DAY,
  LAST_SERIAL_DAY,
  NUMBER_CELL,
  TEXT_CELL,
} from '@sluice/encoders';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlLet, sqlString } from '../sql-text.ts';
import { type CellArguments, unconditional } from './cell-arguments.ts';
import { type CellContext, cellExpression } from './cells.ts';
import { doubleTextSql } from './double-text-sql.ts';
import { scalarParts, scalarText } from './scalar-text.ts';
import { xmlTextSql } from './xlsx-text.ts';

/**
 * Writes a value as a cell of a worksheet: a number, date or boolean if a spreadsheet stores it without loss, otherwise its exact
 * text.
 */
export function xlsxCellArguments(type: DuckDBType, value: string, context: CellContext): CellArguments {
  switch (type.typeId) {
    case DuckDBTypeId.SQLNULL:
      return unconditional([sqlString(EMPTY_CELL)]);
    case DuckDBTypeId.BOOLEAN:
      return within(BOOLEAN_CELL, value, [`${value}::TINYINT::VARCHAR`]);
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
      return within(NUMBER_CELL, value, [`${value}::VARCHAR`]);
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
      return exactNumber(value, `${value} BETWEEN -${EXACT_INTEGER_MAX} AND ${EXACT_INTEGER_MAX}`, `${value}::VARCHAR`);
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
      return exactNumber(value, `${value} <= ${EXACT_INTEGER_MAX}`, `${value}::VARCHAR`);
    case DuckDBTypeId.BIGNUM:
      return exactNumber(value, `strlen(${value}::VARCHAR) <= ${EXACT_DIGITS_MAX}`, `${value}::VARCHAR`);
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return exactNumber(value, `isfinite(${value})`, doubleTextSql(type, value));
    case DuckDBTypeId.DECIMAL:
      return decimalCell(value, { width: type.width, scale: type.scale, text: scalarText(type, value, 'UTC').sql });
    default:
      return dateTimeCell(type, value, context) ?? textCell(type, value, context);
  }
}

/** Returns SQL of the whole cell, never NULL. */
export function xlsxCellExpression(type: DuckDBType, value: string, context: CellContext): string {
  const { parts, edges } = xlsxCellArguments(type, value, context);
  if (edges === undefined) return `concat(${parts.join(', ')})`;
  const cell = `concat(${[sqlString(edges.open), ...parts, sqlString(edges.close)].join(', ')})`;
  return `CASE WHEN ${value} IS NULL THEN ${sqlString(edges.none)} ELSE ${cell} END`;
}

interface Enclosure {
  readonly open: string;
  readonly close: string;
}

const within = ({ open, close }: Enclosure, value: string, parts: readonly string[]): CellArguments => ({
  parts,
  edges: { value, open, close, none: EMPTY_CELL },
});

/** One of two enclosures, chosen by value, and the text inside. */
interface Choice {
  readonly condition: string;
  readonly enclosure: Enclosure;
  readonly text: string;
}

/** A CASE between constants that has the same result for a whole vector costs nothing, so each part of the cell is one. */
function choose(value: string, { condition, enclosure, text }: Choice): CellArguments {
  const either = (yes: string, no: string, none: string): string =>
    `CASE WHEN ${value} IS NULL THEN ${sqlString(none)} WHEN ${condition} THEN ${sqlString(yes)} ELSE ${sqlString(no)} END`;
  return unconditional([
    either(enclosure.open, TEXT_CELL.open, EMPTY_CELL),
    text,
    either(enclosure.close, TEXT_CELL.close, ''),
  ]);
}

const exactNumber = (value: string, condition: string, text: string): CellArguments =>
  choose(value, { condition, enclosure: NUMBER_CELL, text });

interface DecimalShape {
  readonly width: number;
  readonly scale: number;
  readonly text: string;
}

/** Chooses by the digits of each value, without insignificant zeros at either end: a double keeps 15 of them. */
function decimalCell(value: string, { width, scale, text }: DecimalShape): CellArguments {
  if (width <= EXACT_DIGITS_MAX) return within(NUMBER_CELL, value, [text]);
  const trimmed = scale === 0 ? text : `rtrim(${text}, '0')`;
  const digits = `strlen(ltrim(replace(${trimmed}, '.', ''), '-0'))`;
  return exactNumber(value, `${digits} <= ${EXACT_DIGITS_MAX}`, text);
}

const MILLISECONDS_OF_DAY = 86_400_000;

/** A date, or a timestamp of whole milliseconds, from March 1900 on, is a number in a spreadsheet. */
function dateTimeCell(type: DuckDBType, value: string, context: CellContext): CellArguments | undefined {
  const whole = WHOLE_MILLISECONDS[type.typeId];
  if (whole === undefined) return undefined;
  const isDate = type.typeId === DuckDBTypeId.DATE;
  const condition = `${value} BETWEEN '${FIRST_SERIAL_DAY}' AND '${lastSerial(type)}'${whole(value)}`;
  const serial = isDate
    ? `${value} - DATE '1899-12-30'`
    : `epoch_ms(${value}) / ${MILLISECONDS_OF_DAY}::DOUBLE + ${EPOCH_SERIAL}`;
  const text = scalarText(type, value, context.timeZone).sql;
  return choose(value, {
    condition,
    enclosure: isDate ? DATE_CELL : DATE_TIME_CELL,
    text: `CASE WHEN ${condition} THEN (${serial})::VARCHAR ELSE ${text} END`,
  });
}

/** Last value that may be a number. It is converted to the type, whose range may be smaller than that of a spreadsheet. */
function lastSerial(type: DuckDBType): string {
  if (type.typeId === DuckDBTypeId.DATE) return LAST_SERIAL_DAY;
  if (type.typeId === DuckDBTypeId.TIMESTAMP_S) return `${LAST_SERIAL_DAY} 23:59:59`; // a fraction would be rounded up to the next year
  return type.typeId === DuckDBTypeId.TIMESTAMP_NS ? LAST_NANOSECOND : `${LAST_SERIAL_DAY} 23:59:59.999`;
}

/** The next tick is infinity. */
const LAST_NANOSECOND = '2262-04-11 23:47:16.854775806';

const WHOLE_MILLISECONDS: Partial<Record<DuckDBTypeId, (value: string) => string>> = {
  [DuckDBTypeId.DATE]: () => '',
  [DuckDBTypeId.TIMESTAMP_S]: () => '',
  [DuckDBTypeId.TIMESTAMP_MS]: () => '',
  [DuckDBTypeId.TIMESTAMP]: (value) => ` AND epoch_us(${value}) % 1000 = 0`,
  [DuckDBTypeId.TIMESTAMP_NS]: (value) => ` AND epoch_ns(${value}) % 1000000 = 0`,
};

const PRESERVED_TEXT: Enclosure = { open: TEXT_CELL.openPreserved, close: TEXT_CELL.close };

function textCell(type: DuckDBType, value: string, context: CellContext): CellArguments {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return within(PRESERVED_TEXT, value, [xmlTextSql(value)]);
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
      return isBounded
        ? within(TEXT_CELL, value, scalarParts(type, value, context.timeZone))
        : computedText(value, sql);
    }
  }
}

const jsonText = (type: DuckDBType, value: string, context: CellContext): string =>
  cellExpression(type, value, { ...context, style: { ...context.style, notation: 'json' }, longStrings: 'whole' });

/** A string that may be NULL for a value that is not: a member of a union. */
function computedText(value: string, text: string): CellArguments {
  const cell = `concat(${sqlString(PRESERVED_TEXT.open)}, ${xmlTextSql('t')}, ${sqlString(PRESERVED_TEXT.close)})`;
  const cellOrEmpty = sqlLet('t', text, `CASE WHEN t IS NULL THEN ${sqlString(EMPTY_CELL)} ELSE ${cell} END`);
  return unconditional([`CASE WHEN ${value} IS NULL THEN ${sqlString(EMPTY_CELL)} ELSE ${cellOrEmpty} END`]);
}
