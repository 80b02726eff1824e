import type { TokenSource } from '../auth/token-source.ts';
import type { ClientSettings } from '../client-options.ts';
import { ConnectionError, type FaultDetail, ResponseError, type SluiceError, type SqlLocation } from '../errors.ts';
import { type OutgoingRequest, runMiddleware } from './middleware.ts';
import { hostOf, PART_BYTES_MAX, readText } from './read-json.ts';
import { mayRepeat, type Repeatability, retryDelayMs, wait } from './retry.ts';

/** The three shapes of an error body: the error JSON, a failed result set, and RFC 6749 section 5.2. */
interface ErrorBody {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly error_description?: unknown;
  readonly code?: unknown;
  readonly request_id?: unknown;
  readonly query_id?: unknown;
  readonly location?: unknown;
  readonly details?: unknown;
}

const EXCERPT_CHARACTERS = 200;
/** Time limit until the end of an error in milliseconds. */
const ERROR_TIMEOUT_MS = 10_000;

const textOr = (value: unknown, fallback: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : fallback;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isLocation = (value: unknown): value is SqlLocation =>
  isObject(value) &&
  Number.isSafeInteger(Reflect.get(value, 'line')) &&
  Number.isSafeInteger(Reflect.get(value, 'column'));

const isDetail = (value: unknown): value is FaultDetail =>
  isObject(value) &&
  typeof Reflect.get(value, 'path') === 'string' &&
  typeof Reflect.get(value, 'message') === 'string';

/** Reads `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

function parseObject(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an error response. A body that is not Sluice's, such as the page of a proxy, gets the code `unexpected_response`. */
async function readFailure(response: Response): Promise<ResponseError> {
  const { status, headers } = response;
  const text = await readText(response, { bytesMax: PART_BYTES_MAX, timeoutMs: ERROR_TIMEOUT_MS }).catch(() => '');
  const body = parseObject(text);
  const fields = {
    status,
    requestId: textOr(body?.request_id, headers.get('x-request-id') ?? undefined),
    queryId: textOr(body?.query_id, headers.get('x-query-id') ?? undefined),
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  // A failed result set has the sentence in `error` and the code in `code`.
  const code = textOr(body?.code, textOr(body?.error, undefined));
  if (body === undefined || code === undefined) {
    const excerpt = text.slice(0, EXCERPT_CHARACTERS).trim();
    const message = `${hostOf(response)} returned status ${status} without an error of Sluice. Check the URL and the proxies on the way.`;
    return new ResponseError('unexpected_response', message, { ...fields, body: body ?? excerpt });
  }
  const message = textOr(body.message, textOr(body.error_description, `The host returned status ${status}.`)) ?? '';
  return new ResponseError(code.toLowerCase(), message, {
    ...fields,
    location: isLocation(body.location) ? body.location : undefined,
    details: Array.isArray(body.details) ? body.details.filter(isDetail) : undefined,
    body,
  });
}

/** Node.js keeps the connection pool of its `fetch` here (undici, lib/global.js). Other runtimes do not have it. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'dispatch') === 'function';

/**
 * Returns a dispatcher that passes requests to the one of the process without two of its time limits: undici ends a request without headers
 * after 300 s, and a body after 300 s of silence (`headersTimeout`, `bodyTimeout`). A download is silent until its first row. Proxies and
 * connections of the process stay in use.
 */
const withLimits = (limits: object): Dispatcher => ({
  dispatch: (options, handler) => {
    const global: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
    if (!isDispatcher(global)) throw new TypeError('The fetch of this version of Node.js is not supported.');
    return global.dispatch({ ...options, ...limits }, handler);
  },
});

/** The client has time limits of its own until the headers. */
const WITHOUT_HEADERS_LIMIT = withLimits({ headersTimeout: 0 });
const WITHOUT_LIMITS = withLimits({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Returns members of `RequestInit` that lift the time limits of Node's own `fetch`; empty where it has none.
 * @param isStream - whether the body may be silent for long
 */
function liftTimeLimits(isStream: boolean): object {
  const global: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  if (!isDispatcher(global)) return {};
  return { dispatcher: isStream ? WITHOUT_LIMITS : WITHOUT_HEADERS_LIMIT };
}

const NOT_FOUND = (host: string): string => `${host} was not found in DNS. Check the name and the network.`;
const UNTRUSTED = (host: string): string =>
  `The certificate of ${host} is signed by an authority that is not trusted here. Set NODE_EXTRA_CA_CERTS to the file with the certificate of that authority.`;
const NO_TLS = (host: string): string =>
  `${host} did not answer with TLS. Check the port, and whether the URL must begin with http.`;

/** Sentences for the codes of Node.js and OpenSSL. Browsers do not say why a request failed. */
const SENTENCES: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: NOT_FOUND,
  ECONNREFUSED: (host) => `${host} refused the connection. Check the port, and that the host is running.`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Its operator must renew it.`,
  CERT_NOT_YET_VALID: (host) => `The certificate of ${host} is not valid yet. Check the clock of this computer.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} is for another name. Check the URL.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Returns the code of what made fetch fail, which is its cause. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? String(Reflect.get(cause, 'code')) : '';
}

/**
 * Returns the error for a request that got no response.
 * @param error - what fetch rejected with
 */
function connectionFailure(url: string, error: unknown): ConnectionError {
  const { host } = new URL(url);
  const code = codeOf(error);
  // The message of a proxy's failure is a sentence already (src/node/proxy-fetch.ts).
  const sentence = code === 'ERR_PROXY' ? ((error as Error).cause as Error).message : SENTENCES[code]?.(host);
  const message = sentence ?? `${host} could not be reached, or closed the connection. Check the URL and the network.`;
  return new ConnectionError('connection_failed', message, { cause: error });
}

/**
 * Returns the URL of a path at a host.
 * @throws TypeError if the path could lead to another host, such as `.evil.example` or `@evil.example`
 */
function urlOf(base: string, path: string): string {
  const url = `${base}${path}`;
  if (path.startsWith('/') && URL.canParse(url) && new URL(url).origin === new URL(base).origin) return url;
  throw new TypeError(`path must begin with /, such as /me, not ${JSON.stringify(path)}.`);
}

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
  /** Whether the body may be silent for long. Default: a request without a time limit. */
  readonly isStream?: boolean;
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

/** Value of `Authorization`, and the token in it, if it has one. */
interface Credential {
  readonly header: string;
  readonly token?: string;
}

/**
 * Creates the one function that sends requests. It owns their order: token, middleware, fetch, status to error, retry.
 * @param tokens - source of tokens; undefined while the source itself logs in
 * @param basic - value of `Authorization` that the stream host gets instead of a token, until it rejects it
 */
export function createSendRequest(
  settings: ClientSettings,
  tokens: () => TokenSource,
  basic: string | undefined,
): SendRequest {
  let isBasicRejected = false;

  async function sendOnce(input: RequestInput, attempt: number, credential: Credential | undefined): Promise<Response> {
    const url = urlOf(settings.urls[input.host], input.path);
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
      if (credential !== undefined) headers.set('authorization', credential.header);
      const init = {
        method: input.method,
        headers,
        redirect: 'manual' as const,
        credentials: input.sendsCookies ? ('include' as const) : ('omit' as const),
        ...(input.body === undefined ? {} : { body: input.body as NonNullable<RequestInit['body']> }),
        // The Fetch standard requires it for a body that is a stream.
        ...(input.body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
        ...(settings.isGlobalFetch ? liftTimeLimits(input.isStream ?? input.timeoutMs === undefined) : {}),
      };
      return fetchHeaders(settings, url, init, input);
    });
    if (isExpected(response, input)) return response;
    throw await readFailure(response);
  }

  const findDelayMs = (error: unknown, input: RequestInput, attempt: number): number | undefined => {
    if (attempt > settings.retries || input.body instanceof ReadableStream) return undefined;
    if (!mayRepeat(error, input.repeatability)) return undefined;
    const delayMs = retryDelayMs(error, attempt);
    return delayMs > settings.retryDelayMaxMs ? undefined : delayMs;
  };

  const credentialFor = async (input: RequestInput): Promise<Credential | undefined> => {
    if (!input.isAuthenticated) return undefined;
    if (basic !== undefined && !isBasicRejected && input.host === 'stream') return { header: basic };
    const token = await tokens().token(input.signal);
    return { header: `Bearer ${token}`, token };
  };

  /** Forgets a rejected credential. Another one is requested once for the same request. */
  const discard = (credential: Credential | undefined): false => {
    if (credential?.token !== undefined) tokens().discard(credential.token);
    else isBasicRejected = true;
    return false;
  };

  return async (input) => {
    // 401 precedes everything else, so nothing ran. A stream cannot be sent again.
    let mayRenew = input.isAuthenticated && !(input.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt += 1) {
      input.signal?.throwIfAborted();
      const credential = await credentialFor(input);
      try {
        const response = await sendOnce(input, attempt, credential);
        if (response.status !== 401 || !mayRenew) return response;
        await response.body?.cancel();
        mayRenew = discard(credential);
      } catch (error) {
        if (mayRenew && isRejectedToken(error)) {
          mayRenew = discard(credential);
          continue;
        }
        const delayMs = findDelayMs(error, input, attempt);
        if (delayMs === undefined) throw error as SluiceError;
        await wait(delayMs, input.signal);
      }
    }
  };
}

const isRejectedToken = (error: unknown): boolean => error instanceof ResponseError && error.status === 401;
