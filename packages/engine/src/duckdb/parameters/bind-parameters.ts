import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { QueryParameter } from '@sluice/contract';
import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
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

function bindParameter(prepared: DuckDBPreparedStatement, index: number, { type, value }: QueryParameter): void {
  if (value === null || type.name === 'unknown') {
    prepared.bindNull(index);
    return;
  }
  switch (type.name) {
    case 'varchar':
      prepared.bindVarchar(index, value);
      break;
    case 'boolean':
      prepared.bindBoolean(index, value === 'true');
      break;
    case 'integer':
      prepared.bindInteger(index, Number(value));
      break;
    case 'bigint':
      prepared.bindBigInt(index, BigInt(value));
      break;
    case 'double':
      prepared.bindDouble(index, Number(value));
      break;
    case 'decimal': {
      const scaled = BigInt(value.replace('.', ''));
      prepared.bindDecimal(index, new DuckDBDecimalValue(scaled, type.precision, type.scale));
      break;
    }
    case 'date':
      prepared.bindDate(index, new DuckDBDateValue(daysOf(value)));
      break;
    case 'time':
      prepared.bindTime(index, new DuckDBTimeValue(timeOf(value, MICROSECOND_DIGITS)));
      break;
    case 'timestamp': {
      const isNanos = type.precision > MICROSECOND_DIGITS;
      const instant = instantOf(value, isNanos ? NANOSECOND_DIGITS : MICROSECOND_DIGITS);
      if (isNanos) prepared.bindTimestampNanoseconds(index, new DuckDBTimestampNanosecondsValue(instant));
      else prepared.bindTimestamp(index, new DuckDBTimestampValue(instant));
      break;
    }
    case 'timestamp with time zone':
      prepared.bindTimestampTZ(index, new DuckDBTimestampTZValue(instantOf(value, MICROSECOND_DIGITS)));
      break;
    case 'uuid':
      prepared.bindUUID(index, DuckDBUUIDValue.fromUint128(BigInt(`0x${value.replaceAll('-', '')}`)));
      break;
  }
}

/** Returns the types of parameters by name, for the key of a prepared statement. */
export const parameterTypesOf = (parameters: readonly QueryParameter[]): readonly string[] =>
  parameters.map(({ name, type, value }) => JSON.stringify([name, value === null ? null : type]));
