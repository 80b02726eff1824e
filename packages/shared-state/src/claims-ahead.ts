import type { Claim } from './places.ts';

type Ranked = Pick<Claim, 'id' | 'accountId' | 'sinceMs'>;

const bySince = (one: Ranked, other: Ranked): number => one.sinceMs - other.sinceMs;

/**
 * How many of the bids should have a place before the claim: each bid counts as if the earlier ones of its account ran already,
 * fewer running goes first, then the longer wait. The same rule stands in the script of the Redis places.
 */
export function claimsAhead(claim: Ranked, bids: readonly Ranked[], runningOf: (accountId: string) => number): number {
  const sorted = bids.filter(({ id }) => id !== claim.id).sort(bySince);
  const earlierOwn = sorted.filter((bid) => bid.accountId === claim.accountId && bid.sinceMs < claim.sinceMs).length;
  const own = runningOf(claim.accountId) + earlierOwn;
  const seen = new Map<string, number>();
  let ahead = 0;
  for (const bid of sorted) {
    const before = seen.get(bid.accountId) ?? 0;
    seen.set(bid.accountId, before + 1);
    const running = runningOf(bid.accountId) + before;
    if (running < own || (running === own && bid.sinceMs < claim.sinceMs)) ahead += 1;
  }
  return ahead;
}
