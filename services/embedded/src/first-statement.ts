import { DEMO_PASSWORD } from './accounts.ts';
import { type ApiClient, openApi } from './demo/api-client.ts';
import { awaitHarvest } from './demo/await-harvest.ts';
import { startFailure } from './start-failure.ts';

interface FirstStatementOptions {
  /** URL of the API host. */
  readonly url: string;
  /** Schema that is preferred if it has tables. */
  readonly schema: string | undefined;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly name: string;
  readonly table_count: number;
}

interface Page<T> {
  readonly data: readonly T[];
}

/** A large Trino takes longer. The start does not wait for it. */
const HARVEST_TIMEOUT_MS = 60_000;

/** Runs on any engine, whatever its tables. */
const ANY_SQL = 'SELECT current_user AS person, current_timestamp AS time';

/** Words that Trino does not accept as a name without quotes (Trino manual, "Reserved keywords"). */
const RESERVED = new Set(
  `alter and as auto between by case cast constraint create cross cube current_catalog current_date current_path current_role current_schema
   current_time current_timestamp current_user deallocate delete describe distinct drop else end escape except execute exists extract
   false for from full group grouping having in inner insert intersect into is join json_array json_exists json_object json_query
   json_table json_value left like listagg localtime localtimestamp natural normalize not null on or order outer prepare recursive
   right rollup select skip table then trim true uescape union unnest using values when where with`.split(/\s+/),
);

const quoted = (name: string): string =>
  /^[a-z][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;

const pathOf = (...names: readonly string[]): string => ['/catalog', ...names.map(encodeURIComponent)].join('/');

const withTables = (entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ table_count: tables }) => tables > 0);

/** Returns the statement for a harvested catalog: its first table, or the tables that every catalog of Trino has. */
async function statementFor(api: ApiClient, schema: string | undefined): Promise<string> {
  const { data: catalogs } = await api.get<Page<Entry>>(pathOf());
  const catalog = withTables(catalogs);
  if (catalog === undefined) {
    const [empty] = catalogs;
    return empty === undefined ? ANY_SQL : `SHOW TABLES FROM ${quoted(empty.name)}.information_schema`;
  }
  const path = pathOf(catalog.name);
  const found = (await preferredSchema(api, path, schema)) ?? (await firstSchema(api, path));
  if (found === undefined) return ANY_SQL;
  const { data } = await api.get<Page<{ readonly name: string }>>(`${pathOf(catalog.name, found.name)}?size=1`);
  const names = [catalog.name, found.name, data[0]?.name ?? ''];
  return `SELECT * FROM ${names.map(quoted).join('.')} LIMIT 3`;
}

async function preferredSchema(api: ApiClient, path: string, schema: string | undefined): Promise<Entry | undefined> {
  if (schema === undefined) return undefined;
  const { data } = await api.get<Page<Entry>>(`${path}?prefix=${encodeURIComponent(schema)}`);
  return withTables(data.filter(({ name }) => name === schema));
}

/** Reads the schemas page by page, because those before the first table may be empty. */
async function firstSchema(api: ApiClient, path: string): Promise<Entry | undefined> {
  let token: string | undefined;
  do {
    const query = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
    const page = await api.get<Page<Entry> & { readonly next_page_token?: string }>(`${path}?size=1000${query}`);
    const found = withTables(page.data);
    if (found !== undefined) return found;
    token = page.next_page_token;
  } while (token !== undefined);
  return undefined;
}

/**
 * Harvests the catalogs of an engine that has no demo tables, and returns a statement that reads one of its tables. If the harvest fails
 * or takes too long, announces that and returns a statement without a table.
 */
export async function findFirstStatement({ url, schema, announce, signal }: FirstStatementOptions): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(HARVEST_TIMEOUT_MS)]);
  const login = { url, tenant: 'acme', email: 'admin@acme.example', password: DEMO_PASSWORD };
  announce('Reading the catalogs of your engine ...');
  try {
    const api = await openApi({ ...login, announce, signal: limit });
    await awaitHarvest(api, limit);
    return await statementFor(api, schema);
  } catch (thrown) {
    signal.throwIfAborted();
    const message = limit.aborted
      ? 'That takes longer than a minute and continues in the background.'
      : startFailure('That failed', thrown).message;
    announce(`${message} GET ${url}/admin/harvest shows the state of the harvest.`);
    return ANY_SQL;
  }
}
