import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import type { TrinoLimits } from './profile.ts';
import { withRetries } from './retry.ts';
import type { Segment, StoredSegment } from './spooled-segments.ts';
import { unavailable } from './transport-failure.ts';

interface SegmentFetcherOptions {
  readonly http: HttpClient;
  readonly origin: string;
  /** Further origins of segments. */
  readonly segmentOrigins: readonly string[];
  /** Headers of requests to Trino's own origin; a store has separate ones. */
  readonly headers: OutgoingHttpHeaders;
  readonly limits: TrinoLimits;
  readonly signal: AbortSignal;
}

interface FetchedSegment {
  readonly segment: Segment;
  readonly bytes: Buffer;
}

const REDIRECTS: ReadonlySet<number> = new Set([302, 303, 307]);

/** Fetches the segments of a page in order, ahead of the reader as far as its memory limit allows. */
export class SegmentFetcher {
  readonly #options: SegmentFetcherOptions;

  constructor(options: SegmentFetcherOptions) {
    this.#options = options;
  }

  async *fetch(segments: readonly Segment[]): AsyncGenerator<FetchedSegment> {
    const { limits } = this.#options;
    const ahead: { readonly segment: Segment; readonly bytes: Promise<Buffer>; readonly room: number }[] = [];
    let next = 0;
    let held = 0;
    while (next < segments.length || ahead.length > 0) {
      for (let segment = segments[next]; segment !== undefined; segment = segments[next]) {
        const room = segment.bytes ?? limits.pageBytesMax;
        if (ahead.length > 0 && held + room > limits.aheadBytesMax) break;
        const bytes = this.#bytesOf(segment);
        bytes.catch(() => undefined); // awaited when it is its turn
        ahead.push({ segment, bytes, room });
        held += room;
        next += 1;
      }
      const first = ahead.shift();
      if (first === undefined) return;
      yield { segment: first.segment, bytes: await first.bytes };
      held -= first.room;
    }
  }

  async #bytesOf(segment: Segment): Promise<Buffer> {
    if (segment.kind === 'inline') return segment.data;
    const response = await this.#get(this.#allowed(segment.uri), segment.headers);
    const moved = REDIRECTS.has(response.status) ? response.headers.location : undefined;
    const { status, body } = moved === undefined ? response : await this.#get(this.#allowed(moved), segment.headers);
    if (status !== 200)
      throw unavailable(`A part of the result could not be fetched from Trino’s storage (HTTP ${status}).`);
    this.#acknowledge(segment);
    return body;
  }

  /**
   * A segment without acknowledgement is dropped by age, so nothing depends on this request; it may outlive the end of the
   * result.
   */
  #acknowledge({ ackUri, headers }: StoredSegment): void {
    if (ackUri === undefined || !this.#isAllowed(ackUri)) return;
    this.#options.http.send(this.#request(ackUri, headers)).catch(() => undefined);
  }

  #get(url: string, own: StoredSegment['headers']): Promise<HttpResponse> {
    const { http, limits, signal } = this.#options;
    const request = { ...this.#request(url, own), signal };
    return withRetries(() => http.send(request), { retryForMs: limits.retryForMs, signal });
  }

  #request(url: string, own: StoredSegment['headers']): HttpRequest {
    const { origin, limits } = this.#options;
    const isTrino = new URL(url).origin === origin;
    const headers = { ...(isTrino ? this.#options.headers : {}), ...mutable(own) };
    return { method: 'GET', url, headers, bytesMax: limits.pageBytesMax, timeoutMs: limits.answerTimeoutMs };
  }

  #allowed(uri: string): string {
    if (this.#isAllowed(uri)) return uri;
    throw unavailable('Trino stores parts of the result at an address that is not among the configured ones.');
  }

  #isAllowed(uri: string): boolean {
    if (!URL.canParse(uri)) return false;
    const { origin } = new URL(uri);
    return origin === this.#options.origin || this.#options.segmentOrigins.includes(origin);
  }
}

const mutable = (headers: StoredSegment['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));
