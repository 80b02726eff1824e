import type { ApiOperationTypes } from '@sluice/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';

export type Grant = ApiOperationTypes['listGrants']['result']['data'][number];
/** Kind of the account or role that has a grant. */
export type GranteeKind = Grant['kind'];
export const GRANTEE_KINDS = ['user', 'role', 'client'] as const satisfies readonly GranteeKind[];

/** Grants of one page. */
export const GRANT_PAGE_SIZE = 50;

/** Filter of the listed grants. */
interface GrantSearch {
  /** `item` filters by the id of an item, the others by who has the grant. */
  readonly by: GranteeKind | 'item';
  readonly name: string;
  readonly from: number;
}

/** Returns a page of the grants that match a search, sorted by item. */
export function useGrants({ by, name, from }: GrantSearch) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.adminList('grants', { by, name, from }),
    queryFn: ({ signal }) =>
      client.api.listGrants({ query: { ...(name === '' ? {} : { [by]: name }), from, size: GRANT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Grants of a role that are named. The others are counted. */
const ROLE_GRANTS_MAX = 10;

/** Returns the titles of the items that a role may download, and how many there are. Undefined: they are not read, or not needed. */
export function useGrantsOfRole(
  role: string,
  isNeeded: boolean,
): { readonly titles: readonly string[]; readonly total: number } | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.adminList('role-grants', { role }),
    queryFn: async ({ signal }) => {
      const { data: grants, total } = await client.api.listGrants({
        query: { role, expired: false, size: ROLE_GRANTS_MAX },
        signal,
      });
      return { titles: grants.map(({ item_title: title }) => title), total };
    },
    enabled: isNeeded,
    staleTime: 0,
  });
  return data;
}
