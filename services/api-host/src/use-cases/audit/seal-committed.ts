import { setTimeout as wait } from 'node:timers/promises';

const SEAL_ATTEMPTS = 5;
const SEAL_PAUSE_MS = 300;
/** Time after which a read does not wait for a backlog any longer. */
const BACKLOG_TIME_LIMIT_MS = 30_000;

/**
 * Returns a function that seals the records committed before its call. It waits for its own turn: another host that is sealing began
 * earlier, so it may miss records committed since. A run ends early when it finds a backlog, so runs are repeated until one finds nothing.
 */
export const createSealCommitted = (sealAuditLog: () => Promise<number | undefined>) => async (): Promise<void> => {
  const until = performance.now() + BACKLOG_TIME_LIMIT_MS;
  let attempts = 0;
  while (attempts < SEAL_ATTEMPTS && performance.now() < until) {
    const sealed = await sealAuditLog();
    if (sealed === 0) return;
    if (sealed !== undefined) continue;
    attempts += 1;
    await wait(SEAL_PAUSE_MS);
  }
};
