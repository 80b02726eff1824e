import type { CellStyle } from './row-template.ts';

/**
 * Returns whether values of a type (by Trino's name) can have more digits than a double: `bigint`, `number`, and decimals of more
 * than 15 digits.
 */
export function mayExceedDouble(type: string): boolean {
  if (type === 'bigint' || type === 'number') return true;
  const precision = /^decimal\((\d+),/.exec(type)?.[1];
  return precision !== undefined && Number(precision) > 15;
}

/** Types whose values are strings in the pages of Trino's protocol, so that no parser rounds them. */
const TRINO_STRINGS = /^(decimal|number)\b/;

/** Returns whether JSON of a style has quotes around the numbers of a type (by Trino's name). */
export function isQuotedNumber(type: string, { bigNumbers, valueForms }: CellStyle): boolean {
  if (valueForms === 'trino') return TRINO_STRINGS.test(type);
  return bigNumbers === 'string' && mayExceedDouble(type);
}
