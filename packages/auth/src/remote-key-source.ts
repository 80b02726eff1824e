import { ProblemError } from '@sluice/contract';
import type { CryptoKey, JWK } from 'jose';
import { importPublicKeys, type KeySource } from './key-source.ts';
import { isLoopbackHost } from './oidc-client/private-address.ts';
import type { Clock } from './ports.ts';

export interface RemoteKeySourceOptions {
  /** URL of the API host's JWKS. */
  readonly url: string;
  /** Default 2000. */
  readonly timeoutMs?: number;
  /** Age after which the set is fetched again in the background. Default 5 minutes. */
  readonly freshMs?: number;
  /** Time for which the last known keys are used while the set cannot be fetched. Default 24 hours. */
  readonly graceMs?: number;
  /** Minimum time between two fetches, also if a client invents `kid`s. Default 15 s: `planRevocation` counts on it. */
  readonly cooldownMs?: number;
  /** Minimum time between a failed fetch and the next. Default 1 s. */
  readonly retryMs?: number;
  readonly now?: Clock;
}

/**
 * Returns warnings about the URL of a key set, for the log. An attacker who can change the response can make the host accept other
 * keys, so plain http is only for loopback and for networks that only the operator uses.
 */
export function keySetWarnings(url: string): string[] {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1'))) return [];
  return [
    'JWKS_URL is plain http: an attacker who can change the response can sign tokens. Use https except on loopback.',
  ];
}

const SET_BYTES_MAX = 1_048_576;

const fetchSet = async (url: string, timeoutMs: number): Promise<Map<string, CryptoKey>> => {
  const response = await fetch(url, {
    redirect: 'error',
    // A cache between the hosts may serve the set for a minute: too long for a key that has just been published.
    headers: { accept: 'application/json', 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`The key set returned status ${response.status}.`);
  const text = await response.text();
  if (text.length > SET_BYTES_MAX) throw new Error('The key set is larger than 1 MiB.');
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('The key set has no keys.');
  return importPublicKeys(keys as JWK[]);
};

/**
 * Creates the key source of a host without private keys. An outage of the key set is 503, never 401, because a client discards a token
 * that is rejected with 401. Only the `kid` of a token is used before verification, and no address in it is ever fetched.
 */
export function createRemoteKeySource(options: RemoteKeySourceOptions): KeySource {
  const { timeoutMs = 2000, freshMs = 300_000, graceMs = 86_400_000, cooldownMs = 15_000, retryMs = 1000 } = options;
  const now = options.now ?? Date.now;
  let keys = new Map<string, CryptoKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let fetching: Promise<void> | undefined;

  /** Fetches the keys. Never rejects: the error is in `failure`. Concurrent callers share one fetch. */
  const refresh = (): Promise<void> => {
    fetching ??= (async () => {
      triedAt = now();
      try {
        keys = await fetchSet(options.url, timeoutMs);
        fetchedAt = now();
        failure = undefined;
      } catch (thrown) {
        failure = thrown;
      } finally {
        fetching = undefined;
      }
    })();
    return fetching;
  };

  const mayTry = (): boolean => now() - triedAt >= (failure === undefined ? cooldownMs : retryMs);
  const withinGrace = (): boolean => now() - fetchedAt < graceMs;

  return {
    async find(kid) {
      const known = keys.get(kid);
      if (known !== undefined && withinGrace()) {
        // The refresh runs in the background: no request waits for it or fails with it.
        if (now() - fetchedAt >= freshMs && mayTry()) void refresh();
        return known;
      }
      if (fetching !== undefined || mayTry()) await refresh();
      if (failure !== undefined) {
        throw new ProblemError('service_unavailable', 'Tokens cannot be verified at the moment. Try again soon.', {
          cause: failure,
          retryAfterSeconds: 1,
        });
      }
      return keys.get(kid);
    },
  };
}
