import { THROTTLE_POLICY } from '@sluice/auth';
import { hostHeartbeat, type PeriodicTask, type ResourceStack, startPeriodicTask } from '@sluice/host-runtime';
import { deleteOldIdempotencyKeys } from '@sluice/store/catalog';
import { REFRESH_GRACE_MS } from '../use-cases/identity/refresh-tokens.ts';
import type { ApiContext } from './context.ts';

const SECOND_MS = 1000;
const SOON_MS = 5000;
/** Longest time until the views that this host has counted are written. */
const COUNTERS_MS = 2000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Starts the background work of this host: heartbeat, key rotation, counters, audit sealing, harvests, mails, and removal of expired rows. */
export function startPeriodicWork(context: ApiContext, hostId: string, resources: ResourceStack): void {
  const { stores, credentials, auditServices, events, log, settings } = context;
  const work: readonly PeriodicTask[] = [
    hostHeartbeat({ id: hostId, service: 'api', hosts: stores.hosts, silenceMs: settings.hostSilenceMs }),
    context.durableWrites.work,
    ...context.mails.work,
    // Every few seconds, so that a revoked key soon stops signing.
    { name: 'rotate keys', everyMs: SOON_MS, run: () => credentials.keyRing.rotate() },
    { name: 'erase replays', everyMs: SOON_MS, run: () => stores.refreshTokens.eraseReplays(REFRESH_GRACE_MS) },
    { name: 'count views of datamaps', everyMs: COUNTERS_MS, run: () => stores.counters.flush() },
    { name: 'update ranking of datamaps', everyMs: SOON_MS, run: () => stores.counters.updateRanking() },
    { name: 'update counts of searches', everyMs: SOON_MS, run: () => stores.datamaps.updateCounts() },
    { name: 'refresh search entries', everyMs: SOON_MS, run: () => stores.datamaps.refreshOutdated() },
    { name: 'record the number of further refusals', everyMs: SOON_MS, run: () => context.refusals.flush() },
    { name: 'end idle and old sessions', everyMs: MINUTE_MS, run: () => stores.sessions.endOverdue() },
    { name: 'delete expired sessions', everyMs: HOUR_MS, run: () => stores.sessions.deleteExpired() },
    {
      name: 'delete old login failures',
      everyMs: MINUTE_MS,
      run: () => stores.throttles.deleteOld(THROTTLE_POLICY.windowMs),
    },
    { name: 'delete expired devices', everyMs: HOUR_MS, run: () => stores.devices.deleteExpired() },
    { name: 'delete expired logins', everyMs: HOUR_MS, run: () => stores.logins.deleteExpired() },
    { name: 'delete expired login codes', everyMs: HOUR_MS, run: () => stores.codes.deleteExpired() },
    { name: 'delete expired logins of devices', everyMs: HOUR_MS, run: () => stores.deviceLogins.deleteExpired() },
    {
      name: 'delete expired logins of Trino clients',
      everyMs: HOUR_MS,
      run: () => stores.externalLogins.deleteExpired(),
    },
    {
      name: 'delete expired client assertions',
      everyMs: MINUTE_MS,
      run: () => stores.clientAssertions.deleteExpired(),
    },
    { name: 'delete old idempotency keys', everyMs: HOUR_MS, run: () => deleteOldIdempotencyKeys(stores.database) },
    {
      name: 'seal audit log',
      everyMs: SECOND_MS,
      run: () => auditServices.sealAuditLog().catch(events.auditSealFailed),
    },
    { name: 'start due harvests', everyMs: SOON_MS, run: () => context.harvests.startDue() },
    { name: 'continue metadata imports', everyMs: COUNTERS_MS, run: () => context.metadataImports.enqueueWaiting() },
    { name: 'delete old metadata imports', everyMs: MINUTE_MS, run: () => stores.metadataImports.deleteOld() },
    { name: 'delete old harvest runs', everyMs: HOUR_MS, run: () => stores.harvestRuns.deleteOld() },
    { name: 'retain audit log', everyMs: HOUR_MS, run: () => auditServices.retainAuditLog() },
    { name: 'audit partitions', everyMs: HOUR_MS, run: () => stores.audit.ensurePartitions() },
  ];
  resources.add({
    [Symbol.asyncDispose]: () =>
      stores.hosts.remove(hostId).catch((err: unknown) => log.warn({ err }, 'host row remains')),
  });
  // Writes the views counted since the last flush before the host exits.
  resources.add({
    [Symbol.asyncDispose]: () =>
      stores.counters.flush().catch((err: unknown) => log.warn({ err }, 'some views of datamaps are not counted')),
  });
  resources.add({
    [Symbol.asyncDispose]: () =>
      context.refusals.close().catch((err: unknown) => log.warn({ err }, 'some refused requests are not recorded')),
  });
  for (const each of work) resources.add(startPeriodicTask(each, log));
}
