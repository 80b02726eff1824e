import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableName } from '../../table-name.ts';
import type { Namespace } from '../namespace.ts';
import type { DuckDbProfile } from '../profile.ts';
import { lowerAscii } from '../sql-text.ts';

/**
 * Objects that a tenant's statements may read, looked up by names as written in SQL: case-insensitive as DuckDB compares names,
 * with empty parts that the session completes. A name may mean several tables; whichever DuckDB chooses belongs to the tenant.
 */
export interface NameDirectory {
  /** Returns the table or view that a name means, in the spelling of the catalog; the first one if it may mean several. The same object each time. */
  findTable(table: TableName): TableName | undefined;
  hasSchema(schema: Omit<TableName, 'name'>): boolean;
  /** Returns whether a bare name, if nothing hides it, is one of DuckDB's own views (`duckdb_databases`, `pg_class`, ...). */
  isSystemView(name: string): boolean;
  /** Returns whether a function, aggregate or macro of this name exists. */
  isFunction(name: string): boolean;
  /** Returns whether every function of this name returns one value per row. */
  isScalarFunction(name: string): boolean;
  /** Returns whether DuckDB calls every function of this name consistent: equal arguments have equal results, at any time. */
  isConsistentFunction(name: string): boolean;
  /** Returns whether every table that this name may mean is a stored table and not a view. */
  isStoredTable(table: TableName): boolean;
  /** Returns whether every table that this name may mean is a stored table without computed columns. */
  hasOnlyStoredColumns(table: TableName): boolean;
  /** Returns whether a table or view that this name may mean has a column with values of type VARIANT. */
  hasVariantColumns(table: TableName): boolean;
  /** Returns whether a type of this name in a catalog may contain VARIANT: it is one, or it has parts. */
  isVariantType(name: string): boolean;
}

/** All names of the catalogs. */
export interface Names {
  /** Returns the directory for statements whose unqualified names are in this schema. */
  within(namespace: Namespace): NameDirectory;
  /** Returns a schema of the catalogs in their spelling; undefined if there is none of this name. */
  findSchema(namespace: Namespace): Namespace | undefined;
  /** Returns whether there is a catalog of this name, in any spelling. */
  hasCatalog(name: string): boolean;
}

/** Returns the directory of the default schema of a profile. */
export async function listNames(connection: DuckDBConnection, profile: DuckDbProfile): Promise<NameDirectory> {
  return (await readNames(connection)).within({ catalog: profile.defaultCatalog, schema: profile.defaultSchema });
}

/** Reads all names once: the catalogs are opened read-only and no statement may create anything, so nothing is added later. */
export async function readNames(connection: DuckDBConnection): Promise<Names> {
  const functions = await listFunctions(connection);
  const reader = await connection.runAndReadAll(`
    SELECT database_name, schema_name, table_name, internal, true, contains(lower(sql), 'generated always') FROM duckdb_tables()
    UNION ALL SELECT database_name, schema_name, view_name, internal, false, true FROM duckdb_views()`);
  const ownSchemas = await connection.runAndReadAll(
    "SELECT database_name, schema_name FROM duckdb_schemas() WHERE database_name NOT IN ('system', 'temp')",
  );
  const variantColumns = await connection.runAndReadAll(
    "SELECT DISTINCT database_name, schema_name, table_name FROM duckdb_columns() WHERE contains(data_type, 'VARIANT')",
  );
  const variants = new Set(variantColumns.getRows().map((names) => key(...names.map(String))));
  const variantTypeNames = await connection.runAndReadAll(
    "SELECT DISTINCT type_name FROM duckdb_types() WHERE NOT internal AND logical_type IN ('VARIANT', 'STRUCT', 'LIST', 'ARRAY', 'MAP', 'UNION')",
  );
  const variantTypes = new Set(variantTypeNames.getRows().map(([name]) => lowerAscii(String(name))));
  const tables = new Map<string, TableName>();
  const stored = new Set<string>();
  const computed = new Set<string>();
  const schemas = new Map(
    ownSchemas.getRows().map(([catalog, schema]) => {
      const namespace = { catalog: String(catalog), schema: String(schema) };
      return [key(namespace.catalog, namespace.schema), namespace];
    }),
  );
  const systemViews = new Set<string>();
  for (const [catalog, schema, name, internal, isStored, isComputed] of reader.getRows()) {
    if (internal === true) {
      if (schema !== 'information_schema') systemViews.add(lowerAscii(String(name))); // only their full name finds those
    } else {
      const table = key(String(catalog), String(schema), String(name));
      tables.set(table, { catalog: String(catalog), schema: String(schema), name: String(name) });
      if (isStored === true) stored.add(table);
      if (isComputed !== false) computed.add(table);
    }
  }
  return {
    within: (namespace) =>
      directoryWithin(namespace, { functions, tables, stored, computed, variants, variantTypes, schemas, systemViews }),
    findSchema: ({ catalog, schema }) => schemas.get(key(catalog, schema)),
    hasCatalog: (name) => [...schemas.values()].some(({ catalog }) => lowerAscii(catalog) === lowerAscii(name)),
  };
}

