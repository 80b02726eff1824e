import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCurrentUser } from '../session/session-context.tsx';
import { QUERY_KEYS } from './query-keys.ts';
import { useClient } from './use-client.ts';

/** Names that a field offers. */
const SUGGESTIONS_MAX = 20;

/** Names that contain the words. */
interface FoundNames {
  readonly names: readonly string[];
  /** Whether no name equals the words. False while that is not known. */
  readonly isUnknown: boolean;
}

/** Returns names of users, roles, service accounts or items that contain the words. Only administrators may list the first three. */
export function useNames(of: 'user' | 'role' | 'client' | 'item', searchText: string): FoundNames {
  const client = useClient();
  const { permissions } = useCurrentUser();
  const {
    data: names = [],
    isSuccess,
    isPlaceholderData,
  } = useQuery({
    queryKey: QUERY_KEYS.adminList('suggestions', { of, searchText }),
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const query = { size: SUGGESTIONS_MAX, ...(searchText === '' ? {} : { q: searchText }) };
      if (of === 'user') return (await client.api.listUsers({ query, signal })).data.map(({ email }) => email);
      if (of === 'client')
        return (await client.api.listServiceAccounts({ query, signal })).data.map(({ client_id: id }) => id);
      if (of === 'role') return (await client.api.listRoles({ signal })).data.map(({ name }) => name);
      return (await client.stream.listMarketplace({ query, signal })).data.map(({ id }) => id);
    },
    enabled: of === 'item' || permissions.includes('admin'),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const isAmong = names.some((name) => name.toLowerCase() === searchText.toLowerCase());
  // A page of roles has all of them; of the others it may lack the one that is meant.
  const hasAll = of === 'role' || names.length < SUGGESTIONS_MAX;
  return { names, isUnknown: searchText !== '' && isSuccess && !isPlaceholderData && hasAll && !isAmong };
}
