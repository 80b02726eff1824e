import type { ProblemError } from '@sluice/contract';

/** Several values of one name (`set-cookie`) are an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface BodyResponse {
  readonly kind: 'body';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Absent where the status has no body. */
  readonly body?: Uint8Array;
}

export interface StreamResponse {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * Pulled only as fast as the client reads. When it throws before its first chunk the client gets the problem as an
   * ordinary error answer, which keeps `x-query-id` of these headers; after that (or once the headers are flushed) the connection is cut, so that what was sent cannot
   * look whole. Its `return()` runs in every case and is awaited.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Sends the headers at once instead of with the first chunk; for Server-Sent Events. */
  readonly flushHeaders: boolean;
  /** The JSON of a problem that comes before the first byte, where it is not the usual one. */
  readonly problemBody: ProblemBody | undefined;
}

export type ProblemBody = (problem: ProblemError) => object;

export type RouteResponse = BodyResponse | StreamResponse;

const encoder = new TextEncoder();
const NO_STORE = { 'cache-control': 'no-store' };

/** A value as JSON, not to be cached unless `headers` say otherwise. */
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

/** A body that is ready, as it stands: JSON made elsewhere, a style sheet. */
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

/** 302 leads on from a GET, 303 from a POST. */
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
  readonly flushHeaders?: boolean;
  readonly problemBody?: ProblemBody;
}): StreamResponse => ({
  kind: 'stream',
  status: options.status,
  headers: { 'content-type': options.mediaType, ...NO_STORE, ...options.headers },
  body: options.body,
  flushHeaders: options.flushHeaders ?? false,
  problemBody: options.problemBody,
});
