import type { DuckDBPreparedStatement, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { QueryParameter } from '@sluice/contract';
import { isListParameter, type ScalarType } from '../../list-parameter.ts';
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
  INTEGER,
  LIST,
  SQLNULL,
  TIME,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  UUID,
  VARCHAR,
} from '../node-api.ts';
import { daysOf, instantOf, timeOf } from './time-values.ts';

const NANOSECOND_DIGITS = 9;
const MICROSECOND_DIGITS = 6;

/**
 * Binds the values of named parameters. DuckDB receives each as a value of its type, never as text of the statement, and plans the
 * statement again where a type differs from the one that it assumed.
 */
export function bindParameters(prepared: DuckDBPreparedStatement, parameters: readonly QueryParameter[]): void {
  for (const parameter of parameters) bindParameter(prepared, prepared.parameterIndex(parameter.name), parameter);
}

function bindParameter(prepared: DuckDBPreparedStatement, index: number, parameter: QueryParameter): void {
  if (parameter.value === null) prepared.bindNull(index);
  else if (isListParameter(parameter)) {
    const { item } = parameter.type;
    const items = parameter.value.map((each) => (each === null ? null : duckDbValue(item, each)));
    prepared.bindList(index, items, LIST(duckDbType(item)));
  } else prepared.bindValue(index, duckDbValue(parameter.type, parameter.value), duckDbType(parameter.type));
}

function duckDbType(type: ScalarType): DuckDBType {
  switch (type.name) {
    case 'unknown':
      return SQLNULL;
    case 'decimal':
      return DECIMAL(type.precision, type.scale);
    case 'timestamp':
      return type.precision > MICROSECOND_DIGITS ? TIMESTAMP_NS : TIMESTAMP;
    default:
      return PLAIN_TYPES[type.name];
  }
}

const PLAIN_TYPES = {
  varchar: VARCHAR,
  boolean: BOOLEAN,
  integer: INTEGER,
  bigint: BIGINT,
  double: DOUBLE,
  date: DATE,
  time: TIME,
  'timestamp with time zone': TIMESTAMPTZ,
  uuid: UUID,
} as const;

/** Returns a value in the form that the driver takes for `duckDbType`. */
function duckDbValue(type: ScalarType, text: string): DuckDBValue {
  switch (type.name) {
    case 'unknown':
      return null;
    case 'varchar':
      return text;
    case 'boolean':
      return text === 'true';
    case 'integer':
    case 'double':
      return Number(text);
    case 'bigint':
      return BigInt(text);
    case 'decimal':
      return new DuckDBDecimalValue(BigInt(text.replace('.', '')), type.precision, type.scale);
    case 'date':
      return new DuckDBDateValue(daysOf(text));
    case 'time':
      return new DuckDBTimeValue(timeOf(text, MICROSECOND_DIGITS));
    case 'timestamp':
      return type.precision > MICROSECOND_DIGITS
        ? new DuckDBTimestampNanosecondsValue(instantOf(text, NANOSECOND_DIGITS))
        : new DuckDBTimestampValue(instantOf(text, MICROSECOND_DIGITS));
    case 'timestamp with time zone':
      return new DuckDBTimestampTZValue(instantOf(text, MICROSECOND_DIGITS));
    case 'uuid':
      return DuckDBUUIDValue.fromUint128(BigInt(`0x${text.replaceAll('-', '')}`));
  }
}

/** Returns the types of parameters by name, for the key of a prepared statement. */
export const parameterTypesOf = (parameters: readonly QueryParameter[]): readonly string[] =>
  parameters.map(({ name, type, value }) => JSON.stringify([name, value === null ? null : type]));
