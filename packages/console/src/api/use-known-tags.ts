import { useQuery } from '@tanstack/react-query';
import { useCurrentUser } from '../session/session-context.tsx';
import { QUERY_KEYS } from './query-keys.ts';
import { useClient } from './use-client.ts';

const TAGS_MAX = 1000;
const NO_TAGS: readonly string[] = [];

/** Returns the tags in use, most frequent first. Empty: they are not read, or the user may not. */
export function useKnownTags(): readonly string[] {
  const client = useClient();
  const { permissions } = useCurrentUser();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.tags,
    queryFn: async ({ signal }) => {
      const { data: tags } = await client.api.listTags({ query: { size: TAGS_MAX }, signal });
      return tags.map(({ tag }) => tag);
    },
    enabled: permissions.includes('datamap:read'),
  });
  return data ?? NO_TAGS;
}
