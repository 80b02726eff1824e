import { completionContext } from '@sluice/contract/sql';
import type { Connection } from '../context.ts';
import { qualifiedName, quotedName } from '../names/qualified-name.ts';
import { readLevel } from '../names/read-level.ts';
import { completeSql } from '../shell/complete-sql.ts';
import type { Candidate, ReadNames } from './complete.ts';

/** More names do not help a person to choose. */
const NAMES_MAX = 200;
/** Queries of the history among which kept results are looked for. */
const SEARCHED_MAX = 1000;
/** A name leads to others: a statement to its tables, and these to their columns. */
const ROUNDS_MAX = 3;

/**
 * Completes a statement that is an argument of a command. Only the levels of the catalog are read that it names.
 * @param statement - its beginning, up to the cursor
 */
async function completeStatement(
  connect: () => Promise<Connection>,
  statement: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const levels = new Map<string, readonly string[]>();
  for (let round = 1; ; round += 1) {
    const wanted: (readonly [key: string, path: readonly string[], prefix: string])[] = [];
    const below = (path: readonly string[], prefix: string): readonly string[] => {
      const key = JSON.stringify([path, prefix]);
      if (!levels.has(key)) wanted.push([key, path, prefix]);
      return levels.get(key) ?? [];
    };
    const [words, begun] = completeSql({ below, tables: () => [] }, '', statement);
    if (wanted.length === 0 || round > ROUNDS_MAX) {
      const before = statement.slice(0, statement.length - begun.length);
      return words.map((word) => ({ word: `${before}${word}`, shown: word, isOpen: true }));
    }
    const { client } = await connect().catch(() => ({ client: undefined }));
    await Promise.all(
      wanted.map(async ([key, path, prefix]) => {
        const names =
          client === undefined ? [] : await readLevel(client, path, { prefix, max: NAMES_MAX, signal }).catch(() => []);
        levels.set(
          key,
          names.map(({ name }) => name),
        );
      }),
    );
  }
}

/** Completes `catalog.schema.table` level by level. A word that ends with a dot goes on. */
async function catalogNames(
  { client }: Connection,
  levels: number,
  begun: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const context = completionContext(begun, begun.length, 'duckdb');
  if (context === undefined || context.pathFrom !== 0 || context.qualifier.length >= levels) return [];
  const { qualifier, prefix, from, isQuoted } = context;
  const found = await readLevel(client, qualifier, { prefix, max: NAMES_MAX, signal });
  const isOpen = qualifier.length + 1 < levels;
  return found.map((entry) => {
    const written = isQuoted ? quotedName(entry.name) : qualifiedName([entry.name]);
    return {
      word: `${begun.slice(0, from)}${written}${isOpen ? '.' : ''}`,
      does: entry.description ?? undefined,
      isOpen,
    };
  });
}

/**
 * Creates the function that reads names for completion from the hosts.
 * @param profiles - returns the names of the profiles
 */
export function createReadNames(
  connect: () => Promise<Connection>,
  profiles: () => Promise<readonly string[]>,
  signal: AbortSignal,
): ReadNames {
  const readers: Readonly<Record<Parameters<ReadNames>[0], (begun: string) => Promise<readonly Candidate[]>>> = {
    profile: async () => (await profiles()).map((word) => ({ word })),
    schema: async (begun) => await catalogNames(await connect(), 2, begun, signal),
    table: async (begun) => await catalogNames(await connect(), 3, begun, signal),
    sql: async (begun) => await completeStatement(connect, begun, signal),
    datamap: async () => {
      const { client } = await connect();
      const { data } = await client.api.searchDatamaps({ body: { size: NAMES_MAX }, signal });
      return data.map(({ id, datamap }) => ({ word: id, does: datamap.display_name }));
    },
    item: async () => {
      const { client } = await connect();
      const { data } = await client.stream.listMarketplace({ query: { size: NAMES_MAX }, signal });
      return data.map(({ id, title }) => ({ word: id, does: title }));
    },
    query: async () => {
      const { client } = await connect();
      const { data } = await client.stream.listQueryHistory({ query: { size: NAMES_MAX }, signal });
      return data.map((entry) => ({ word: entry.query_id, does: entry.sql ?? entry.kind }));
    },
    result: async () => {
      const { client } = await connect();
      const query = { state: 'FINISHED', size: SEARCHED_MAX } as const;
      const { data } = await client.stream.listQueryHistory({ query, signal });
      const kept = data.filter(({ kept_until: until }) => until !== null && until > Date.now());
      return kept.map((entry) => ({ word: entry.query_id, does: entry.sql ?? entry.kind }));
    },
  };
  const isId = (source: Parameters<ReadNames>[0]): boolean => !['schema', 'table', 'sql'].includes(source);
  return async (source, begun) => {
    const found = await readers[source](begun);
    return isId(source) ? found.filter(({ word }) => word.startsWith(begun)) : found;
  };
}
