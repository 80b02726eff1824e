import type { ListState } from '../router/query-parameters.ts';
import type { TableOrder } from '../ui/data-table.tsx';
import type { UserFilter } from './use-admin.ts';

export const USER_STATES = ['active', 'invited', 'disabled'] as const;
const SORT_KEYS = ['email', 'last_login_ts', 'created_ts'] as const;
/** Names of roles that the host accepts. It rejects a request with any other. */
const ROLE = /^[a-z0-9._-]{1,64}$/;

/** Filter and order of the list of users, which are in the address of the page. */
export interface UserView {
  readonly filter: UserFilter;
  readonly order: TableOrder;
  readonly sort: (order: TableOrder) => void;
  readonly show: (filter: { readonly role?: string | undefined; readonly state?: string | undefined }) => void;
}

/** Returns the filter and the order of the list of users. The list begins with the first user in the order of e-mails. */
export function useUserView(state: ListState): UserView {
  const role = state.text('role');
  const userState = USER_STATES.find((each) => each === state.text('state'));
  const key = SORT_KEYS.find((each) => each === state.text('sort')) ?? 'email';
  const isDescending = state.text('order') === 'desc';
  return {
    filter: {
      ...(role !== undefined && ROLE.test(role) ? { role } : {}),
      ...(userState === undefined ? {} : { state: userState }),
      sort_key: key,
      sort_value: isDescending ? 'desc' : 'asc',
    },
    order: { column: key, isDescending },
    sort: (order) =>
      state.search({
        sort: order.column === 'email' ? undefined : order.column,
        order: order.isDescending ? 'desc' : undefined,
      }),
    show: state.search,
  };
}
