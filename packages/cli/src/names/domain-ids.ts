import type { Client } from '@sluice/client';
import { CommandError } from '../errors.ts';

/** Domains of one request. */
const PAGE_SIZE = 1000;

/** Reads the ids of all domains by their names in lower case. */
async function readDomains(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; ; from += PAGE_SIZE) {
    const { data, total } = await client.api.listDomains({ query: { from, size: PAGE_SIZE }, signal });
    for (const { id, name } of data) found.set(name.toLowerCase(), id);
    if (from + PAGE_SIZE >= total) return found;
  }
}

/**
 * Returns the ids of domains, each given by name in any case, or by its id.
 * @throws CommandError that names those that do not exist
 */
export async function domainIds(client: Client, names: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (names.length === 0) return [];
  const domains = await readDomains(client, signal);
  const known = new Set(domains.values());
  const idOf = (name: string): string | undefined =>
    domains.get(name.toLowerCase()) ?? (known.has(name) ? name : undefined);
  const unknown = names.filter((name) => idOf(name) === undefined);
  if (unknown.length > 0)
    throw new CommandError(`There is no domain ${unknown.join(', ')}. \`sluice api GET /domains\` lists all.`);
  return [...new Set(names.flatMap((name) => idOf(name) ?? []))];
}
