import { completionContext } from '@sluice/contract/sql';
import type { Connection } from '../context.ts';
import { qualifiedName, quotedName } from '../names/qualified-name.ts';
import { readLevel } from '../names/read-level.ts';
import type { Candidate, ReadNames } from './complete.ts';
import { completeStatement } from './complete-statement.ts';

/** More names do not help a person to choose. */
const NAMES_MAX = 200;

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
  };
  const isId = (source: Parameters<ReadNames>[0]): boolean => !['schema', 'table', 'sql'].includes(source);
  return async (source, begun) => {
    const found = await readers[source](begun);
    return isId(source) ? found.filter(({ word }) => word.startsWith(begun)) : found;
  };
}
