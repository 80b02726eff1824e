import { useEffect, useState } from 'react';
import { QUERY_KEYS, useInvalidate } from '../api/query-keys.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { type AccessState, accessState, type MarketItem } from './access-state.ts';
import { useItemRequests } from './use-market.ts';

/** Longest delay of a timer of the browser, in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The access of the user to an item, or that it is not known (yet). */
export interface KnownAccess {
  readonly state: AccessState | undefined;
  /** Error of the failed request, which leaves the access unknown. */
  readonly error: unknown;
  /** Own requests that wait for the user's decision, for owners. */
  readonly openRequests: number;
}

/**
 * Returns the access of the user to an item. It ends by itself at the end of a grant, and is not known after a failed request: old
 * facts must not promise access.
 * @param item - undefined while it is not known
 */
export function useAccess(id: string, item: MarketItem | undefined): KnownAccess {
  const { user } = useCurrentUser();
  const requests = useItemRequests(id, item !== undefined);
  const nowMs = useTimeAfter(item?.access_expires_ts ?? undefined);
  // The page says itself why it does not know the item.
  const error = item === undefined ? undefined : (requests.error ?? undefined);
  if (item === undefined || requests.error !== null || requests.data === undefined)
    return { state: undefined, error, openRequests: 0 };
  const own = requests.data.filter((each) => each.user === user);
  const openRequests = requests.data.filter((each) => each.state === 'PENDING' && each.user !== user).length;
  return { state: accessState(item, own, user, nowMs), error: undefined, openRequests };
}

/** Returns the time, and renders again when a time has passed; what depends on it is then read again. */
function useTimeAfter(untilTs: number | undefined): number {
  const invalidate = useInvalidate(QUERY_KEYS.market);
  const [, setPassed] = useState(0);
  useEffect(() => {
    const leftMs = untilTs === undefined ? TIMER_MAX_MS : untilTs - Date.now();
    if (leftMs <= 0 || leftMs >= TIMER_MAX_MS) return;
    const timer = setTimeout(() => {
      setPassed((count) => count + 1);
      invalidate();
    }, leftMs);
    return () => clearTimeout(timer);
  }, [untilTs, invalidate]);
  return Date.now();
}
