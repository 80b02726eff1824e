import type { Configuration } from '@sluice/contract';
import type { DatamapAccount, DatamapRepository, StoredDatamap } from '@sluice/store/datamaps';

export type ConfiguredDatamap = NonNullable<Configuration['datamaps']>[number];

/** The datamap of an entry; undefined if none exists; or the number of datamaps with its name, if there are several. */
type DatamapFinding = StoredDatamap | undefined | { readonly candidateCount: number };

export const isAmbiguous = (found: DatamapFinding): found is { readonly candidateCount: number } =>
  found !== undefined && 'candidateCount' in found;

/** Datamaps, as they were at the first lookup. */
export interface FindConfiguredDatamaps {
  byName(name: string): Promise<DatamapFinding>;
  byId(id: string): Promise<StoredDatamap | undefined>;
}

/** Resolves the datamaps of a file. All names are resolved in one query, and all datamaps in one query at the first lookup. */
export async function findConfiguredDatamaps(
  datamaps: Pick<DatamapRepository, 'find' | 'findAll' | 'idsByName'>,
  account: DatamapAccount,
  { datamaps: wanted = [], marketplace_items: items = [] }: Configuration,
): Promise<FindConfiguredDatamaps> {
  const names = new Set(wanted.filter(({ id }) => id === undefined).map(({ name }) => name));
  for (const { queries } of items) for (const { datamap } of queries) names.add(datamap);
  const idsByName = names.size === 0 ? new Map<string, readonly string[]>() : await datamaps.idsByName([...names]);
  const ids = [...wanted.flatMap(({ id }) => id ?? []), ...[...idsByName.values()].flat()];
  let found: Promise<ReadonlyMap<string, StoredDatamap>> | undefined;
  const find = async (id: string): Promise<StoredDatamap | undefined> => {
    found ??= datamaps.findAll(account, ids);
    return (await found).get(id.toLowerCase()) ?? (ids.includes(id) ? undefined : await datamaps.find(account, id));
  };

  return {
    async byName(name) {
      const [id, ...others] = idsByName.get(name) ?? [];
      if (others.length > 0) return { candidateCount: others.length + 1 };
      return id === undefined ? undefined : await find(id);
    },
    byId: find,
  };
}
