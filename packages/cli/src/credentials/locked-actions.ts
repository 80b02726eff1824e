/** Actions of this process that hold a file lock or wait for one, such as the exchange of a refresh token. */
const RUNNING = new Set<Promise<void>>();

/** Counts an action until it has ended. */
export function trackLocked(running: Promise<unknown>): void {
  const settled = running.then(
    () => void RUNNING.delete(settled),
    () => void RUNNING.delete(settled),
  );
  RUNNING.add(settled);
}

/** Resolves when no action of this process holds a lock or waits for one. */
export async function untilUnlocked(): Promise<void> {
  await Promise.all(RUNNING);
}
