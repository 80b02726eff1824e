/**
 * Kind of the values of a column, which decides alignment, order and charts.
 * - `number`: any exact or floating-point number.
 * - `date`, `timestamp`, `timestampWithZone`, `time`, `timeWithZone`, `interval`: as docs/values.md shows them.
 * - `binary`: bytes as base64.
 * - `nested`: lists, rows, maps and JSON.
 * - `other`: values with an order of their own, such as `ipaddress`.
 */
export type ColumnKind =
  | 'number'
  | 'boolean'
  | 'text'
  | 'date'
  | 'timestamp'
  | 'timestampWithZone'
  | 'time'
  | 'timeWithZone'
  | 'interval'
  | 'binary'
  | 'nested'
  | 'other';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  tinyint: 'number',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  number: 'number',
  real: 'number',
  double: 'number',
  boolean: 'boolean',
  varchar: 'text',
  char: 'text',
  uuid: 'text',
  date: 'date',
  timestamp: 'timestamp',
  time: 'time',
  interval: 'interval',
  varbinary: 'binary',
  array: 'nested',
  row: 'nested',
  map: 'nested',
  json: 'nested',
};

/** Returns the kind of a type name, such as `timestamp(6) with time zone`. */
export function columnKind(type: string): ColumnKind {
  const [base = ''] = /^[a-z]+/.exec(type) ?? [];
  const kind = Object.hasOwn(KINDS, base) ? (KINDS[base] as ColumnKind) : 'other';
  if (!type.endsWith('with time zone')) return kind;
  if (kind === 'timestamp') return 'timestampWithZone';
  return kind === 'time' ? 'timeWithZone' : kind;
}

/** Returns whether the values of a kind can be put in the engine's order here. */
export const isOrdered = (kind: ColumnKind): boolean => kind !== 'nested' && kind !== 'other';
