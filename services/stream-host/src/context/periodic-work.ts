import { ProblemError } from '@sluice/contract';
import { hostHeartbeat, type PeriodicTask, type ResourceStack, startPeriodicTask } from '@sluice/host-runtime';
import { publishLiveCounts } from '../queries/live-counts.ts';
import { createAnnounceWaitingQueries } from '../use-cases/queries/announce-waiting-queries.ts';
import { createStopDueQueries } from '../use-cases/queries/stop-due-queries.ts';
import { createStopSlowReaders } from '../use-cases/queries/stop-slow-readers.ts';
import type { StreamHostContext } from './context.ts';

/** A query that must stop is found within this time. The rest of a second is left for stopping the engine. */
const WATCH_MS = 400;
const LIVE_COUNTS_MS = 1_000;
const DETACHED_MS = 1_000;
const KEPT_OUTCOMES_MS = 5_000;
const COUNTERS_MS = 2_000;
const PURGE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Starts the background work of this host: its heartbeat, stopping queries, and flushing outcomes and counters. */
export function startPeriodicWork(context: StreamHostContext, resources: ResourceStack): void {
  const { hosts, hostId, outcomes, datamapCounters, marketplaceDownloads, settings, log } = context;
  const work: readonly PeriodicTask[] = [
    hostHeartbeat({
      id: hostId,
      service: 'stream',
      hosts,
      silenceMs: settings.hostSilenceMs,
      progress: () => context.running.all(),
    }),
    context.durableWrites.work,
    { name: 'stop due queries', everyMs: WATCH_MS, run: createWatch(context) },
    { name: 'announce waiting queries', everyMs: WATCH_MS, run: createAnnounceWaitingQueries(context) },
    { name: 'publish live counts', everyMs: LIVE_COUNTS_MS, run: () => publishLiveCounts(context) },
    { name: 'write kept outcomes', everyMs: KEPT_OUTCOMES_MS, run: () => outcomes.retry() },
    { name: 'count queries of datamaps', everyMs: COUNTERS_MS, run: () => datamapCounters.flush() },
    {
      name: 'delete old query history',
      everyMs: HOUR_MS,
      run: () => context.history.deleteOld(settings.historyMs),
    },
    {
      name: 'delete old download records',
      everyMs: HOUR_MS,
      run: () => marketplaceDownloads.deleteOld(settings.downloadRetentionMs),
    },
    ...resultWork(context),
    ...detachedWork(context),
    ...doorWork(context),
  ];
  resources.add({
    [Symbol.asyncDispose]: () =>
      hosts.remove(hostId).catch((err: unknown) => log.warn({ err }, 'the row of this host could not be removed')),
  });
  // An outcome that is left unwritten would be closed as UNKNOWN by another host.
  resources.add({ [Symbol.asyncDispose]: () => outcomes.retry() });
  resources.add({ [Symbol.asyncDispose]: async () => await context.door?.openResults.stopAll(serverStopped()) });
  resources.add({ [Symbol.asyncDispose]: async () => await context.detachedQueries?.stopAll(serverStopped()) });
  resources.add({
    [Symbol.asyncDispose]: () =>
      datamapCounters.flush().catch((err: unknown) => log.warn({ err }, 'some queries of datamaps were not counted')),
  });
  for (const each of work) resources.add(startPeriodicTask(each, log));
}

function resultWork({ resultPurge, renderedFiles }: StreamHostContext): readonly PeriodicTask[] {
  if (resultPurge === undefined) return [];
  return [
    { name: 'remove unused files of results', everyMs: PURGE_MS, run: () => renderedFiles.removeIdle() },
    { name: 'remove expired results', everyMs: PURGE_MS, run: resultPurge.purge },
    { name: 'remove unknown results', everyMs: HOUR_MS, run: resultPurge.sweep },
  ];
}

/** Queries without a client are not among the requests that a drain stops. */
const serverStopped = (): ProblemError =>
  new ProblemError('server_shutdown', 'The server stopped before the query was complete. Send the query again.');

function detachedWork({ detachedQueries }: StreamHostContext): readonly PeriodicTask[] {
  if (detachedQueries === undefined) return [];
  const run = () => detachedQueries.cancelAbandoned();
  return [{ name: 'cancel queries without a client', everyMs: DETACHED_MS, run }];
}

function doorWork({ door }: StreamHostContext): readonly PeriodicTask[] {
  if (door === undefined) return [];
  const run = () => door.openResults.removeAbandoned();
  return [{ name: 'cancel statements without a Trino client', everyMs: DETACHED_MS, run }];
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
