import type { Connection } from '../context.ts';
import { qualifiedName } from '../names/qualified-name.ts';
import type { Candidate, ReadNames } from './complete.ts';

/** More names do not help a person to choose. */
const NAMES_MAX = 200;

async function firstOf<Entry>(entries: AsyncIterable<Entry>): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) if (found.push(entry) >= NAMES_MAX) break;
  return found;
}

/** Shells split words at quotes, so names that need quotes are left out. */
const isPlain = (name: string): boolean => qualifiedName([name]) === name;

/** Completes a name level by level. A word that ends with a dot goes on. */
async function catalogNames(
  { client }: Connection,
  isTable: boolean,
  begun: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const parts = begun.split('.');
  const [catalog = '', schema = ''] = parts;
  const filters = { prefix: parts.at(-1) ?? '', size: NAMES_MAX, signal };
  const plain = <Entry extends { readonly name: string }>(entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ name }) => isPlain(name));
  if (parts.length === 1)
    return plain(await firstOf(client.catalog.catalogs(filters))).map(({ name }) => ({ word: `${name}.` }));
  if (parts.length === 2)
    return plain(await firstOf(client.catalog.schemas(catalog, filters))).map(({ name }) => ({
      word: `${catalog}.${name}${isTable ? '.' : ''}`,
    }));
  if (!isTable || parts.length > 3) return [];
  return plain(await firstOf(client.catalog.tables(catalog, schema, filters))).map(({ name, description }) => ({
    word: `${catalog}.${schema}.${name}`,
    does: description ?? undefined,
  }));
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
    schema: async (begun) => await catalogNames(await connect(), false, begun, signal),
    table: async (begun) => await catalogNames(await connect(), true, begun, signal),
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
  return async (source, begun) => await readers[source](begun);
}
