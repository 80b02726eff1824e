import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';

const OPEN_REQUESTS_STALE_MS = 60_000;

/** Returns how many requests wait for the decision of the user, or undefined while that is not known. */
export function useOpenRequestCount(): number | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.requestCount,
    queryFn: async ({ signal }) =>
      (await client.stream.listAccessRequests({ query: { scope: 'inbox', state: 'PENDING', size: 1 }, signal })).total,
    staleTime: OPEN_REQUESTS_STALE_MS,
    refetchOnWindowFocus: true,
  });
  return data;
}
