import { setTimeout as wait } from 'node:timers/promises';

const SEAL_ATTEMPTS = 5;
const SEAL_PAUSE_MS = 300;

/**
 * Returns a function that seals the records committed before its call. It waits for its own turn: another host that is sealing began
 * earlier, so it may miss records committed since.
 */
export const createSealCommitted = (sealAuditLog: () => Promise<number | undefined>) => async (): Promise<void> => {
  for (let attempt = 1; attempt <= SEAL_ATTEMPTS; attempt += 1) {
    if ((await sealAuditLog()) !== undefined) return;
    await wait(SEAL_PAUSE_MS);
  }
};
