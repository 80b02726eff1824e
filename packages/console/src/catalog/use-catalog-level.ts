import type { Client } from '@sluice/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';

/** Names that are loaded together. A schema may have 50,000 tables. */
const PAGE_SIZE = 100;

/** A catalog, schema, table or view in a list. */
export interface CatalogEntry {
  readonly name: string;
  readonly kind: 'catalog' | 'schema' | 'table' | 'view';
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Tables below a catalog or schema. */
  readonly tableCount: number | undefined;
  /** Database product of a catalog. */
  readonly vendorName?: string | undefined;
}

/** Entries of a level that were read together. */
export interface EntryPage {
  readonly entries: readonly CatalogEntry[];
  readonly next: string | undefined;
}

/**
 * Reads a page of the catalogs, the schemas of a catalog, or the tables of a schema.
 * @param names - catalog and schema, as far as they are chosen
 */
export async function readLevel(
  { api }: Client,
  names: readonly string[],
  query: { readonly size: number; readonly prefix?: string; readonly page_token?: string },
  signal?: AbortSignal,
): Promise<EntryPage> {
  const [catalog = '', schema = ''] = names;
  if (names.length === 2) {
    const { data, next_page_token: next } = await api.listCatalogTables({
      params: { catalog, schema },
      query,
      ...(signal && { signal }),
    });
    const entries = data.map(({ name, type, description, remarks, tags }) => ({
      name,
      kind: type === 'VIEW' ? ('view' as const) : ('table' as const),
      description: description ?? remarks,
      tags,
      tableCount: undefined,
    }));
    return { entries, next };
  }
  const undescribed = { description: null, tags: [] } as const;
  if (names.length === 0) {
    const { data, next_page_token: next } = await api.listCatalogs({ query, ...(signal && { signal }) });
    const entries = data.map(({ name, table_count: tableCount, vendor_name: vendorName }) => ({
      ...{ name, kind: 'catalog' as const, tableCount, vendorName },
      ...undescribed,
    }));
    return { entries, next };
  }
  const { data, next_page_token: next } = await api.listCatalogSchemas({
    params: { catalog },
    query,
    ...(signal && { signal }),
  });
  const entries = data.map(({ name, table_count: tableCount }) => ({
    ...{ name, kind: 'schema' as const, tableCount },
    ...undescribed,
  }));
  return { entries, next };
}

/**
 * Reads the catalogs, the schemas of a catalog, or the tables of a schema, page by page.
 * @param names - catalog and schema, as far as they are chosen
 * @param prefix - only names that begin with it
 */
export function useCatalogLevel(names: readonly string[], prefix: string) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: QUERY_KEYS.catalog(names, prefix),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: token, signal }): Promise<EntryPage> => {
      const page = token === undefined ? {} : { page_token: token };
      return readLevel(client, names, { size: PAGE_SIZE, ...(prefix === '' ? {} : { prefix }), ...page }, signal);
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}
