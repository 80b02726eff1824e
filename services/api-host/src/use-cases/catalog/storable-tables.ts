import type { CatalogTable } from '@sluice/engine';

export interface StorableTables {
  readonly tables: readonly CatalogTable[];
  /** Names that were left out, of tables and of columns. */
  readonly skipped: number;
}

/** Three names share an index entry, which takes 2,704 bytes. */
const NAME_BYTES_MAX = 800;
const COLUMN_BYTES_MAX = 2_000;

const fits = (name: string, bytesMax: number): boolean =>
  name !== '' && !name.includes('\0') && name.isWellFormed() && Buffer.byteLength(name) <= bytesMax;

/** What PostgreSQL can keep under the names that the engine gives; what it cannot is counted. */
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
