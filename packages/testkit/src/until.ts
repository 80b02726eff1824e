import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 25;

/** Asks again and again until the answer is something; rejects, naming what it waited for, when it takes too long. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { what, withinMs }: { readonly what: string; readonly withinMs: number },
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs} ms`);
    await wait(POLL_MS);
  }
}
