import type { CatalogSchemas, Catalogs, CatalogTable, CatalogTables } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { PreparedStatement } from '../database/transaction.ts';
import { FIND_TABLE, LIST_CATALOGS, LIST_SCHEMAS, LIST_TABLES } from './browse-statements.ts';

/** Page of a list of names in the order of their bytes. */
export interface NamePage {
  readonly prefix?: string | undefined;
  /** The page begins after this name. */
  readonly after?: string | undefined;
  readonly size: number;
}

/** Entries of a page, and the name after which the next page begins, if there is one. */
export interface NamedEntries<T> {
  readonly entries: readonly T[];
  readonly next: string | undefined;
}

type CatalogEntry = Catalogs['data'][number];
type SchemaEntry = CatalogSchemas['data'][number];
type TableEntry = CatalogTables['data'][number];
/** Table without the name for imports. */
export interface StoredTable {
  readonly table: Omit<CatalogTable, 'id'>;
  /** Version of its metadata, which increases with every change of them. */
  readonly version: number;
}

/** Catalogs, schemas and tables that the last harvest found. Undefined: there is no such catalog, schema or table. */
export interface BrowseStore {
  listCatalogs(tenantId: string, page: NamePage): Promise<NamedEntries<CatalogEntry>>;
  listSchemas(tenantId: string, catalog: string, page: NamePage): Promise<NamedEntries<SchemaEntry> | undefined>;
  listTables(
    tenantId: string,
    parent: { readonly catalog: string; readonly schema: string },
    page: NamePage,
  ): Promise<NamedEntries<TableEntry> | undefined>;
  findTable(
    tenantId: string,
    name: { readonly catalog: string; readonly schema: string; readonly table: string },
  ): Promise<StoredTable | undefined>;
}

interface CatalogRow extends Omit<CatalogEntry, 'harvested_ts'> {
  readonly harvested: Date | null;
}

type TableRow = Omit<CatalogTable, 'id' | 'catalog' | 'schema' | 'updated_ts'> & {
  readonly updated: Date;
  readonly version: string;
};

/** Returns the values of a page. One more row than its size shows whether there is a next page. */
const pageValues = (tenantId: string, { prefix = '', after = '', size }: NamePage): unknown[] => [
  tenantId,
  after,
  prefix,
  size + 1,
];

function entriesOf<T extends { readonly name: string }>(rows: readonly T[], size: number): NamedEntries<T> {
  const entries = rows.slice(0, size);
  return { entries, next: rows.length > size ? entries.at(-1)?.name : undefined };
}

const hasName = <T extends { readonly name: string | null }>(row: T): row is T & { readonly name: string } =>
  row.name !== null;

export function createBrowseStore(database: Database): BrowseStore {
  const read = <R extends object>(tenantId: string, statement: PreparedStatement, values: unknown[]): Promise<R[]> =>
    database.run<R>({ tenantId, plan: 'in-order' }, statement, values);

  const listChildren = async <T extends { readonly name: string }>(
    tenantId: string,
    statement: PreparedStatement,
    { parents, page }: { readonly parents: readonly string[]; readonly page: NamePage },
  ): Promise<NamedEntries<T> | undefined> => {
    const values = [...pageValues(tenantId, page), ...parents];
    const rows = await read<T | (Omit<T, 'name'> & { readonly name: null })>(tenantId, statement, values);
    return rows.length === 0 ? undefined : entriesOf(rows.filter(hasName) as T[], page.size);
  };

  return {
    async listCatalogs(tenantId, page) {
      const rows = await read<CatalogRow>(tenantId, LIST_CATALOGS, pageValues(tenantId, page));
      const entries = rows.map(({ harvested, ...row }) => ({ ...row, harvested_ts: harvested?.getTime() ?? null }));
      return entriesOf(entries, page.size);
    },
    listSchemas: (tenantId, catalog, page) =>
      listChildren<SchemaEntry>(tenantId, LIST_SCHEMAS, { parents: [catalog], page }),
    listTables: (tenantId, { catalog, schema }, page) =>
      listChildren<TableEntry>(tenantId, LIST_TABLES, { parents: [catalog, schema], page }),
    async findTable(tenantId, { catalog, schema, table }) {
      const [row] = await read<TableRow>(tenantId, FIND_TABLE, [tenantId, catalog, schema, table]);
      if (row === undefined) return undefined;
      const { updated, version, columns, name, ...described } = row;
      const found = { catalog, schema, name, ...described, updated_ts: updated.getTime(), columns };
      return { table: found, version: Number(version) };
    },
  };
}
