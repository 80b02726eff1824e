import type { QueryParameter } from '@sluice/contract';
import { isListParameter, type ScalarType } from '../../list-parameter.ts';

/**
 * Writes the value of a parameter as one literal of Trino's SQL, with its type. Only `bound-statement.ts` may import this file
 * (`npm run boundaries`): nothing else writes a value into SQL for Trino. Every value but a string consists of digits and marks that
 * `readParameterText` of the contract has written; a string is put in quotes, whose only special character is the quote.
 */
export function trinoLiteral(parameter: QueryParameter): string {
  if (!isListParameter(parameter)) return scalarLiteral(parameter.type, parameter.value);
  const type = `array(${typeName(parameter.type.item)})`;
  if (parameter.value === null) return `CAST(NULL AS ${type})`;
  const items = parameter.value.map((item) => scalarLiteral(parameter.type.item, item));
  return `CAST(ARRAY[${items.join(', ')}] AS ${type})`;
}

function scalarLiteral(type: ScalarType, value: string | null): string {
  if (value === null) return type.name === 'unknown' ? 'NULL' : `CAST(NULL AS ${typeName(type)})`;
  const text = `'${value.replaceAll("'", "''")}'`;
  switch (type.name) {
    case 'varchar':
    case 'unknown':
      return text;
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'double':
    case 'date':
    case 'uuid':
      return `${type.name.toUpperCase()} ${text}`;
    case 'time':
      return `TIME ${text}`;
    case 'timestamp':
    case 'timestamp with time zone':
      return `TIMESTAMP ${text}`; // the digits of the fraction give the precision, the zone gives the type
    case 'decimal':
      return `CAST(${text} AS ${typeName(type)})`; // DECIMAL '...' has the precision of its digits
  }
}

function typeName(type: ScalarType): string {
  switch (type.name) {
    case 'decimal':
      return `decimal(${type.precision},${type.scale})`;
    case 'time':
      return 'time(6)'; // the items of a list have all digits that a value may have; without a number there are 3
    case 'timestamp':
      return `timestamp(${type.precision})`;
    case 'timestamp with time zone':
      return `timestamp(${type.precision}) with time zone`;
    default:
      return type.name;
  }
}
