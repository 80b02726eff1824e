import { ConnectionError, ResponseError } from '../errors.ts';

/**
 * Effect of a second run of the request.
 * - `safe`: none, so it may be sent again even if it ran.
 * - `statement`: a read-only statement runs twice. An error of the host without a query id means that it was not admitted.
 * - `change`: a change may be made twice.
 */
export type Repeatability = 'safe' | 'statement' | 'change';

/** Failures of Node.js before a connection existed, so that no byte of the request was sent. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const FIRST_DELAY_MS = 250;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

/** Returns whether fetch failed before it sent the request. `cause` may hold one error per address. */
function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  const errors: unknown = cause instanceof AggregateError ? cause.errors : [cause, error];
  return Array.isArray(errors) && errors.some((each) => NEVER_CONNECTED.has(String(codeOf(each))));
}

function mayRepeatResponse(error: ResponseError, repeatability: Repeatability): boolean {
  if (error.status === 429) return true;
  if (repeatability === 'safe') return error.status === 502 || error.status === 503 || error.status === 504;
  if (error.status !== 503) return false;
  if (error.code === 'audit_unavailable') return true;
  // Proxies also return 503 when they lose the connection to a host that has the request.
  return repeatability === 'statement' && error.queryId === undefined && error.code !== 'unexpected_response';
}

/** Returns whether a failed request may be sent again: it cannot have run, or a second run has no effect. */
export function mayRepeat(error: unknown, repeatability: Repeatability): boolean {
  if (error instanceof ResponseError) return mayRepeatResponse(error, repeatability);
  if (!(error instanceof ConnectionError)) return false;
  return error.code !== 'timeout' && (repeatability === 'safe' || neverConnected(error.cause));
}

/**
 * Returns the delay before a retry in milliseconds. `Retry-After` is the lower bound; jitter keeps clients from returning together.
 * @param attempt - number of the attempt that failed, from 1
 */
export function retryDelayMs(error: unknown, attempt: number, random: () => number = Math.random): number {
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
  const asked = error instanceof ResponseError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(asked, backoff);
}

/** Waits, and rejects with the signal's reason when it is aborted meanwhile. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
