import type { SessionResult } from '../door-statement.ts';

interface OutputColumn {
  readonly name: string;
  /** Trino's name of the type. */
  readonly type: string;
}

/** Returns the answer to DESCRIBE OUTPUT. The tables of the columns are not known: empty, as for a computed column in Trino. */
export const describeOutputRows = (columns: readonly OutputColumn[]): SessionResult => ({
  columns: [
    { name: 'Column Name', type: 'varchar' },
    { name: 'Catalog', type: 'varchar' },
    { name: 'Schema', type: 'varchar' },
    { name: 'Table', type: 'varchar' },
    { name: 'Type', type: 'varchar' },
    { name: 'Type Size', type: 'bigint' },
    { name: 'Aliased', type: 'boolean' },
  ],
  rows: columns.map(({ name, type }) => [name, '', '', '', type, sizeOf(type), false]),
});

/** Bytes of types with one size, as Trino's DESCRIBE OUTPUT tells them; 0 for any other. */
const SIZES: Readonly<Record<string, number>> = {
  bigint: 8,
  boolean: 1,
  date: 4,
  double: 8,
  integer: 4,
  'interval day to second': 8,
  'interval year to month': 4,
  real: 4,
  smallint: 2,
  tinyint: 1,
};

const sizeOf = (type: string): number => SIZES[type] ?? 0;
