import type { ProblemError } from '@sluice/contract';

/** Headers by name. An array has several values of one name (`set-cookie`). */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface BodyResponse {
  readonly kind: 'body';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Absent for a status without a body. */
  readonly body?: Uint8Array;
}

export interface StreamResponse {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * Pulled only as fast as the client reads. If it throws before its first chunk, the client gets a normal error response, which
   * keeps `x-query-id` of these headers. After that (or after the headers are flushed) the connection is cut, so that the client
   * detects the truncation. Its `return()` always runs and is awaited.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Called after the last use of a chunk, whose memory may be used again then. Not called if the response fails. */
  readonly onWritten: ((chunk: Uint8Array) => void) | undefined;
  /** Sends the headers within milliseconds instead of with the first chunk. Used for Server-Sent Events. */
  readonly flushHeaders: boolean;
  /** JSON of a problem before the first byte, if it is not the error JSON. */
  readonly problemBody: ProblemBody | undefined;
  /** The body logs why it failed, so the kernel does not repeat it. */
  readonly logsFailures: boolean;
}

export type ProblemBody = (problem: ProblemError) => object;

export type RouteResponse = BodyResponse | StreamResponse;

const encoder = new TextEncoder();
const NO_STORE = { 'cache-control': 'no-store' };

/** Returns a JSON response with `no-store`, unless `headers` override it. */
export const json = (status: number, body: unknown, headers: ResponseHeaders = {}): BodyResponse => ({
  kind: 'body',
  status,
  headers: { 'content-type': 'application/json', ...NO_STORE, ...headers },
  body: encoder.encode(JSON.stringify(body)),
});

export const html = (status: number, page: string, headers: ResponseHeaders = {}): BodyResponse => ({
  kind: 'body',
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...NO_STORE, ...headers },
  body: encoder.encode(page),
});

/** Returns a response with encoded bytes, such as a style sheet. */
export const bytes = (
  status: number,
  mediaType: string,
  body: Uint8Array,
  headers: ResponseHeaders = {},
): BodyResponse => ({
  kind: 'body',
  status,
  headers: { 'content-type': mediaType, ...NO_STORE, ...headers },
  body,
});

/** Returns a redirect: 302 after a GET, 303 after a POST. */
export const redirect = (status: 302 | 303, location: string, headers: ResponseHeaders = {}): BodyResponse => ({
  kind: 'body',
  status,
  headers: { location, ...NO_STORE, ...headers },
});

export const noContent = (headers: ResponseHeaders = {}): BodyResponse => ({ kind: 'body', status: 204, headers });

export const stream = (options: {
  readonly status: number;
  readonly mediaType: string;
  readonly headers?: ResponseHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  readonly onWritten?: (chunk: Uint8Array) => void;
  readonly flushHeaders?: boolean;
  readonly problemBody?: ProblemBody;
  readonly logsFailures?: boolean;
}): StreamResponse => ({
  kind: 'stream',
  status: options.status,
  headers: { 'content-type': options.mediaType, ...NO_STORE, ...options.headers },
  body: options.body,
  onWritten: options.onWritten,
  flushHeaders: options.flushHeaders ?? false,
  problemBody: options.problemBody,
  logsFailures: options.logsFailures ?? false,
});
