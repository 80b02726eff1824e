import type { ApiOperationTypes, Client } from '@sluice/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import type { RoleHolder, RolePermissions } from './permissions.ts';

export type AdminUser = ApiOperationTypes['listUsers']['result']['data'][number];
export type ServiceAccount = ApiOperationTypes['listServiceAccounts']['result']['data'][number];
export type AdminRole = ApiOperationTypes['listRoles']['result']['data'][number];

/** Filter and order of the list of users, as the host takes them. */
export type UserFilter = Pick<
  NonNullable<ApiOperationTypes['listUsers']['query']>,
  'state' | 'sort_key' | 'sort_value'
> & { readonly role?: string };

/** Users or service accounts of one page. */
export const ACCOUNT_PAGE_SIZE = 50;
/** Accounts that are read to say whom a change concerns. */
const HOLDERS_MAX = 1000;

interface AccountSearch {
  readonly searchText: string;
  readonly from: number;
}

const pageQuery = ({ searchText, from }: AccountSearch) => ({
  ...(searchText === '' ? {} : { q: searchText }),
  from,
  size: ACCOUNT_PAGE_SIZE,
});

/** Returns a page of the users whose e-mail has these words, with a filter and an order. */
export function useUsers(search: AccountSearch, filter: UserFilter) {
  const client = useClient();
  const query = { ...pageQuery(search), ...filter };
  return useQuery({
    queryKey: QUERY_KEYS.adminList('users', query),
    queryFn: ({ signal }) => client.api.listUsers({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Returns a page of the service accounts whose client id has these words, and that got no token for some days. */
export function useServiceAccounts(search: AccountSearch, unusedDays: number | undefined) {
  const client = useClient();
  const query = { ...pageQuery(search), ...(unusedDays === undefined ? {} : { unused_days: unusedDays }) };
  return useQuery({
    queryKey: QUERY_KEYS.adminList('service-accounts', query),
    queryFn: ({ signal }) => client.api.listServiceAccounts({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Returns all roles. */
export function useRoles() {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.adminList('roles'),
    queryFn: async ({ signal }) => (await client.api.listRoles({ signal })).data,
    staleTime: 0,
  });
}

/** Returns the permissions of each role. */
export const rolePermissions = (roles: readonly AdminRole[]): RolePermissions =>
  new Map(roles.map(({ name, permissions }) => [name, permissions]));

/** Reads the accounts with a role. Undefined: there are too many. */
async function readHolders(
  client: Pick<Client, 'api'>,
  role: string,
  signal: AbortSignal,
): Promise<readonly RoleHolder[] | undefined> {
  const query = { role, size: HOLDERS_MAX };
  const [users, accounts] = await Promise.all([
    client.api.listUsers({ query, signal }),
    client.api.listServiceAccounts({ query, signal }),
  ]);
  if (users.total > HOLDERS_MAX || accounts.total > HOLDERS_MAX) return undefined;
  return [
    ...users.data.map(({ email: name, roles }) => ({ name, roles })),
    ...accounts.data.map(({ client_id: name, roles }) => ({ name, roles })),
  ];
}

/** Returns the accounts with any of these roles. Null: there are too many to read. Undefined: they are not read yet. */
export function useHolders(roles: readonly string[]): readonly RoleHolder[] | null | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.roleHolders(roles),
    queryFn: async ({ signal }) => {
      const found: RoleHolder[] = [];
      for (const role of roles) {
        const holders = await readHolders(client, role, signal);
        if (holders === undefined) return null;
        found.push(...holders);
      }
      return [...new Map(found.map((holder) => [holder.name, holder])).values()];
    },
    staleTime: 0,
  });
  return data;
}
