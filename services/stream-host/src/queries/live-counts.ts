import { setTimeout as wait } from 'node:timers/promises';
import { QUERY_STATES } from '@sluice/contract';
import type { ExpiringValues } from '@sluice/shared-state';
import { z } from 'zod';
import type { RunningQueries } from './running-queries.ts';

/** How far a query is at this moment, or was about a second ago where another host runs it. */
const liveCounts = z.object({ state: z.enum(QUERY_STATES), rows: z.int().min(0), bytes: z.int().min(0) });
export type LiveCounts = z.infer<typeof liveCounts>;

export interface LiveCountsDependencies {
  readonly running: RunningQueries;
  readonly shared: { readonly state: { readonly values: ExpiringValues } };
}

/** Longer than the second between two tellings, shorter than anybody is misled by a host that was killed. */
const KEPT_MS = 5_000;
/** Lists go on while what the hosts share is away. */
const WAIT_MS = 300;

const keyOf = (queryId: string): string => `live:${queryId}`;

/** Tells the other hosts how far the queries of this one are. Never rejects: nobody depends on it. */
export async function tellLiveCounts({ running, shared }: LiveCountsDependencies): Promise<void> {
  const told = running.all().map(({ queryId, state, rows, bytes }) => {
    const counts: LiveCounts = { state, rows, bytes };
    return shared.state.values.put(keyOf(queryId), JSON.stringify(counts), KEPT_MS);
  });
  await Promise.allSettled(told);
}

/** How far a query is, on whichever host it runs; undefined when that is not known. */
export async function findLiveCounts(
  { running, shared }: LiveCountsDependencies,
  queryId: string,
): Promise<LiveCounts | undefined> {
  const own = running.find(queryId);
  if (own !== undefined) return own;
  const late = wait(WAIT_MS, undefined, { ref: false });
  const told = await Promise.race([shared.state.values.get(keyOf(queryId)).catch(() => undefined), late]);
  return told === undefined ? undefined : readCounts(told);
}

function readCounts(text: string): LiveCounts | undefined {
  try {
    return liveCounts.parse(JSON.parse(text));
  } catch {
    return undefined; // of another version of the hosts, or of somebody else who writes to Redis
  }
}
