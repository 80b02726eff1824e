import type { Configuration } from '@sluice/contract';
import type { DatamapActor, DatamapWrites, StoredDatamap } from '@sluice/store/datamaps';

export type ConfiguredDatamap = NonNullable<Configuration['datamaps']>[number];

/** The one that is meant, none, or how many there could be. */
export type DatamapFinding = StoredDatamap | undefined | { readonly candidateCount: number };

export const isAmbiguous = (found: DatamapFinding): found is { readonly candidateCount: number } =>
  found !== undefined && 'candidateCount' in found;

/** Datamaps as they were when the first of them was asked for. */
export interface FindConfiguredDatamaps {
  byName(name: string): Promise<DatamapFinding>;
  byId(id: string): Promise<StoredDatamap | undefined>;
}

/** All names that a file may mean datamaps by are looked up at once, and so are the datamaps, once one is wanted. */
export async function findConfiguredDatamaps(
  datamaps: DatamapWrites,
  actor: DatamapActor,
  { datamaps: wanted = [], marketplace_items: items = [] }: Configuration,
): Promise<FindConfiguredDatamaps> {
  const names = new Set(wanted.filter(({ id }) => id === undefined).map(({ name }) => name));
  for (const { queries } of items) for (const { datamap } of queries) names.add(datamap);
  const idsByName =
    names.size === 0 ? new Map<string, readonly string[]>() : await datamaps.idsByName(actor.tenantId, [...names]);
  const ids = [...wanted.flatMap(({ id }) => id ?? []), ...[...idsByName.values()].flat()];
  let found: Promise<ReadonlyMap<string, StoredDatamap>> | undefined;
  const find = async (id: string): Promise<StoredDatamap | undefined> => {
    found ??= datamaps.findAll(actor, ids);
    return (await found).get(id.toLowerCase()) ?? (ids.includes(id) ? undefined : await datamaps.find(actor, id));
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
