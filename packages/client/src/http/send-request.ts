import type { TokenSource } from '../auth/token-source.ts';
import type { ClientSettings } from '../client-options.ts';
import { ConnectionError, ResponseError, type SluiceError } from '../errors.ts';
import { connectionFailure } from './connection-failure.ts';
import { liftTimeLimits } from './fetch-time-limits.ts';
import { type OutgoingRequest, runMiddleware } from './middleware.ts';
import { readFailure } from './read-failure.ts';
import { mayRepeat, type Repeatability, retryDelayMs, wait } from './retry.ts';

export interface RequestInput {
  /** OpenAPI operationId. */
  readonly operation: string;
  readonly host: 'stream' | 'api';
  readonly method: string;
  /** Path with its query, percent-encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | Blob | ReadableStream<Uint8Array> | undefined;
  /** Whether the request carries a token. */
  readonly isAuthenticated: boolean;
  readonly repeatability: Repeatability;
  readonly signal?: AbortSignal | undefined;
  /** Time limit until the headers of the response in milliseconds. Undefined: none. */
  readonly timeoutMs?: number | undefined;
  /** Whether a redirect is a result. Otherwise it is an error, because following it could send the token elsewhere. */
  readonly returnsRedirect?: boolean;
  /** Whether an error status is a result. A 401 still renews the token once. */
  readonly returnsFailures?: boolean;
  /** Sends the cookies of the host. */
  readonly sendsCookies?: boolean;
}

/** Sends a request with its retries and resolves with a successful response, whose body is not read. */
export type SendRequest = (input: RequestInput) => Promise<Response>;

const isExpected = (response: Response, input: RequestInput): boolean =>
  response.ok ||
  input.returnsFailures === true ||
  (input.returnsRedirect === true &&
    (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)));

/** Runs fetch under a time limit until the headers. The caller's signal stays connected to the body. */
async function fetchHeaders(settings: ClientSettings, url: string, init: RequestInit, input: RequestInput) {
  const { timeoutMs, signal } = input;
  const limit = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.abort(), timeoutMs);
  const signals = signal === undefined ? [limit.signal] : [limit.signal, signal];
  try {
    return await settings.fetch(url, { ...init, signal: AbortSignal.any(signals) });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (limit.signal.aborted) {
      const { host } = new URL(url);
      throw new ConnectionError('timeout', `${host} did not respond within ${timeoutMs} ms.`, { cause: error });
    }
    throw connectionFailure(url, error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Creates the one function that sends requests. It owns their order: token, middleware, fetch, status to error, retry.
 * @param tokens - source of tokens; undefined while the source itself logs in
 */
export function createSendRequest(settings: ClientSettings, tokens: () => TokenSource): SendRequest {
  async function sendOnce(input: RequestInput, attempt: number, token: string | undefined): Promise<Response> {
    const url = `${settings.urls[input.host]}${input.path}`;
    const request: OutgoingRequest = {
      operation: input.operation,
      host: input.host,
      method: input.method,
      url,
      headers: new Headers(input.headers),
      attempt,
    };
    const response = await runMiddleware(settings.middleware, request, () => {
      const headers = new Headers(request.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const init = {
        method: input.method,
        headers,
        redirect: 'manual' as const,
        credentials: input.sendsCookies ? ('include' as const) : ('omit' as const),
        ...(input.body === undefined ? {} : { body: input.body as NonNullable<RequestInit['body']> }),
        // The Fetch standard requires it for a body that is a stream.
        ...(input.body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
        ...(settings.isGlobalFetch ? liftTimeLimits(input.timeoutMs === undefined) : {}),
      };
      return fetchHeaders(settings, url, init, input);
    });
    if (isExpected(response, input)) return response;
    throw await readFailure(response);
  }

  const delayOf = (error: unknown, input: RequestInput, attempt: number): number | undefined => {
    if (attempt > settings.retries || input.body instanceof ReadableStream) return undefined;
    if (!mayRepeat(error, input.repeatability)) return undefined;
    const delayMs = retryDelayMs(error, attempt);
    return delayMs > settings.retryDelayMaxMs ? undefined : delayMs;
  };

  const tokenFor = async (input: RequestInput): Promise<string | undefined> =>
    input.isAuthenticated ? await tokens().token(input.signal) : undefined;

  /** Forgets a rejected token. A second one is not requested for the same request. */
  const discard = (token: string | undefined): false => {
    if (token !== undefined) tokens().discard(token);
    return false;
  };

  return async (input) => {
    // 401 precedes everything else, so nothing ran. A stream cannot be sent again.
    let mayRenew = input.isAuthenticated && !(input.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt += 1) {
      input.signal?.throwIfAborted();
      const token = await tokenFor(input);
      try {
        const response = await sendOnce(input, attempt, token);
        if (response.status !== 401 || !mayRenew) return response;
        await response.body?.cancel();
        mayRenew = discard(token);
      } catch (error) {
        if (mayRenew && isRejectedToken(error)) {
          mayRenew = discard(token);
          continue;
        }
        const delayMs = delayOf(error, input, attempt);
        if (delayMs === undefined) throw error as SluiceError;
        await wait(delayMs, input.signal);
      }
    }
  };
}

const isRejectedToken = (error: unknown): boolean => error instanceof ResponseError && error.status === 401;
