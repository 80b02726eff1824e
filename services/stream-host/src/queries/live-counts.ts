import { setTimeout as wait } from 'node:timers/promises';
import { QUERY_STATES } from '@sluice/contract';
import type { ExpiringValues } from '@sluice/shared-state';
import { z } from 'zod';
import type { RunningQueries } from './running-queries.ts';

/** Progress of a running query; about a second old when another host runs it. */
const liveCounts = z.object({ state: z.enum(QUERY_STATES), rows: z.int().min(0), bytes: z.int().min(0) });
type LiveCounts = z.infer<typeof liveCounts>;

export interface LiveCountsDependencies {
  readonly running: RunningQueries;
  readonly shared: { readonly state: { readonly values: ExpiringValues } };
}

/** Longer than the interval of one second, and short enough that counts of a killed host expire soon. */
const KEPT_MS = 5_000;
/** Lists must work while the shared state is down. */
const WAIT_MS = 300;

const keyOf = (queryId: string): string => `live:${queryId}`;

/** Publishes the progress of this host's queries to the other hosts. Never rejects, because nothing depends on it. */
export async function publishLiveCounts({ running, shared }: LiveCountsDependencies): Promise<void> {
  const published = running.all().map(({ queryId, state, rows, bytes }) => {
    const counts: LiveCounts = { state, rows, bytes };
    return shared.state.values.put(keyOf(queryId), JSON.stringify(counts), KEPT_MS);
  });
  await Promise.allSettled(published);
}

/** Returns the progress of a query on any host; undefined when it is unknown. */
export async function findLiveCounts(
  { running, shared }: LiveCountsDependencies,
  queryId: string,
): Promise<LiveCounts | undefined> {
  const own = running.find(queryId);
  if (own !== undefined) return own;
  const timeout = wait(WAIT_MS, undefined, { ref: false });
  const text = await Promise.race([shared.state.values.get(keyOf(queryId)).catch(() => undefined), timeout]);
  return text === undefined ? undefined : readCounts(text);
}

function readCounts(text: string): LiveCounts | undefined {
  try {
    return liveCounts.parse(JSON.parse(text));
  } catch {
    return undefined; // written by another version of the hosts, or by another client of Redis
  }
}
