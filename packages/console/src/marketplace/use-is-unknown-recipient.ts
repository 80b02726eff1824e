import { useQuery } from '@tanstack/react-query';
import { violationsIn } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useDebouncedValue } from '../ui/use-debounced-value.ts';
import type { ItemGrant } from './grant-edits.ts';

/**
 * Returns whether the host knows no account or role of this name. It is asked when the user stops typing, by a dry run, which changes and
 * records nothing. False while that is not known.
 */
export function useIsUnknownRecipient(itemId: string, kind: ItemGrant['kind'], text: string): boolean {
  const client = useClient();
  const name = text.trim();
  const settled = useDebouncedValue(name);
  const { data = false } = useQuery({
    queryKey: QUERY_KEYS.unknownRecipient(itemId, kind, settled),
    queryFn: async ({ signal }) => {
      try {
        await client.stream.putMarketplaceGrants({
          params: { id: itemId },
          query: { dry_run: true },
          body: { grants: [{ kind, name: settled }] },
          signal,
        });
        return false;
      } catch (error) {
        if (violationsIn(error).some(({ path }) => path.startsWith('grants'))) return true;
        throw error;
      }
    },
    enabled: settled !== '',
    staleTime: 0,
  });
  return data && settled === name;
}
