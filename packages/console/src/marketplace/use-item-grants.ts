import type { Client } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/use-client.ts';
import { readVersioned, type Versioned } from '../api/versioned.ts';
import type { ItemGrant } from './grant-edits.ts';

/** Returns the key of the cached grants of an item. */
export const itemGrantsKey = (id: string): readonly string[] => ['item-grants', id];

/** Reads the grants of an item with their entity tag. */
export const readGrants = (
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<Versioned<readonly ItemGrant[]>> =>
  readVersioned(async (options) => {
    const { grants } = await client.stream.getMarketplaceGrants({
      params: { id },
      ...(signal && { signal }),
      ...options,
    });
    return grants;
  });

/** Returns the grants of an item, for its owner and admins. */
export function useItemGrants(id: string, isEnabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: itemGrantsKey(id),
    queryFn: ({ signal }) => readGrants(client, id, signal),
    enabled: isEnabled,
    staleTime: 0,
  });
}
