import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/use-client.ts';

/** Items that are listed. The host counts the others. */
const LISTED_MAX = 50;

/** Returns the marketplace items that cannot be downloaded while a datamap is not published. */
export function useDependentItems(datamapId: string, isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['dependent-items', datamapId],
    queryFn: ({ signal }) => client.stream.listMarketplace({ query: { datamap: datamapId, size: LISTED_MAX }, signal }),
    enabled: isEnabled,
    // What was true before another change must not be shown as what this one breaks.
    gcTime: 0,
    staleTime: 0,
  });
}
