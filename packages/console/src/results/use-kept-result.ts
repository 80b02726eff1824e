import type { StreamOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';

/** Facts about a kept result. */
export type KeptResult = StreamOperationTypes['getResult']['result'];

/** Reads the facts about a kept result. */
export function useKeptResult(queryId: string) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.keptResult(queryId),
    queryFn: ({ signal }) => client.stream.getResult({ params: { id: queryId }, signal }),
    staleTime: 0,
    // The rights are checked at each view.
    gcTime: 0,
  });
}
