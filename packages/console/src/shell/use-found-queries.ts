import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { SEARCH_CHARACTERS_MAX } from '../router/search-address.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { useDebouncedValue } from '../ui/use-debounced-value.ts';

/** Queries that the palette lists. More letters find the others. */
const FOUND_MAX = 10;

interface FoundQuery {
  readonly id: string;
  readonly name: string;
}

const NONE: readonly FoundQuery[] = [];

/** Returns the user's saved queries whose names have the typed text. None without a text, and none if the host cannot tell. */
export function useFoundQueries(text: string): readonly FoundQuery[] {
  const client = useClient();
  const { permissions } = useCurrentUser();
  const q = useDebouncedValue(text.trim().slice(0, SEARCH_CHARACTERS_MAX));
  const isEnabled = q !== '' && permissions.includes('query:run');
  const { data = NONE } = useQuery({
    queryKey: QUERY_KEYS.foundQueries(q),
    queryFn: async ({ signal }) => {
      const body = { q, size: FOUND_MAX, advance_options: { own_drafts: true } } as const;
      const { data: found } = await client.api.searchDatamaps({ body, signal });
      return found.map(({ id, datamap }): FoundQuery => ({ id, name: datamap.display_name }));
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return isEnabled ? data : NONE;
}