interface Listed {
  readonly functions: ReadonlyMap<string, FunctionProperties>;
  readonly tables: ReadonlyMap<string, TableName>;
  readonly stored: ReadonlySet<string>;
  readonly computed: ReadonlySet<string>;
  readonly variants: ReadonlySet<string>;
  readonly variantTypes: ReadonlySet<string>;
  readonly schemas: ReadonlyMap<string, Namespace>;
  readonly systemViews: ReadonlySet<string>;
}

function directoryWithin({ catalog: defaultCatalog, schema: defaultSchema }: Namespace, listed: Listed): NameDirectory {
  const { functions, tables, stored, computed, variants, variantTypes, schemas, systemViews } = listed;
  // A name without a schema is looked up in the session's schema, then in the catalog's main one.
  const completions = [defaultSchema, 'main'];
  const tablesOf = ({ catalog, schema, name }: TableName): readonly string[] =>
    interpretations({ catalog, schema }, { defaultCatalog, completions })
      .map((way) => key(...way, name))
      .filter((table) => tables.has(table));
  const isEvery = (table: TableName, matches: (one: string) => boolean): boolean => {
    const found = tablesOf(table);
    return found.length > 0 && found.every(matches);
  };
  return {
    findTable: (table) => tables.get(tablesOf(table)[0] ?? ''),
    isStoredTable: (table) => isEvery(table, (one) => stored.has(one)),
    hasOnlyStoredColumns: (table) => isEvery(table, (one) => stored.has(one) && !computed.has(one)),
    hasVariantColumns: (table) => tablesOf(table).some((one) => variants.has(one)),
    isVariantType: (name) => variantTypes.has(lowerAscii(name)),
    hasSchema: (written) =>
      interpretations(written, { defaultCatalog, completions }).some((way) => schemas.has(key(...way))),
    isSystemView: (name) => systemViews.has(lowerAscii(name)),
    isFunction: (name) => functions.has(lowerAscii(name)),
    isScalarFunction: (name) => functions.get(lowerAscii(name))?.kind === 'scalar',
    isConsistentFunction: (name) => functions.get(lowerAscii(name))?.isConsistent === true,
  };
}

interface FunctionProperties {
  /** `several` if functions of different kinds have the name. */
  readonly kind: string;
  readonly isConsistent: boolean;
}

async function listFunctions(connection: DuckDBConnection): Promise<ReadonlyMap<string, FunctionProperties>> {
  const reader = await connection.runAndReadAll(`
    SELECT function_name, CASE WHEN count(DISTINCT function_type) = 1 THEN any_value(function_type) ELSE 'several' END,
      bool_and(stability IS NOT DISTINCT FROM 'CONSISTENT')
    FROM duckdb_functions() GROUP BY ALL`);
  return new Map(
    reader
      .getRows()
      .map(([name, kind, isConsistent]) => [
        lowerAscii(String(name)),
        { kind: String(kind), isConsistent: isConsistent === true },
      ]),
  );
}

interface Session {
  readonly defaultCatalog: string;
  readonly completions: readonly string[];
}

/** `a.b` may be a schema and its table, or a catalog and a table of its main schema. */
function interpretations(
  written: Omit<TableName, 'name'>,
  { defaultCatalog, completions }: Session,
): readonly (readonly [string, string])[] {
  const { catalog, schema } = written;
  if (catalog !== '' && schema !== '') return [[catalog, schema]];
  const given = catalog === '' ? schema : catalog;
  if (given === '') return completions.map((completion) => [defaultCatalog, completion]);
  // The session's schema completes names of its own catalog. In another one DuckDB reads the main schema.
  const ordered = lowerAscii(given) === lowerAscii(defaultCatalog) ? completions : completions.toReversed();
  return [[defaultCatalog, given], ...ordered.map((completion) => [given, completion] as const)];
}

const key = (...parts: readonly string[]): string => JSON.stringify(parts.map(lowerAscii));
