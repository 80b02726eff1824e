import type { CannedResponse } from '@sluice/testkit';

const JSON_TYPE = { 'content-type': 'application/json', 'x-request-id': 'r1' };

/** Error of a host. */
export const errorOf = (status: number, code: string, message: string, retryAfter?: string): CannedResponse => ({
  status,
  headers: retryAfter === undefined ? JSON_TYPE : { ...JSON_TYPE, 'retry-after': retryAfter },
  body: JSON.stringify({ error: code, message, request_id: 'r1' }),
});

/** Page of a proxy or portal. */
export const pageOf = (status: number): CannedResponse => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Bad Gateway</h1></body></html>',
});

export const UNAUTHORIZED = errorOf(401, 'unauthorized', 'The token has expired. Log in again.');

export const tooMany = (seconds?: string): CannedResponse =>
  errorOf(429, 'too_many_requests', 'Too many of your queries run. Wait for one of them to end.', seconds);

export const unavailable = (seconds: string): CannedResponse =>
  errorOf(503, 'shutting_down', 'The host is shutting down. Try again.', seconds);
