/** Queries whose names begin with the same folders. */
interface SavedQueryFolder<Query> {
  /** Names with `/` between; empty for queries without a folder. */
  readonly folder: string;
  readonly queries: readonly Query[];
}

const RESERVED: readonly string[] = ['', '.', '..'];

/** Whether a name can be saved: every folder in it, and the query, has a name of its own. */
export const isQueryName = (name: string): boolean => name.split('/').every((part) => !RESERVED.includes(part.trim()));

/** Returns the part of a name after its folders. */
export const nameInFolder = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/** Returns queries by folder, both in the order of the language; those without a folder come first. */
export function groupByFolder<Query extends { readonly name: string }>(
  queries: readonly Query[],
  compare: (one: string, other: string) => number,
): readonly SavedQueryFolder<Query>[] {
  const folders = new Map<string, Query[]>();
  for (const query of queries) {
    const folder = folderOf(query.name);
    folders.set(folder, [...(folders.get(folder) ?? []), query]);
  }
  return [...folders]
    .sort(([one], [other]) => compare(one, other))
    .map(([folder, inIt]) => ({ folder, queries: inIt.sort((one, other) => compare(one.name, other.name)) }));
}
