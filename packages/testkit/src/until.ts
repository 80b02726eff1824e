import { setTimeout as wait } from 'node:timers/promises';

/** Limit of a wait that is expected to end. It only ends a hang, so work beside the test does not fail it. */
const HANG_MS = 60_000;
const POLL_MS_MIN = 25;
const POLL_MS_MAX = 250;

/**
 * Polls until `poll` returns a value, and fails with the name of what it waited for after `withinMs`, by default after a minute.
 * The longer it has waited the less often it polls: at a fixed 25 ms, a wait of a minute cost 20 s of processor time.
 */
export async function until<T>(
  poll: () => Promise<T | undefined> | T | undefined,
  { what, withinMs = HANG_MS }: { readonly what: string; readonly withinMs?: number },
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    const waitedMs = performance.now() - start;
    if (waitedMs > withinMs) throw new Error(`Timeout: ${what} did not happen within ${withinMs} ms.`);
    await wait(Math.min(Math.max(waitedMs / 10, POLL_MS_MIN), POLL_MS_MAX));
  }
}
