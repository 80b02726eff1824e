import type { CatalogTable } from '@sluice/engine';

interface StorableTables {
  readonly tables: readonly CatalogTable[];
  /** Number of tables and columns that were left out. */
  readonly skipped: number;
}

/** Three names share an index entry, whose limit is 2,704 bytes. */
const NAME_BYTES_MAX = 800;
const COLUMN_BYTES_MAX = 2_000;

const fits = (name: string, bytesMax: number): boolean =>
  name !== '' && !name.includes('\0') && name.isWellFormed() && Buffer.byteLength(name) <= bytesMax;

/** Returns the tables and columns whose names PostgreSQL can store, and the number of those that it cannot. */
export function storableTables(listed: readonly CatalogTable[]): StorableTables {
  const tables = listed.filter(({ schema, name }) => fits(schema, NAME_BYTES_MAX) && fits(name, NAME_BYTES_MAX));
  let skipped = listed.length - tables.length;
  const kept = tables.map((table) => {
    const columns = table.columns.filter(({ name }) => fits(name, COLUMN_BYTES_MAX));
    skipped += table.columns.length - columns.length;
    return columns.length === table.columns.length ? table : { ...table, columns };
  });
  return { tables: kept, skipped };
}
