import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useClient } from './use-client.ts';

const DOMAINS_MAX = 1000;

/** Returns a function from the id of a domain to its name. Until the names are read, and for one that is not found, it is the id. */
export function useDomainNames(): (id: string) => string {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['domains'],
    queryFn: async ({ signal }) => {
      const page = await client.api.listDomains({ query: { size: DOMAINS_MAX }, signal });
      return new Map(page.data.map(({ id, name }) => [id, name]));
    },
  });
  return useCallback((id) => data?.get(id) ?? id, [data]);
}
