import type { Client } from '@sluice/client';

/** Names of one level of the catalog. */
export type NameLevel = readonly { readonly name: string; readonly description?: string | null }[];

interface LevelOptions {
  /** Beginning of the names. Default: all names. */
  readonly prefix?: string;
  /** Largest number of names. */
  readonly max: number;
  readonly signal: AbortSignal;
}

const PAGE_MAX = 1000;

async function firstOf<Entry>(entries: AsyncIterable<Entry>, max: number): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) if (found.push(entry) >= max) break;
  return found;
}

/**
 * Reads the names below a path: catalogs, schemas of a catalog, tables of a schema, columns of a table.
 * @throws ResponseError if the path does not exist or may not be seen
 */
export async function readLevel(
  { catalog: lists, api }: Client,
  [catalog, schema, table]: readonly string[],
  { prefix = '', max, signal }: LevelOptions,
): Promise<NameLevel> {
  const filters = { size: Math.min(max, PAGE_MAX), signal, ...(prefix === '' ? {} : { prefix }) };
  if (catalog === undefined) return await firstOf(lists.catalogs(filters), max);
  if (schema === undefined) return await firstOf(lists.schemas(catalog, filters), max);
  if (table === undefined) return await firstOf(lists.tables(catalog, schema, filters), max);
  const { columns } = await api.getCatalogTable({ params: { catalog, schema, table }, signal });
  return columns.filter(({ name }) => name.startsWith(prefix)).slice(0, max);
}
