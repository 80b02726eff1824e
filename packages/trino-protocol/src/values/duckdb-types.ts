import type { StatementReader } from '../statement/statement-reader.ts';
import { TrinoError } from '../trino-error.ts';

/** DuckDB's types of the same values. Lengths and precisions do not matter, because the value is NULL. */
const TYPES: Readonly<Record<string, string>> = {
  BIGINT: 'BIGINT',
  BOOLEAN: 'BOOLEAN',
  CHAR: 'VARCHAR',
  DATE: 'DATE',
  DOUBLE: 'DOUBLE',
  INT: 'INTEGER',
  INTEGER: 'INTEGER',
  REAL: 'FLOAT',
  SMALLINT: 'SMALLINT',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  TINYINT: 'TINYINT',
  UUID: 'UUID',
  VARBINARY: 'BLOB',
  VARCHAR: 'VARCHAR',
};

const PRECISION_MAX = 38;

/** Reads the type of a NULL. Returns DuckDB's; undefined for Trino's `unknown`, the type of a bare NULL. Throws NOT_SUPPORTED for others. */
export function duckDbNullType(reader: StatementReader): string | undefined {
  const { text, kind } = reader.token();
  const type = kind === 'word' ? TYPES[text] : undefined;
  if (text === 'DOUBLE') reader.take('PRECISION');
  const numbers = readNumbers(reader);
  if (text === 'UNKNOWN') return undefined;
  if (text === 'DECIMAL') return decimalType(numbers);
  if (type === undefined)
    throw new TrinoError(
      'NOT_SUPPORTED',
      `A NULL of the type ${text.slice(0, PRECISION_MAX)} is not possible on DuckDB. Write NULL.`,
    );
  const hasZone = reader.take('WITH', 'TIME', 'ZONE');
  return hasZone ? `${type} WITH TIME ZONE` : type;
}

function readNumbers(reader: StatementReader): readonly number[] {
  const numbers: number[] = [];
  if (!reader.takeMark('(')) return numbers;
  do {
    const token = reader.token();
    if (token.kind !== 'number') throw reader.unexpected();
    numbers.push(Number(token.text));
  } while (reader.takeMark(','));
  reader.expectMark(')');
  return numbers;
}

/** Trino's DECIMAL without numbers is DECIMAL(38,0). */
function decimalType([precision = PRECISION_MAX, scale = 0]: readonly number[]): string {
  const isValid = precision >= 1 && precision <= PRECISION_MAX && scale <= precision;
  if (isValid && Number.isInteger(precision) && Number.isInteger(scale)) return `DECIMAL(${precision},${scale})`;
  throw new TrinoError(
    'INVALID_ARGUMENTS',
    `DECIMAL(${precision},${scale}) must have a precision of 1 to 38 and a scale within it.`,
  );
}
