import type { Tenant } from '@sluice/contract';
import type { Request, Response } from 'express';

/** Checks whether pages of an origin may read responses. `tenant` is set if the host name or path names one. */
export type AllowedOrigins = (origin: string, tenant: Tenant | undefined) => boolean;

const REQUEST_HEADERS =
  'content-type, idtoken, authorization, if-match, idempotency-key, last-event-id, x-request-id, traceparent, range, if-range, if-none-match';
const EXPOSED_HEADERS =
  'content-disposition, x-query-id, x-request-id, retry-after, etag, accept-ranges, content-range, repr-digest';
const PREFLIGHT_SECONDS = '600';

/** Allows a page of an allowed origin to read the response, also an error. Cookies are never sent across origins. */
export function allowOrigin(exchange: { req: Request; res: Response }, isAllowed: boolean): void {
  const origin = exchange.req.get('origin');
  if (origin === undefined || !isAllowed) return;
  exchange.res.setHeader('access-control-allow-origin', origin);
  exchange.res.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
}

/** Whether the page that sent the request may read the response. */
export const isReadableByOrigin = ({ res }: { readonly res: Response }): boolean =>
  res.hasHeader('access-control-allow-origin');

export const isPreflight = (req: Request): boolean =>
  req.method === 'OPTIONS' && req.get('origin') !== undefined && req.get('access-control-request-method') !== undefined;

/** Sets the headers of a CORS preflight (Fetch standard). */
export function allowPreflight(res: Response, methods: readonly string[]): void {
  if (!isReadableByOrigin({ res })) return;
  res.setHeader('access-control-allow-methods', methods.join(', '));
  res.setHeader('access-control-allow-headers', REQUEST_HEADERS);
  res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
}
