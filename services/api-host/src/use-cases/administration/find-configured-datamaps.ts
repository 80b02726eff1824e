import type { Configuration } from '@sluice/contract';
import type { DatamapActor, DatamapWrites, StoredDatamap } from '@sluice/store';

export type ConfiguredDatamap = NonNullable<Configuration['datamaps']>[number];

/** The one that is meant, none, or how many there could be. */
export type DatamapFinding = StoredDatamap | undefined | { readonly candidateCount: number };

export const isAmbiguous = (found: DatamapFinding): found is { readonly candidateCount: number } =>
  found !== undefined && 'candidateCount' in found;

export interface FindConfiguredDatamaps {
  byName(name: string): Promise<DatamapFinding>;
  byId(id: string): Promise<StoredDatamap | undefined>;
}

/** All names that a file may mean datamaps by are looked up at once: there is no index of names. */
export async function findConfiguredDatamaps(
  datamaps: DatamapWrites,
  actor: DatamapActor,
  { datamaps: wanted = [], marketplace_items: items = [] }: Configuration,
): Promise<FindConfiguredDatamaps> {
  const names = new Set(wanted.filter(({ id }) => id === undefined).map(({ name }) => name));
  for (const { queries } of items) for (const { datamap } of queries) names.add(datamap);
  const ids = names.size === 0 ? new Map() : await datamaps.idsByName(actor.tenantId, [...names]);
  return {
    async byName(name) {
      const [id, ...others] = ids.get(name) ?? [];
      if (others.length > 0) return { candidateCount: others.length + 1 };
      return id === undefined ? undefined : await datamaps.find(actor, id);
    },
    byId: (id) => datamaps.find(actor, id),
  };
}
