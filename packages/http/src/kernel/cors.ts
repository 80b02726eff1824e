import type { Tenant } from '@sluice/contract';
import type { Request, Response } from 'express';

/** Whether a page of that origin may read this host's answers; `tenant` where the host name or path has told it. */
export type AllowedOrigins = (origin: string, tenant: Tenant | undefined) => boolean;

const REQUEST_HEADERS = 'content-type, idtoken, authorization, if-match, idempotency-key, x-request-id, traceparent';
const EXPOSED_HEADERS = 'content-disposition, x-query-id, x-request-id, retry-after, etag';
const PREFLIGHT_SECONDS = '600';

/** Lets a page of an allowed origin read the answer, errors included. Cookies never cross origins. */
export function allowOrigin(exchange: { req: Request; res: Response }, isAllowed: boolean): void {
  const origin = exchange.req.get('origin');
  if (origin === undefined || !isAllowed) return;
  exchange.res.setHeader('access-control-allow-origin', origin);
  exchange.res.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
}

export const isPreflight = (req: Request): boolean =>
  req.method === 'OPTIONS' && req.get('origin') !== undefined && req.get('access-control-request-method') !== undefined;

/** What a browser asks before it sends a request that a form could not send (Fetch standard, CORS preflight). */
export function allowPreflight(res: Response, methods: readonly string[]): void {
  if (!res.hasHeader('access-control-allow-origin')) return;
  res.setHeader('access-control-allow-methods', methods.join(', '));
  res.setHeader('access-control-allow-headers', REQUEST_HEADERS);
  res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
}
