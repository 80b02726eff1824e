import type { Client } from '@sluice/client';
import type { CatalogName } from './name-index.ts';
import { readLevel } from './use-catalog-level.ts';

/** Names that were read together. */
interface NamePage {
  readonly names: readonly CatalogName[];
  /** Token of the next page. Undefined: these are the last names. */
  readonly next: string | undefined;
}

interface NamePageQuery {
  readonly size: number;
  readonly prefix?: string;
  readonly page_token?: string;
}

/** Pending requests. Parts of a page, which open at the same time, read the same names, and each request is a record of the audit log. */
const pendingReads = new WeakMap<Client, Map<string, Promise<NamePage>>>();

/** Reads a page as `readNames` does, in one request with every other caller of the same page meanwhile. */
export function readSharedNames(client: Client, path: readonly string[], query: NamePageQuery): Promise<NamePage> {
  const requests = pendingReads.get(client) ?? new Map<string, Promise<NamePage>>();
  pendingReads.set(client, requests);
  const { size, prefix, page_token: token } = query;
  const key = JSON.stringify([path, size, prefix, token]);
  const known = requests.get(key);
  if (known !== undefined) return known;
  const request = readNames(client, path, query).finally(() => requests.delete(key));
  requests.set(key, request);
  return request;
}

/** Reads a page of the catalogs, the schemas of a catalog or the tables of a schema, or all columns of a table. */
export async function readNames(
  client: Client,
  path: readonly string[],
  query: NamePageQuery,
  signal?: AbortSignal,
): Promise<NamePage> {
  if (path.length < 3) {
    const { entries, next } = await readLevel(client, path, query, signal);
    const names = entries.map((entry) => ({ ...entry, detail: null, path }));
    return { names, next };
  }
  const [catalog = '', schema = '', table = ''] = path;
  const params = { catalog, schema, table };
  const { columns } = await client.api.getCatalogTable({ params, ...(signal && { signal }) });
  const names = columns.map(({ name, type, description }) => ({
    name,
    kind: 'column' as const,
    detail: type,
    description,
    path,
  }));
  return { names, next: undefined };
}

/** Tables and views that a search has found. */
export interface FoundTables {
  readonly names: readonly CatalogName[];
  /** Number of all matches. */
  readonly total: number;
}

/** Searches the tables and views of every schema. Returns at most `size` of each. */
export async function searchTables(
  { api }: Client,
  text: string,
  size: number,
  signal: AbortSignal,
): Promise<FoundTables> {
  const pages = await Promise.all(
    (['TABLE', 'VIEW'] as const).map((type) =>
      api.searchDatamaps({ body: { q: text, from: 0, size, advance_options: { type } }, signal }),
    ),
  );
  const names = pages
    .flatMap(({ data }) => data)
    .map(
      ({ datamap, type, description, remarks, catalog, schema }): CatalogName => ({
        name: datamap.name,
        kind: type === 'VIEW' ? 'view' : 'table',
        detail: null,
        description: description ?? remarks,
        path: [catalog, schema],
      }),
    );
  return { names, total: pages.reduce((sum, { total }) => sum + total, 0) };
}
