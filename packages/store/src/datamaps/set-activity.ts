import { randomUUID } from 'node:crypto';
import type { UserActivity } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { ADD_TO_COUNTERS, LOCK_ACTIVITY, LOCK_COUNTERS, PUT_ACTIVITY } from './datamap-statements.ts';

type Activity = Pick<UserActivity, 'is_favourite' | 'rating' | 'vote'>;

const NONE: Activity = { is_favourite: null, rating: null, vote: null };

interface ActivityKey {
  readonly tenantId: string;
  readonly factId: string;
  readonly accountId: string;
}

const asNumber = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** Returns what an activity adds to the counters of its datamap. */
const counterWeights = ({ is_favourite, rating, vote }: Activity): readonly number[] => [
  asNumber(is_favourite === true),
  asNumber(rating !== null),
  rating ?? 0,
  asNumber(vote === 'UP'),
  asNumber(vote === 'DOWN'),
];

/**
 * Sets a user's favourite, rating and vote, and updates the counters. The row of the counters is locked first: of two concurrent requests
 * of one user, the second must see what the first one set.
 */
export async function setActivity(
  transaction: Transaction,
  { tenantId, factId, accountId }: ActivityKey,
  changes: Partial<Activity>,
): Promise<void> {
  await transaction.query(LOCK_COUNTERS, [tenantId, factId]);
  const [stored = NONE] = await transaction.query<Activity>(LOCK_ACTIVITY, [tenantId, factId, accountId]);
  const defined = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next: Activity = { ...NONE, ...stored, ...defined };
  const before = counterWeights(stored);
  const added = counterWeights(next).map((weight, index) => weight - (before[index] ?? 0));
  await transaction.query(PUT_ACTIVITY, [
    ...[tenantId, factId, accountId, randomUUID()],
    ...[next.is_favourite, next.rating, next.vote],
  ]);
  await transaction.query(ADD_TO_COUNTERS, [tenantId, factId, ...added]);
}
