import { hostHeartbeat, type PeriodicTask, type ResourceStack, startPeriodicTask } from '@sluice/host';
import { tellLiveCounts } from '../queries/live-counts.ts';
import { createAnnounceWaitingQueries } from '../use-cases/queries/announce-waiting-queries.ts';
import { createStopDueQueries } from '../use-cases/queries/stop-due-queries.ts';
import { createStopSlowReaders } from '../use-cases/queries/stop-slow-readers.ts';
import type { StreamHostContext } from './context.ts';

/** A query that must stop is found so long after that, at most; the rest of a second is for its engine to hear of it. */
const WATCH_MS = 400;
const TELL_MS = 1_000;
const KEPT_MS = 5_000;
const COUNTERS_MS = 2_000;
const HOUR_MS = 3_600_000;

/** What this host does besides answering: it is alive, stops what must stop, and closes what dead hosts left open. */
export function startPeriodicWork(context: StreamHostContext, resources: ResourceStack): void {
  const { hosts, hostId, outcomes, datamapCounters, marketplaceDownloads, settings, log } = context;
  const work: readonly PeriodicTask[] = [
    hostHeartbeat({ id: hostId, service: 'stream', hosts, progress: () => context.running.all() }),
    context.durableWrites.work,
    { name: 'stop due queries', everyMs: WATCH_MS, run: createWatch(context) },
    { name: 'announce waiting queries', everyMs: WATCH_MS, run: createAnnounceWaitingQueries(context) },
    { name: 'tell of running queries', everyMs: TELL_MS, run: () => tellLiveCounts(context) },
    { name: 'write kept outcomes', everyMs: KEPT_MS, run: () => outcomes.retry() },
    { name: 'count queries of datamaps', everyMs: COUNTERS_MS, run: () => datamapCounters.flush() },
    {
      name: 'forget old downloads',
      everyMs: HOUR_MS,
      run: () => marketplaceDownloads.forgetOld(settings.downloadRetentionMs),
    },
  ];
  resources.add({
    [Symbol.asyncDispose]: () => hosts.remove(hostId).catch((err: unknown) => log.warn({ err }, 'host row remains')),
  });
  // What is known of a query must not be left for others to call unknown.
  resources.add({ [Symbol.asyncDispose]: () => outcomes.retry() });
  resources.add({
    [Symbol.asyncDispose]: () =>
      datamapCounters.flush().catch((err: unknown) => log.warn({ err }, 'some queries of datamaps are not counted')),
  });
  for (const each of work) resources.add(startPeriodicTask(each, log));
}

function createWatch(context: StreamHostContext): () => Promise<void> {
  const stopSlowReaders = createStopSlowReaders(context);
  const stopDueQueries = createStopDueQueries(context);
  return async () => {
    context.metrics.queriesQueued.set(context.admission.waiting);
    stopSlowReaders();
    await stopDueQueries();
  };
}
