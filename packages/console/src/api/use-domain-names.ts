import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useCurrentUser } from '../session/session-context.tsx';
import { QUERY_KEYS } from './query-keys.ts';
import { useClient } from './use-client.ts';

const DOMAINS_MAX = 1000;

/** Name of a domain. Until the names are read, for a user who may not read them, and for one that is not found, it is the id. */
export type NameOfDomain = (id: string) => string;

/** Returns the names of all domains by their ids. Undefined: they are not read, or the user may not. */
export function useDomains(): ReadonlyMap<string, string> | undefined {
  const client = useClient();
  const { permissions } = useCurrentUser();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.domains,
    queryFn: async ({ signal }) => {
      const page = await client.api.listDomains({ query: { size: DOMAINS_MAX }, signal });
      return new Map(page.data.map(({ id, name }) => [id, name]));
    },
    enabled: permissions.includes('datamap:read'),
  });
  return data;
}

/** Returns the function from the id of a domain to its name. */
export function useDomainNames(): NameOfDomain {
  const names = useDomains();
  return useCallback((id) => names?.get(id) ?? id, [names]);
}
