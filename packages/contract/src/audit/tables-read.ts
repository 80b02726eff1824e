import { formatTableName } from '../catalog/parse-table-name.ts';

/** Most names that a record holds. */
const TABLES_READ_MAX = 1000;

/** Members of metadata that name the tables and views of a statement. */
export type TablesReadMetadata = {
  /** Full names as in the catalog, sorted, without repeats. Null: the engine could not tell, because the statement was not planned. */
  readonly tables_read: readonly string[] | null;
  /** There were more names than a record holds. */
  readonly tables_read_limited?: true;
};

/**
 * Returns the members of a record's metadata for the tables and views that its statement reads; undefined if the engine could not tell.
 * Records written before this release have no such member.
 */
export function tablesReadMetadata(
  tables: readonly { readonly catalog: string; readonly schema: string; readonly name: string }[] | undefined,
): TablesReadMetadata {
  if (tables === undefined) return { tables_read: null };
  const names = [...new Set(tables.map(formatTableName))].sort();
  if (names.length <= TABLES_READ_MAX) return { tables_read: names };
  return { tables_read: names.slice(0, TABLES_READ_MAX), tables_read_limited: true };
}
