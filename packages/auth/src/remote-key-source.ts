import { ProblemError } from '@sluice/contract';
import type { CryptoKey, JWK } from 'jose';
import { importPublicKeys, type KeySource } from './key-source.ts';
import { isLoopbackHost } from './oidc-client/private-address.ts';
import type { Clock } from './ports.ts';

export interface RemoteKeySourceOptions {
  /** The JWKS of the API host. */
  readonly url: string;
  /** Default 2000. */
  readonly timeoutMs?: number;
  /** After this the set is fetched again, in the background. Default 5 minutes. */
  readonly freshMs?: number;
  /** So long the last known keys serve while the set cannot be fetched. Default 24 hours. */
  readonly graceMs?: number;
  /** A stranger's kids cause at most one fetch in so long. Default 30 s. */
  readonly cooldownMs?: number;
  /** After a failed fetch the next waits so long. Default 1 s. */
  readonly retryMs?: number;
  readonly now?: Clock;
}

/**
 * Sentences about the address of a key set, for the log. An attacker who changes a response on its way can give the host other keys, so plain http is
 * for loopback, and for a network that only the operator is in.
 */
export function keySetWarnings(url: string): string[] {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1'))) return [];
  return [
    'JWKS_URL is plain http: an attacker who can change what travels there can sign tokens. Use https beyond loopback.',
  ];
}

const SET_BYTES_MAX = 1_048_576;

const fetchSet = async (url: string, timeoutMs: number): Promise<Map<string, CryptoKey>> => {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the key set answered ${response.status}`);
  const text = await response.text();
  if (text.length > SET_BYTES_MAX) throw new Error('the key set is too large');
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('the key set has no keys');
  return importPublicKeys(keys as JWK[]);
};

/**
 * The key source of a host that has public keys only. An outage of the key set is 503 and never 401: a client that is told
 * that its token is bad throws it away. Nothing of a token but its kid is ever used, and no address in it is ever fetched.
 */
export function createRemoteKeySource(options: RemoteKeySourceOptions): KeySource {
  const { timeoutMs = 2000, freshMs = 300_000, graceMs = 86_400_000, cooldownMs = 30_000, retryMs = 1000 } = options;
  const now = options.now ?? Date.now;
  let keys = new Map<string, CryptoKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let fetching: Promise<void> | undefined;

  /** Never rejects; `failure` tells. Many ask at once, one fetch is made. */
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
        // Served from what is known; nobody waits for the refresh, and it cannot fail anybody.
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
