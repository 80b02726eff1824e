import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useIsPresent } from '../session/use-is-present.ts';

/** Interval of reading the counts. Unlike other reads of requests, it leaves no audit records. */
const COUNTS_EVERY_MS = 20_000;

/** Returns how many requests each list has. The counts follow what others request and decide, while the page is visible and used. */
export function useRequestCounts() {
  const client = useClient();
  const isPresent = useIsPresent();
  return useQuery({
    queryKey: QUERY_KEYS.requestCounts,
    queryFn: ({ signal }) => client.stream.countAccessRequests({ signal }),
    staleTime: COUNTS_EVERY_MS,
    refetchInterval: isPresent ? COUNTS_EVERY_MS : false,
    refetchOnWindowFocus: true,
  });
}
