import type { DuckDBConnection } from '@duckdb/node-api';
import { lexSql, stripTrailingSemicolons } from '../statement-lexer.ts';
import type { TableName } from '../table-name.ts';
import type { NameDirectory } from './guard/name-directory.ts';
import { parseTree } from './guard/parse-tree.ts';
import { lowerAscii } from './sql-text.ts';

interface ViewTablesOptions {
  readonly names: NameDirectory;
  /** Returns the tree of a query, as JSON text. */
  readonly parse: (sql: string) => Promise<string>;
}

type Tree = Readonly<Record<string, unknown>>;

/** Tables and views behind the views of the catalogs, from their definitions. Each is parsed when a statement first names it. */
export class ViewTables {
  /** SQL of the views, by name. */
  readonly #definitions: ReadonlyMap<string, string>;
  readonly #options: ViewTablesOptions;
  readonly #sources = new Map<string, Promise<readonly TableName[]>>();

  constructor(definitions: ReadonlyMap<string, string>, options: ViewTablesOptions) {
    this.#definitions = definitions;
    this.#options = options;
  }

  /** Returns the definitions of all views, by name. Nothing can be added later, because the catalogs are opened read-only. */
  static async list(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
    const reader = await connection.runAndReadAll(
      'SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal',
    );
    const definitions = reader
      .getRows()
      .map(
        ([catalog, schema, name, sql]) => [key(String(catalog), String(schema), String(name)), String(sql)] as const,
      );
    return new Map(definitions);
  }

  /**
   * Returns the tables and views with everything behind the views. A view whose definition cannot be read has nothing behind it, so that a
   * statement which reads it still runs.
   */
  async withSources(tables: Iterable<TableName>): Promise<readonly TableName[]> {
    const found = new Map<string, TableName>();
    const waiting = [...tables];
    for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) {
      const name = key(table.catalog, table.schema, table.name);
      if (found.has(name)) continue;
      found.set(name, table);
      waiting.push(...(await this.#sourcesOf(name, table)));
    }
    return [...found.values()];
  }

  #sourcesOf(name: string, view: TableName): Promise<readonly TableName[]> {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return NOTHING;
    let sources = this.#sources.get(name);
    if (sources === undefined) {
      sources = this.#readSources(definition, view).catch(() => []);
      this.#sources.set(name, sources);
    }
    return sources;
  }

  async #readSources(definition: string, view: TableName): Promise<readonly TableName[]> {
    const query = queryOf(definition);
    const tree = query === undefined ? undefined : parseTree(await this.#options.parse(query));
    const written: TableName[] = [];
    collectTables(tree, new Set(), written);
    return written.flatMap((table) => this.#find(table, view) ?? []);
  }

  /** A view sees the names of its own schema first, whatever the session's schema is. */
  #find({ catalog, schema, name }: TableName, view: TableName): TableName | undefined {
    const { names } = this.#options;
    const own = { catalog: view.catalog, schema: schema === '' ? view.schema : schema, name };
    return (catalog === '' ? names.findTable(own) : undefined) ?? names.findTable({ catalog, schema, name });
  }
}

const NOTHING: Promise<readonly TableName[]> = Promise.resolve([]);

/** Returns the query of `CREATE VIEW name (columns) AS query`. */
function queryOf(definition: string): string | undefined {
  for (const { kind, text, end } of lexSql(definition))
    if (kind === 'word' && text === 'AS') return stripTrailingSemicolons(definition.slice(end));
  return undefined;
}

/** Collects the tables that a tree names, without the names of its own WITH queries (`common`). */
function collectTables(value: unknown, common: ReadonlySet<string>, found: TableName[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectTables(item, common, found);
  } else if (typeof value === 'object' && value !== null) {
    const tree = value as Tree;
    const inner = 'cte_map' in tree ? new Set([...common, ...commonNamesOf(tree)]) : common;
    if (tree['type'] === 'BASE_TABLE') {
      const table = {
        catalog: text(tree['catalog_name']),
        schema: text(tree['schema_name']),
        name: text(tree['table_name']),
      };
      if (table.schema !== '' || !inner.has(lowerAscii(table.name))) found.push(table);
    }
    for (const child of Object.values(tree)) collectTables(child, inner, found);
  }
}

const commonNamesOf = (node: Tree): readonly string[] => {
  const entries = (node['cte_map'] as { readonly map?: readonly { readonly key: string }[] } | null)?.map ?? [];
  return entries.map(({ key: name }) => lowerAscii(name));
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const key = (...parts: readonly string[]): string => JSON.stringify(parts.map(lowerAscii));
