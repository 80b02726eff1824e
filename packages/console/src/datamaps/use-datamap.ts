import type { ApiOperationTypes, FoundDatamap } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/use-client.ts';
import { readVersioned, type Versioned } from '../api/versioned.ts';

type Activity = ApiOperationTypes['setDatamapActivity']['body'];
const keyOf = (id: string) => ['datamap', id];

/** Reads a datamap, which counts as a view of the user. */
export function useDatamap(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getDatamap({ params: { id }, signal, ...options })),
  });
}

/** Changes the user's own favourite and rating of a datamap. The page shows what the host has stored. */
export function useDatamapActivity(id: string, onError: (error: unknown) => void) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Activity) => client.api.setDatamapActivity({ params: { id }, body }),
    onSuccess: (record: FoundDatamap) => {
      // Activity is not a change of the datamap, so its tag stays.
      queries.setQueryData(
        keyOf(id),
        (before: Versioned<FoundDatamap> | undefined) => before && { ...before, value: record },
      );
      return queries.invalidateQueries({ queryKey: ['search', 'datamap'] });
    },
    onError,
  });
}
