import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { type ClientKeySet, type ClientKeys, clientKeySet, ProblemError } from '@sluice/contract';
import { createOutgoingFetch, type OutgoingFetch } from '../oidc-client/outgoing-fetch.ts';

/** Public keys of clients: those in the account, and those at the address that the account names. */
export interface ClientKeySource extends AsyncDisposable {
  /** Throws `invalid_request` with the reason for an address to which this host sends no requests. */
  checkAddress(address: string): void;
  /** Returns the index of the first key that is not a key of its kind; undefined if there is none. */
  checkKeys(keys: ClientKeySet): number | undefined;
  /**
   * Returns the keys of a client; undefined for a client without keys. Keys of an address are kept for five minutes, and fetched again
   * when `keyId` is not among them. Throws `service_unavailable` when they cannot be fetched: older ones are not used instead.
   */
  find(keys: ClientKeys, keyId: string | undefined): Promise<ClientKeySet | undefined>;
}

export interface ClientKeySourceOptions {
  /** Entries `host` or `host:port`. */
  readonly privateHosts: readonly string[];
  /** Monotonic clock in milliseconds. Tests inject one. */
  readonly now?: () => number;
}

const KEEP_MS = 5 * 60_000;
/** Interval between two requests for keys that an address does not have. */
const UNKNOWN_KEY_MS = 30_000;
/** Time for which a failed request is not repeated. */
const FAILURE_MS = 5000;
const TIMEOUT_MS = 5000;
const ADDRESSES_MAX = 1000;
/** Keys of one address that are looked at. */
const KEYS_MAX = 100;

interface FetchedKeys {
  readonly keys: Promise<ClientKeySet>;
  readonly startedMs: number;
  hasFailed: boolean;
}

const unavailable = (cause: unknown): ProblemError =>
  new ProblemError(
    'service_unavailable',
    'The keys of this client cannot be fetched from its jwks_uri at present. Try again later.',
    { cause, retryAfterSeconds: FAILURE_MS / 1000 },
  );

/** Returns the keys that can sign assertions. A set may have others, such as keys for encryption (RFC 7517 section 5). */
function usableKeys(document: unknown): ClientKeySet {
  const listed: unknown = typeof document === 'object' && document !== null && 'keys' in document && document.keys;
  if (!Array.isArray(listed)) throw new TypeError('The document at the jwks_uri is not a key set.');
  const { element } = clientKeySet.shape.keys;
  return { keys: listed.slice(0, KEYS_MAX).flatMap((key) => element.safeParse(key).data ?? []) };
}

async function fetchKeys(outgoing: OutgoingFetch, address: string): Promise<ClientKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await outgoing.fetch(address, { method: 'GET', headers: { accept: 'application/json' }, signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new TypeError(`The jwks_uri responded with the status ${response.status}.`);
  }
  return usableKeys(JSON.parse(await response.text()));
}

const isKeyOfItsKind = (key: ClientKeySet['keys'][number]): boolean => {
  try {
    createPublicKey({ key: key as object as JsonWebKey, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
};

export function createClientKeySource({
  privateHosts,
  now = () => performance.now(),
}: ClientKeySourceOptions): ClientKeySource {
  const outgoing = createOutgoingFetch({ privateHosts });
  const fetched = new Map<string, FetchedKeys>();

  const start = (address: string): FetchedKeys => {
    const keys = fetchKeys(outgoing, address);
    const entry: FetchedKeys = { keys, startedMs: now(), hasFailed: false };
    keys.catch(() => {
      entry.hasFailed = true;
    });
    fetched.delete(address);
    const [oldest] = fetched.keys();
    if (fetched.size >= ADDRESSES_MAX && oldest !== undefined) fetched.delete(oldest);
    fetched.set(address, entry);
    return entry;
  };

  const current = (address: string): FetchedKeys => {
    const known = fetched.get(address);
    const isCurrent = known !== undefined && now() - known.startedMs < (known.hasFailed ? FAILURE_MS : KEEP_MS);
    return isCurrent ? known : start(address);
  };

  const fetchFrom = async (address: string, keyId: string | undefined): Promise<ClientKeySet> => {
    try {
      const entry = current(address);
      const set = await entry.keys;
      const isUnknown = keyId !== undefined && !set.keys.some(({ kid }) => kid === keyId);
      const mayBeNewer = isUnknown && now() - entry.startedMs >= UNKNOWN_KEY_MS;
      if (!mayBeNewer) return set;
      // Another request may have begun to fetch them meanwhile.
      const latest = fetched.get(address);
      return await (latest === undefined || latest === entry ? start(address) : latest).keys;
    } catch (thrown) {
      throw unavailable(thrown);
    }
  };

  return {
    checkAddress: (address) => outgoing.checkAddress(new URL(address)),
    checkKeys({ keys }) {
      const index = keys.findIndex((key) => !isKeyOfItsKind(key));
      return index === -1 ? undefined : index;
    },
    find: async ({ jwks, jwksUri }, keyId) => (jwksUri === null ? (jwks ?? undefined) : fetchFrom(jwksUri, keyId)),
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}
