import type { Column } from '@sluice/contract';
import { asProblem } from '@sluice/contract/problems';
import type { ResultEvent } from '../engine.ts';
import type { CatalogListing } from './catalog-listing.ts';
import type { CatalogPage, CatalogPosition, CatalogTable } from './catalog-page.ts';
import { type CatalogRow, jsonRows } from './json-rows.ts';
import { TypeNames } from './type-names.ts';

/** Runs and describes the statements of a listing on its engine. */
interface CatalogQueries {
  /** Runs a statement with rows in `CATALOG_FORMAT`. */
  run(sql: string): AsyncIterable<ResultEvent>;
  /** Returns the columns of a statement without running it. */
  describe(sql: string): Promise<readonly Column[]>;
}

interface ReadCatalogOptions {
  readonly listing: CatalogListing;
  readonly queries: CatalogQueries;
  /** Last table of an interrupted harvest; catalogs before its own are skipped. */
  readonly after?: CatalogPosition | undefined;
  readonly signal: AbortSignal;
}

/** Limits of one page, whichever is reached first. A table is never split. */
const PAGE_TABLES_MAX = 250;
const PAGE_COLUMNS_MAX = 5_000;

/**
 * Reads everything that a tenant's engine lists, in pages, holding at most one page. A failure in one catalog becomes a page of
 * its own; only an abort is thrown.
 */
export async function* readCatalog(options: ReadCatalogOptions): AsyncGenerator<CatalogPage> {
  const { listing, after, signal } = options;
  yield { kind: 'catalogs', names: listing.catalogs };
  const types = new TypeNames(listing, (sql) => options.queries.describe(sql));
  for (const catalog of listing.catalogs) {
    if (after !== undefined && compareNames(catalog, after.catalog) < 0) continue;
    try {
      yield* readOneCatalog(options, catalog, types);
    } catch (thrown) {
      signal.throwIfAborted();
      yield { kind: 'unreadable', catalog, problem: asProblem(thrown) };
    }
  }
}

async function* readOneCatalog(
  options: ReadCatalogOptions,
  catalog: string,
  types: TypeNames,
): AsyncGenerator<CatalogPage> {
  const { listing, queries } = options;
  const schemas: string[] = [];
  for await (const rows of jsonRows(queries.run(listing.schemasSql(catalog)))) {
    schemas.push(...rows.map(([name]) => name ?? ''));
  }
  yield { kind: 'schemas', catalog, names: schemas };
  const after = options.after?.catalog === catalog ? options.after : undefined;
  const page = new TablesPage(catalog, types);
  for (const sql of listing.tablesSql({ catalog, schemas, after })) {
    for await (const rows of jsonRows(queries.run(sql))) {
      for (const row of rows) {
        if (page.isFullBefore(row)) yield { kind: 'tables', catalog, tables: page.take() };
        // Awaited only for an unknown type: a million turns of the event loop would cost more than the rest.
        const wait = page.add(row);
        if (wait !== undefined) await wait;
      }
    }
  }
  const tables = page.take();
  if (tables.length > 0) yield { kind: 'tables', catalog, tables };
  yield { kind: 'end', catalog };
}

type GrowingTable = Omit<CatalogTable, 'columns'> & { readonly columns: { name: string; type: string }[] };

/** Collects rows into tables, and tables into a page. */
class TablesPage {
  readonly #catalog: string;
  readonly #types: TypeNames;
  #tables: GrowingTable[] = [];
  #columns = 0;

  constructor(catalog: string, types: TypeNames) {
    this.#catalog = catalog;
    this.#types = types;
  }

  isFullBefore([schema, table]: CatalogRow): boolean {
    if (this.#tables.length < PAGE_TABLES_MAX && this.#columns < PAGE_COLUMNS_MAX) return false;
    const last = this.#tables.at(-1);
    return last?.schema !== schema || last?.name !== table;
  }

  add(row: CatalogRow): Promise<void> | undefined {
    const [schema, table, kind, name, type] = row;
    let last = this.#tables.at(-1);
    if (last === undefined || last.schema !== schema || last.name !== table) {
      last = { schema: schema ?? '', name: table ?? '', type: kind === 'VIEW' ? 'VIEW' : 'TABLE', columns: [] };
      this.#tables.push(last);
    }
    if (typeof name !== 'string' || typeof type !== 'string') return undefined;
    this.#columns += 1;
    const known = this.#types.known(type);
    const column = { name, type: known ?? '' };
    last.columns.push(column);
    if (known !== undefined) return undefined;
    const listed = { catalog: this.#catalog, schema: last.schema, table: last.name, name, type };
    return this.#types.of(listed).then((found) => {
      column.type = found;
    });
  }

  take(): readonly CatalogTable[] {
    const tables = this.#tables;
    this.#tables = [];
    this.#columns = 0;
    return tables;
  }
}

/** Compares by the bytes of UTF-8, as both engines and PostgreSQL's collation "C" do. */
export const compareNames = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
