import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** Search without a kept count: its tenant, its query, and the parameters of its page. */
export interface UncountedSearch {
  readonly tenantId: string;
  readonly type: string;
  readonly audience: 'all' | 'public';
  readonly tiers: readonly string[] | null;
  readonly values: readonly unknown[];
}

/**
 * Resolves when the counts for the search are stored. Throws `service_unavailable` when counting takes too long; counting then continues.
 */
type CountSearch = (search: UncountedSearch) => Promise<void>;

/** Time after which the caller has given up. */
const COUNT_TIMEOUT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

const COUNT = prepared(
  'count_search',
  `select worth_keeping from search_page($1, $2, $3::tsquery[], $4::tsquery, $5, $6, $7, $8, true) where place = 0`,
);

const KEEP = prepared('keep_search_counts', 'select keep_search_counts($1, $2, $3)');

/**
 * Counts the matches of searches. Concurrent equal searches share one count, which continues even when no search waits any more.
 * `database` is a separate pool: its connections limit how many counts run at once, its time limit how long one may take, and nothing else
 * waits for one of them.
 */
export function createSearchCounter(database: Database, timeoutMs = COUNT_TIMEOUT_MS): CountSearch {
  const inFlight = new Map<string, Promise<void>>();

  const count = async ({ tenantId, type, audience, values }: UncountedSearch): Promise<void> => {
    const [counted] = await database.run<{ worth_keeping: object | null }>({ tenantId }, COUNT, values);
    if (counted?.worth_keeping == null) return;
    await database.run({ tenantId }, KEEP, [type, audience, JSON.stringify(counted.worth_keeping)]);
  };

  return async (search) => {
    const key = JSON.stringify([search.tenantId, search.type, search.audience, search.tiers]);
    const counting = inFlight.get(key) ?? count(search).finally(() => inFlight.delete(key));
    inFlight.set(key, counting);
    await withTimeout(timeoutMs, counting);
  };
}

async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const timeout = wait(ms, undefined, { signal: settled.signal }).then(
    () => Promise.reject(stillCounting()),
    () => undefined,
  );
  try {
    await Promise.race([work, timeout]);
  } finally {
    settled.abort();
    work.catch(() => undefined); // a failure with no waiting search is not reported
  }
}

const stillCounting = (): ProblemError =>
  new ProblemError(
    'service_unavailable',
    'The matches of this search are being counted for the first time. Try again in a few seconds.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
