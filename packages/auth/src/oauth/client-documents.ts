import { ProblemError } from '@sluice/contract';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import { createOutgoingFetch } from '../oidc-client/outgoing-fetch.ts';
import type { Clock } from '../ports.ts';
import { InvalidClientDocument, readClientDocument } from './client-document.ts';
import type { OAuthClient } from './oauth-clients.ts';

/** Metadata documents of programs, at the addresses that are their client ids. */
export interface ClientDocuments extends AsyncDisposable {
  /**
   * Reads the client of a document. Throws `InvalidClientDocument`, `too_many_requests`, and `service_unavailable` if the document cannot be
   * read or its address is not allowed.
   */
  read(clientId: string): Promise<OAuthClient>;
}

export interface ClientDocumentsOptions {
  /** Hosts that may have private addresses (`privateHosts`). */
  readonly privateHosts: readonly string[];
  readonly timeoutMs?: number;
  readonly now?: Clock;
}

/** The draft recommends 5 KiB (section 6.6); some documents have translated names. */
const DOCUMENT_BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 5000;
const READING_MAX = 8;
const WAITING_MAX = 32;
const CACHED_MAX = 500;
const CACHED_MS_MIN = 60_000;
const CACHED_MS_MAX = 3_600_000;
const CACHED_MS_DEFAULT = 300_000;

/** Returns the time for which a response may be used again (RFC 9111 section 5.2.2), within the limits of this host. */
function cacheTimeMs(control: string | null): number {
  if (control === null) return CACHED_MS_DEFAULT;
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const [, seconds] = /\bmax-age=(\d{1,9})\b/i.exec(control) ?? [];
  if (seconds === undefined) return CACHED_MS_DEFAULT;
  return Math.min(CACHED_MS_MAX, Math.max(CACHED_MS_MIN, Number(seconds) * 1000));
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidClientDocument('it is not JSON');
  }
};

const unavailable = (cause: unknown): ProblemError =>
  new ProblemError('service_unavailable', 'The description of the program could not be read.', { cause });

interface ReadDocument {
  readonly client: OAuthClient;
  readonly cacheMs: number;
}

/** Opens a reader of documents. It keeps valid documents for a while, and no errors. */
export function createClientDocuments(options: ClientDocumentsOptions): ClientDocuments {
  const { privateHosts, timeoutMs = TIMEOUT_MS, now = Date.now } = options;
  const outgoing = createOutgoingFetch({ privateHosts });
  const limited = createConcurrencyLimit({
    runningMax: READING_MAX,
    waitingMax: WAITING_MAX,
    rejection: 'too_many_logins',
  });
  /** A Map keeps the order of insertion, so the oldest entries come first. */
  const cached = new Map<string, { readonly client: OAuthClient; readonly untilMs: number }>();
  const running = new Map<string, Promise<ReadDocument>>();

  const fetchText = async (clientId: string): Promise<{ readonly text: string; readonly cacheMs: number }> => {
    const response = await outgoing.fetch(clientId, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
    if (status !== 200 || !isJson) {
      await response.body?.cancel();
      // A redirect is not followed: the document would belong to another address.
      throw new InvalidClientDocument(status === 200 ? 'its media type is not JSON' : `its host returned ${status}`);
    }
    const text = await response.text();
    if (Buffer.byteLength(text) > DOCUMENT_BYTES_MAX)
      throw new InvalidClientDocument(`it has more than ${DOCUMENT_BYTES_MAX} bytes`);
    return { text, cacheMs: cacheTimeMs(headers.get('cache-control')) };
  };

  const readNow = async (clientId: string): Promise<ReadDocument> => {
    let read: Awaited<ReturnType<typeof fetchText>>;
    try {
      read = await fetchText(clientId);
    } catch (thrown) {
      throw thrown instanceof InvalidClientDocument ? thrown : unavailable(thrown);
    }
    return { client: readClientDocument(clientId, parse(read.text)), cacheMs: read.cacheMs };
  };

  /** Requests for one document share its reading. */
  const readShared = (clientId: string): Promise<ReadDocument> => {
    const found = running.get(clientId);
    if (found !== undefined) return found;
    const reading = limited(() => readNow(clientId)).finally(() => running.delete(clientId));
    running.set(clientId, reading);
    return reading;
  };

  const keep = (clientId: string, { client, cacheMs }: ReadDocument): void => {
    cached.delete(clientId);
    if (cacheMs > 0) cached.set(clientId, { client, untilMs: now() + cacheMs });
    for (const oldest of cached.keys()) {
      if (cached.size <= CACHED_MAX) return;
      cached.delete(oldest);
    }
  };

  return {
    async read(clientId) {
      const known = cached.get(clientId);
      if (known !== undefined && known.untilMs > now()) return known.client;
      const read = await readShared(clientId);
      keep(clientId, read);
      return read.client;
    },
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}
