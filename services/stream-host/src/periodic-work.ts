import { type RepeatedWork, type Resources, repeat } from '@sluice/host';
import type { StreamHostContext } from './context.ts';
import { stopDueQueries } from './use-cases/stop-due-queries.ts';

const WATCH_MS = 1_000;
const BEAT_MS = 5_000;

/** What this host does besides answering: it is alive, stops what must stop, and closes what dead hosts left open. */
export function startPeriodicWork(context: StreamHostContext, resources: Resources): void {
  const { hosts, hostId, outcomes, log } = context;
  const work: readonly RepeatedWork[] = [
    { name: 'beat', everyMs: BEAT_MS, run: () => hosts.beat({ id: hostId, service: 'stream' }) },
    { name: 'stop due queries', everyMs: WATCH_MS, run: () => stopDueQueries(context) },
    { name: 'write kept outcomes', everyMs: BEAT_MS, run: () => outcomes.retry() },
    { name: 'reap silent hosts', everyMs: BEAT_MS, run: () => hosts.reapSilent() },
  ];
  resources.add({
    [Symbol.asyncDispose]: () => hosts.remove(hostId).catch((err: unknown) => log.warn({ err }, 'host row remains')),
  });
  for (const each of work) resources.add(repeat(each, log));
}
