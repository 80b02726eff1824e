import { ConnectionError, ResponseError } from '../errors.ts';
import { wait } from './retry.ts';

interface PollOptions<Result> {
  readonly signal?: AbortSignal | undefined;
  /** Returns whether nothing will change any more. */
  readonly isFinal: (result: Result) => boolean;
  /** Called with each result. */
  readonly onResult?: ((result: Result) => void) | undefined;
  /** Called when a request fails. Returns whether to ask again. Default: while the host cannot be reached for `lostTimeoutMs`. */
  readonly onFailure?: ((error: unknown) => boolean) | undefined;
  /** Longest time without a response of the host in milliseconds. Default: 60,000. */
  readonly lostTimeoutMs?: number | undefined;
}

const LOST_TIMEOUT_MS = 60_000;
const DELAY_MS_MIN = 50;
const DELAY_MS_MAX = 1000;
/** A host that fails is asked less often: others ask it too. */
const FAILED_DELAY_MS_MIN = 1000;
const FAILED_DELAY_MS_MAX = 5000;

/** Returns whether another request may succeed: the connection, the host or a proxy failed, not the request. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ResponseError && (error.status === 429 || (error.status ?? 0) >= 500));

/**
 * Reads until the result is final, and returns it.
 * @throws what `read` throws when it must not be called again, or the signal's reason
 */
export async function poll<Result>(read: () => Promise<Result>, options: PollOptions<Result>): Promise<Result> {
  const { signal, isFinal, onResult, onFailure, lostTimeoutMs = LOST_TIMEOUT_MS } = options;
  let reachedMs = performance.now();
  let delayMs = DELAY_MS_MIN;
  const goesOn =
    onFailure ?? ((error: unknown) => isTransient(error) && performance.now() - reachedMs <= lostTimeoutMs);
  for (;;) {
    let delayMaxMs = DELAY_MS_MAX;
    try {
      const result = await read();
      reachedMs = performance.now();
      onResult?.(result);
      if (isFinal(result)) return result;
    } catch (error) {
      if (signal?.aborted || !goesOn(error)) throw error;
      delayMaxMs = FAILED_DELAY_MS_MAX;
      if (isTransient(error)) delayMs = Math.max(delayMs, FAILED_DELAY_MS_MIN);
    }
    await wait(delayMs, signal);
    delayMs = Math.min(delayMs * 2, delayMaxMs);
  }
}
