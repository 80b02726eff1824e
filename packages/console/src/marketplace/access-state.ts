import type { StreamOperationTypes } from '@sluice/client';

export type MarketItem = StreamOperationTypes['updateMarketplaceItem']['result'];
/** An item with what a list does not have. */
export type MarketItemDetails = StreamOperationTypes['getMarketplaceItem']['result'];
export type AccessRequest = StreamOperationTypes['listMarketplaceAccess']['result']['data'][number];

/** The access of a user to an item, as the page shows it. */
export type AccessState =
  | { readonly kind: 'owner' }
  /** `untilTs` is null for access without an end. */
  | { readonly kind: 'granted'; readonly untilTs: number | null }
  | { readonly kind: 'requested'; readonly request: AccessRequest }
  | { readonly kind: 'refused'; readonly request: AccessRequest }
  /** Access was approved and is over: it expired, or the owner has taken it back. */
  | { readonly kind: 'ended'; readonly request: AccessRequest; readonly isExpired: boolean }
  | { readonly kind: 'none' };

type AccessFacts = Pick<MarketItem, 'is_granted' | 'access_expires_ts' | 'owner'>;

/**
 * Returns the access of a user.
 * @param requests - the user's own requests for the item, in any order
 * @param nowMs - time at which the state holds: a grant ends by itself
 */
export function accessState(
  item: AccessFacts,
  requests: readonly AccessRequest[],
  user: string,
  nowMs: number,
): AccessState {
  if (item.is_granted && item.owner === user) return { kind: 'owner' };
  const untilTs = item.access_expires_ts;
  if (item.is_granted && (untilTs === null || untilTs > nowMs)) return { kind: 'granted', untilTs };
  const pending = requests.find(({ state }) => state === 'PENDING');
  if (pending !== undefined) return { kind: 'requested', request: pending };
  const [latest] = requests.toSorted((a, b) => (b.decided_ts ?? 0) - (a.decided_ts ?? 0));
  if (latest === undefined) return { kind: 'none' };
  if (latest.state === 'REFUSED') return { kind: 'refused', request: latest };
  return { kind: 'ended', request: latest, isExpired: latest.expires_ts !== null && latest.expires_ts <= nowMs };
}

/** Returns what a request means for the access of its user, in the words of the item: an approval holds until its end. */
export function accessOfRequest(
  { state, expires_ts: expires }: Pick<AccessRequest, 'state' | 'expires_ts'>,
  nowMs: number,
): 'requested' | 'granted' | 'ended' | 'refused' {
  if (state === 'PENDING') return 'requested';
  if (state === 'REFUSED') return 'refused';
  return expires !== null && expires <= nowMs ? 'ended' : 'granted';
}

/** Checks whether a user may ask for access. */
export const mayRequest = ({ kind }: AccessState): boolean => kind === 'none' || kind === 'refused' || kind === 'ended';
