import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS_MIN = 25;
const POLL_MS_MAX = 250;

/**
 * Polls until `poll` returns a value, and fails with the name of what it waited for after `withinMs`. The longer it has waited the
 * less often it polls: at a fixed 25 ms, a wait of a minute cost 20 s of processor time.
 */
export async function until<T>(
  poll: () => Promise<T | undefined> | T | undefined,
  { what, withinMs }: { readonly what: string; readonly withinMs: number },
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
