import { setTimeout as delay } from 'node:timers/promises';
import type { HttpAnswer } from './http-client.ts';
import { isTransient, transportProblem, unavailable } from './transport-failure.ts';

export interface RetryOptions {
  readonly retryForMs: number;
  readonly signal?: AbortSignal;
}

/** Statuses by which Trino, or what stands before it, says that the request may come again (client protocol, "Overview"). */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** What the protocol asks clients to wait, and where waiting twice as long each time ends. */
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 800;
/** However long the first attempt took, there is a second. */
const ATTEMPTS_MIN = 2;

/**
 * Sends again what could not be taken. Only for requests that change nothing when they arrive twice: a page asked for again is
 * the same page, and a statement that was submitted twice runs once, since Trino begins with it at the first request for pages.
 */
export async function withRetries(send: () => Promise<HttpAnswer>, options: RetryOptions): Promise<HttpAnswer> {
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(send);
    if ('answer' in outcome) return outcome.answer;
    options.signal?.throwIfAborted();
    const isTooLate = performance.now() - startedAt > options.retryForMs && attempts >= ATTEMPTS_MIN;
    if (isTooLate || !outcome.isTransient) throw outcome.failure;
    // Half of it by chance, so that many who were turned away do not come back as one.
    const pauseMs = Math.min(PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS) * (0.5 + Math.random() / 2);
    await delay(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

type Outcome = { readonly answer: HttpAnswer } | { readonly failure: unknown; readonly isTransient: boolean };

async function attempt(send: () => Promise<HttpAnswer>): Promise<Outcome> {
  try {
    const answer = await send();
    if (!PASSING_STATUSES.has(answer.status)) return { answer };
    const sentence = `Trino, or what stands before it, cannot take requests now (HTTP ${answer.status}).`;
    return { failure: unavailable(sentence), isTransient: true };
  } catch (thrown) {
    return { failure: transportProblem(thrown), isTransient: isTransient(thrown) };
  }
}
