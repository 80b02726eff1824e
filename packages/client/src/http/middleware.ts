/** One attempt of a request, before the credential is added. Middleware may add headers. */
export interface OutgoingRequest {
  /** OpenAPI operationId, such as `streamQuery`. */
  readonly operation: string;
  readonly host: 'stream' | 'api';
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Runs around one attempt of a request: call `next` and return its response. It never sees credentials, so a request can be logged
 * as it is. It must not read the body of the response.
 */
export type Middleware = (request: OutgoingRequest, next: () => Promise<Response>) => Promise<Response>;

/** Nests functions around `send`; the first one is the outermost. */
export const runMiddleware = (
  middleware: readonly Middleware[],
  request: OutgoingRequest,
  send: () => Promise<Response>,
): Promise<Response> =>
  middleware.reduceRight<() => Promise<Response>>((next, each) => async () => each(request, next), send)();
