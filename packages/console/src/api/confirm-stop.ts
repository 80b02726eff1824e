import { type Client, SluiceError } from '@sluice/client';

/** Waits between two questions, in milliseconds. The last one repeats. */
const WAITS_MS = [50, 100, 200, 400, 800, 1600];
/** Time after which the host counts as unreachable, in milliseconds. */
const UNREACHABLE_AFTER_MS = 60_000;
const RUNNING: readonly string[] = ['QUEUED', 'RUNNING'];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Resolves when the receipt of a query says that its statement no longer runs. An engine that does not stop at once is asked again for
 * as long as the host answers.
 * @throws SluiceError of the last request if the host has not answered for a minute, or will never answer (401, 403, 404)
 */
export async function confirmStop(client: Client, queryId: string): Promise<void> {
  let answeredAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { state } = await client.stream.getQuery({ params: { id: queryId } });
      if (!RUNNING.includes(state)) return;
      answeredAt = performance.now();
    } catch (error) {
      const status = error instanceof SluiceError ? (error.status ?? 0) : 0;
      const isFinal = status >= 400 && status < 500 && status !== 429;
      if (isFinal || performance.now() - answeredAt > UNREACHABLE_AFTER_MS) throw error;
    }
    await wait(WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] as number);
  }
}
