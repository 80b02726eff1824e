import type { Client, StreamOperationTypes } from '@sluice/client';
import { completionContext, type NamedTable, type SqlDialect, sqlName } from '@sluice/contract/sql';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import { readNames } from '../catalog/read-names.ts';
import { readLevel } from '../catalog/use-catalog-level.ts';
import { parseTableName } from '../datamaps/table-name.ts';
import { fullPath } from '../editor/completion/completion-source.ts';
import { useCurrentUser } from '../session/session-context.tsx';

type HistoryEntry = StreamOperationTypes['listQueryHistory']['result']['data'][number];

type RecentQuery = HistoryEntry & { readonly sql: string };

const HISTORY_SIZE = 30;
const DATAMAPS_SIZE = 20;
/** Entries of a list. The whole lists have a page of their own. */
const SHOWN_MAX = 5;
/** Tables of the history whose whole names are looked up: each is a search. */
const NAMED_MAX = 4;

/**
 * Reads what a user can go on with: own queries and saved ones, the tables that these and the datamaps of the tenant read, and examples for one
 * of them. Without `datamap:read`, only the queries.
 */
export function useStartQueries(catalog: CatalogReader, dialect: SqlDialect) {
  const client = useClient();
  const mayRead = useCurrentUser().permissions.includes('datamap:read');
  const recent = useQuery({
    queryKey: QUERY_KEYS.start('recent'),
    queryFn: ({ signal }) => readRecent(client, signal),
    staleTime: 0,
  });
  const saved = useQuery({
    queryKey: QUERY_KEYS.start('saved'),
    queryFn: ({ signal }) =>
      client.api.searchDatamaps({
        body: { from: 0, size: SHOWN_MAX, advance_options: { type: 'DATAMAP', own_drafts: true } },
        signal,
      }),
    staleTime: 0,
  });
  const named = useMemo(() => tablesIn(recent.data ?? [], dialect), [recent.data, dialect]);
  const tables = useQuery({
    queryKey: QUERY_KEYS.start('tables', named.map(nameOf)),
    queryFn: async ({ signal }) => {
      const used = await readUsedTables(client, catalog, named, signal);
      return { used, examples: await readExamples(client, catalog, used, signal) };
    },
    enabled: mayRead && !recent.isPending,
    placeholderData: keepPreviousData,
  });
  return { recent, saved, tables };
}

/** Returns the first item of each key. */
const distinct = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] =>
  items.filter((item, index) => items.findIndex((each) => keyOf(each) === keyOf(item)) === index);

/** Reads the last queries that succeeded, each statement once. */
async function readRecent({ stream }: Client, signal: AbortSignal): Promise<readonly RecentQuery[]> {
  const query = { kind: 'QUERY', state: 'FINISHED', size: HISTORY_SIZE } as const;
  const { data } = await stream.listQueryHistory({ query, signal });
  const withSql = data.filter((entry): entry is RecentQuery => entry.sql !== null);
  return distinct(withSql, ({ sql }) => sql).slice(0, SHOWN_MAX);
}

const nameOf = ({ path }: NamedTable): string => path.join('.');

/** Returns the first tables that statements name. */
function tablesIn(queries: readonly RecentQuery[], dialect: SqlDialect): readonly NamedTable[] {
  const tables = queries.flatMap(({ sql }) => {
    // Behind a space, the last name is not one that is being typed.
    const text = `${sql.replace(/[\s;]+$/, '')} `;
    return completionContext(text, text.length, dialect)?.tables ?? [];
  });
  return distinct(tables, nameOf).slice(0, NAMED_MAX);
}

/** Returns whole names of tables: those of the user's own queries, then those that the most used datamaps read. */
async function readUsedTables(
  client: Client,
  catalog: CatalogReader,
  named: readonly NamedTable[],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const [own, datamaps] = await Promise.all([
    Promise.all(named.map((table) => fullPath(table, catalog, signal))),
    client.api.searchDatamaps({
      body: {
        from: 0,
        size: DATAMAPS_SIZE,
        sort_key: 'curated_info.query_count',
        sort_value: 'desc',
        advance_options: { type: 'DATAMAP' },
      },
      signal,
    }),
  ]);
  const read = datamaps.data.flatMap(({ reads }) => reads ?? []).map(parseTableName);
  const paths = [...own, ...read].filter((path): path is readonly string[] => path?.length === 3);
  return distinct(paths, (path) => path.join('.')).slice(0, SHOWN_MAX);
}

/** Statements for a table: its first rows, and its rows counted by a column of text. */
interface Examples {
  readonly table: string;
  readonly rows: string;
  readonly count: string;
}

/** Returns examples for the first table of which the catalog has columns. Undefined: there is none. */
async function readExamples(
  client: Client,
  catalog: CatalogReader,
  used: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<Examples | undefined> {
  for (const path of used) {
    const found = await readNames(client, path, { size: 1 }, signal).catch(() => undefined);
    if (found !== undefined) return examplesOf(path, found.names);
  }
  const first = await findFirstTable(client, catalog, signal);
  return first && examplesOf(first, (await readNames(client, first, { size: 1 }, signal)).names);
}

/** Returns the first table of the first schema that has one. */
async function findFirstTable(
  client: Client,
  catalog: CatalogReader,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const path: string[] = [];
  while (path.length < 3) {
    // The catalogs are known already. A schema may have 50,000 tables, which the catalog would read whole.
    const names = path.length === 0 ? (await catalog.below([], ''))?.names : undefined;
    const entries = names ?? (await readLevel(client, path, { size: 100 }, signal)).entries;
    const entry = entries.find(({ tableCount = 1 }) => tableCount > 0);
    if (entry === undefined) return undefined;
    path.push(entry.name);
  }
  return path;
}

function examplesOf(
  path: readonly string[],
  columns: readonly { readonly name: string; readonly detail: string | null }[],
): Examples {
  const table = path.map(sqlName).join('.');
  const text = columns.find(({ detail }) => /^(?:var)?char/.test(detail ?? ''));
  const column = text && sqlName(text.name);
  return {
    table: path.at(-1) ?? '',
    rows: `SELECT *\nFROM ${table}\nLIMIT 100`,
    count:
      column === undefined
        ? `SELECT count(*) AS row_count\nFROM ${table}`
        : `SELECT ${column}, count(*) AS row_count\nFROM ${table}\nGROUP BY ${column}\nORDER BY row_count DESC\nLIMIT 100`,
  };
}
