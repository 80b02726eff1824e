import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 25;

/** Polls until the result is not undefined. Rejects with the name of the condition after the time limit. */
export async function until<T>(
  poll: () => Promise<T | undefined> | T | undefined,
  { what, withinMs }: { readonly what: string; readonly withinMs: number },
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Timeout: ${what} did not happen within ${withinMs} ms.`);
    await wait(POLL_MS);
  }
}
