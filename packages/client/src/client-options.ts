import type { Auth } from './auth/auth.ts';
import type { Middleware } from './http/middleware.ts';

export interface ClientOptions {
  /** Name of the tenant, for the paths of the login. */
  readonly tenant: string;
  /** Base URL of the stream host: `/query`, downloads, the marketplace. */
  readonly streamUrl: string;
  /** Base URL of the API host: login, catalog, metadata, audit log, administration. */
  readonly apiUrl: string;
  /** Credentials, in one of the five forms of `Auth`. */
  readonly auth: Auth;
  /** Functions around every request, for logging and tracing. The first one is the outermost. */
  readonly middleware?: readonly Middleware[];
  /** Maximum number of retries of a request that cannot have run, or has no effect when it runs twice. Default: 3. */
  readonly retries?: number;
  /** Longest wait before a retry in milliseconds. A longer `Retry-After` fails immediately. Default: 60,000. */
  readonly retryDelayMaxMs?: number;
  /** Time limit of a request that is not a query or download, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /**
   * Longest silence of a stream of rows in milliseconds, before it counts as cut. Default: 60,000. The host sends a heartbeat every
   * `SSE_HEARTBEAT_INTERVAL` (15 s).
   */
  readonly idleTimeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface ClientSettings {
  readonly tenant: string;
  readonly urls: { readonly stream: string; readonly api: string };
  readonly middleware: readonly Middleware[];
  readonly retries: number;
  readonly retryDelayMaxMs: number;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly fetch: typeof fetch;
  /** Whether `fetch` is the one of the platform. */
  readonly isGlobalFetch: boolean;
}

function baseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError(`${name} must be an http or https URL, such as https://acme-api.example.com.`);
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(`${name} must not contain a user name, a query or a fragment.`);
  return url.href.replace(/\/+$/, '');
}

function atLeast(name: string, value: number | undefined, min: number, fallback: number): number {
  if (value === undefined) return fallback;
  if (!Number.isFinite(value) || value < min) throw new TypeError(`${name} must be a number of at least ${min}.`);
  return value;
}

/**
 * Checks the options and fills in the defaults.
 * @throws TypeError naming the first option that is not valid.
 */
export function readClientOptions(options: Omit<ClientOptions, 'auth'>): ClientSettings {
  if (typeof options.tenant !== 'string' || options.tenant === '') throw new TypeError('tenant must be a name.');
  return {
    tenant: options.tenant,
    urls: { stream: baseUrl('streamUrl', options.streamUrl), api: baseUrl('apiUrl', options.apiUrl) },
    middleware: options.middleware ?? [],
    retries: atLeast('retries', options.retries, 0, 3),
    retryDelayMaxMs: atLeast('retryDelayMaxMs', options.retryDelayMaxMs, 0, 60_000),
    timeoutMs: atLeast('timeoutMs', options.timeoutMs, 1, 60_000),
    idleTimeoutMs: atLeast('idleTimeoutMs', options.idleTimeoutMs, 1, 60_000),
    // A method of `window` must be called on it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    isGlobalFetch: options.fetch === undefined,
  };
}
