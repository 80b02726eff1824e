import { defineProblems } from './problem-definition.ts';

/** Reasons to reject a request, whatever its route. */
export const REQUEST_PROBLEMS = defineProblems({
  invalid_request: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request does not match its schema. `details` lists every violation.',
  },
  malformed_json: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is not valid JSON, or is nested deeper than 64 levels.',
  },
  invalid_page_token: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The page token is unknown, expired, or belongs to another caller or list. Start again without it.',
  },
  ambiguous_credentials: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The request has more than one credential, or the same credential header twice. Send exactly one.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    logLevel: 'info',
    summary: 'The credential is missing or not valid on this host. `WWW-Authenticate` names the accepted schemes.',
  },
  invalid_client: {
    status: 401,
    retryable: false,
    logLevel: 'info',
    summary: 'The client id or secret is wrong (RFC 6749 section 5.2).',
  },
  invalid_grant: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'The code, device code or refresh token is unknown, already used, expired, revoked or of another client (RFC 6749 section 5.2). Log in again.',
  },
  unsupported_grant_type: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The token endpoint does not support this `grant_type` (RFC 6749 section 5.2).',
  },
  invalid_scope: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'A value in `scope` is not a permission, or was not granted (RFC 6749 section 5.2).',
  },
  unauthorized_client: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The program may not use this way to log in (RFC 6749 section 5.2).',
  },
  invalid_target: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'A value of `resource` is not the address of a host, or was not granted (RFC 8707 section 2).',
  },
  authorization_pending: {
    status: 400,
    retryable: true,
    logLevel: 'debug',
    summary: 'The user has not decided yet (RFC 8628 section 3.5). Ask again after the interval.',
  },
  slow_down: {
    status: 400,
    retryable: true,
    logLevel: 'info',
    summary: 'The device asked too early (RFC 8628 section 3.5). Wait 5 s longer from now on.',
  },
  expired_token: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary: 'The device code has expired (RFC 8628 section 3.5). Begin again.',
  },
  grant_denied: {
    status: 400,
    retryable: false,
    logLevel: 'info',
    summary:
      'The user denied the login of the device. The token endpoint sends it as `access_denied` (RFC 8628 section 3.5).',
  },
  access_denied: {
    status: 403,
    retryable: false,
    logLevel: 'info',
    summary: 'The caller is authenticated but lacks the permission that the message names.',
  },
  not_found: {
    status: 404,
    retryable: false,
    logLevel: 'debug',
    summary: 'The path, tenant or object does not exist, or the caller may not see it.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    logLevel: 'debug',
    summary: 'The path does not support this method. `Allow` lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    logLevel: 'info',
    summary:
      'The client sent too slowly: headers must arrive within 20 seconds, a body within 30, the body of a login within 10. A metadata file may take ten minutes, if it never pauses for 30 seconds.',
  },
  conflict: {
    status: 409,
    retryable: false,
    logLevel: 'info',
    summary: 'The current state of the object does not allow this.',
  },
  gone: {
    status: 410,
    retryable: false,
    logLevel: 'info',
    summary:
      'The page of a result was read before and is not kept any more, or the result was kept under another key. Run the statement again.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    logLevel: 'info',
    summary: 'The object has changed since the version in `If-Match`. Read it again, then repeat the change.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is larger than the limit that the message names.',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    logLevel: 'info',
    summary: 'The body is compressed, or its media type is not one that the message names.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    logLevel: 'info',
    summary: 'This `Idempotency-Key` was used with a different request within 24 hours. Use a new key.',
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    logLevel: 'info',
    summary: 'A rate or concurrency limit is reached. Retry after the seconds in `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    logLevel: 'info',
    summary: 'The request line and headers are larger than 16 KiB, or 64 KiB at paths for clients of Trino.',
  },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    logLevel: 'info',
    summary: 'The requested range begins after the end of the file, whose length `Content-Range` says.',
  },
  http_version_not_supported: {
    status: 505,
    retryable: false,
    logLevel: 'info',
    summary: 'A download needs HTTP/1.1: over HTTP/1.0 a client cannot detect a truncated file.',
  },
});
