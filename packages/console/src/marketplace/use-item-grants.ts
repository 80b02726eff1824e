import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/use-client.ts';

/** Returns the key of the cached grants of an item. */
export const itemGrantsKey = (id: string): readonly string[] => ['item-grants', id];

/** Returns the grants of an item, for its owner and admins. */
export function useItemGrants(id: string, isEnabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: itemGrantsKey(id),
    queryFn: async ({ signal }) => (await client.stream.getMarketplaceGrants({ params: { id }, signal })).grants,
    enabled: isEnabled,
    staleTime: 0,
  });
}
