import { keepAlive, type RepeatedWork, type Resources, repeat } from '@sluice/host';
import type { ApiContext } from './context.ts';
import { REFRESH_GRACE_MS } from './use-cases/refresh-tokens.ts';

const SECOND_MS = 1000;
const SOON_MS = 5000;
const HOUR_MS = 3_600_000;

/** What this host does besides answering: it is alive, closes what dead hosts left open, turns keys, forgets what is over. */
export function startPeriodicWork(context: ApiContext, hostId: string, resources: Resources): void {
  const { stores, keyRing, auditServices, log } = context;
  const work: readonly RepeatedWork[] = [
    keepAlive({ id: hostId, service: 'api', hosts: stores.hosts }),
    // Every few seconds, so that a revoked key stops signing within them.
    { name: 'rotate keys', everyMs: SOON_MS, run: () => keyRing.rotate() },
    { name: 'erase replays', everyMs: SOON_MS, run: () => stores.refreshTokens.eraseReplays(REFRESH_GRACE_MS) },
    { name: 'forget sessions', everyMs: HOUR_MS, run: () => stores.sessions.forgetExpired() },
    { name: 'forget idempotency keys', everyMs: HOUR_MS, run: () => stores.metadata.forgetOldKeys() },
    { name: 'seal audit log', everyMs: SECOND_MS, run: () => auditServices.sealAuditLog() },
    { name: 'audit partitions', everyMs: HOUR_MS, run: () => stores.audit.ensurePartitions() },
  ];
  resources.add({
    [Symbol.asyncDispose]: () =>
      stores.hosts.remove(hostId).catch((err: unknown) => log.warn({ err }, 'host row remains')),
  });
  for (const each of work) resources.add(repeat(each, log));
}
