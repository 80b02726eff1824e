import type { Connection } from '../context.ts';
import { CommandError } from '../errors.ts';

type Client = Connection['client'];
/** Entry of the caller's history. */
export type HistoryEntry = ReturnType<Client['history']> extends AsyncGenerator<infer Each> ? Each : never;

const WHOLE_ID_CHARACTERS = 36;
/** Characters of an id in tables: enough to tell the queries of one user apart. Commands take them instead of the whole id. */
export const SHORT_ID_CHARACTERS = 8;
/** Queries of the history among which one is looked for, newest first. */
export const SEARCHED_MAX = 10_000;

/**
 * Finds a query in the history by the beginning of its id. Undefined: it is not among the last 10,000.
 * @throws CommandError if several begin with it
 */
export async function findEntry(
  { signal }: { readonly signal: AbortSignal },
  client: Client,
  id: string,
): Promise<HistoryEntry | undefined> {
  let [found, searched]: [HistoryEntry | undefined, number] = [undefined, 0];
  for await (const entry of client.history({ size: 1000, signal })) {
    if (entry.query_id.startsWith(id)) {
      if (found !== undefined)
        throw new CommandError(`Several of your queries begin with ${id}: ${found.query_id} and ${entry.query_id}.`);
      found = entry;
      if (id.length === WHOLE_ID_CHARACTERS) break;
    }
    searched += 1;
    if (searched === SEARCHED_MAX) break;
  }
  return found;
}

/** Returns the statement of an entry, or what it downloaded instead of one. */
export const statementOf = ({ sql, item_id, datamap_id }: HistoryEntry): string =>
  sql ?? (item_id === null ? `datamap ${datamap_id}` : `item ${item_id}`);
