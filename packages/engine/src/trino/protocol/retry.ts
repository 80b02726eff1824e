import { setTimeout as delay } from 'node:timers/promises';
import type { HttpResponse } from './http-client.ts';
import { isTransient, transportProblem, unavailable } from './transport-failure.ts';

interface RetryOptions {
  readonly retryForMs: number;
  readonly signal?: AbortSignal;
}

/** Statuses by which Trino, or a proxy before it, asks for a retry (client protocol, "Overview"). */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Pause that the protocol requires of clients. It doubles up to a maximum. */
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 800;
/** A second attempt is made however long the first one took. */
const ATTEMPTS_MIN = 2;

/**
 * Retries a request that could not be accepted. Only for requests that are idempotent: a page that is requested again is the same
 * page, and a statement that is submitted twice runs once, because Trino starts it at the first request for pages.
 */
export async function withRetries(send: () => Promise<HttpResponse>, options: RetryOptions): Promise<HttpResponse> {
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(send);
    if ('response' in outcome) return outcome.response;
    options.signal?.throwIfAborted();
    const isTooLate = performance.now() - startedAt > options.retryForMs && attempts >= ATTEMPTS_MIN;
    if (isTooLate || !outcome.isTransient) throw outcome.failure;
    // Half of the pause is random, so that many rejected clients do not return together.
    const pauseMs = Math.min(PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS) * (0.5 + Math.random() / 2);
    await delay(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

type Outcome = { readonly response: HttpResponse } | { readonly failure: unknown; readonly isTransient: boolean };

async function attempt(send: () => Promise<HttpResponse>): Promise<Outcome> {
  try {
    const response = await send();
    if (!TRANSIENT_STATUSES.has(response.status)) return { response };
    const sentence = `Trino, or a proxy before it, cannot take requests now (HTTP ${response.status}).`;
    return { failure: unavailable(sentence), isTransient: true };
  } catch (thrown) {
    return { failure: transportProblem(thrown), isTransient: isTransient(thrown) };
  }
}
