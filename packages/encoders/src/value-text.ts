/**
 * Returns whether values of a type (by Trino's name) can have more digits than a double: `bigint`, `number`, and decimals of more
 * than 15 digits.
 */
export function mayExceedDouble(type: string): boolean {
  if (type === 'bigint' || type === 'number') return true;
  const precision = /^decimal\((\d+),/.exec(type)?.[1];
  return precision !== undefined && Number(precision) > 15;
}
