import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode } from '@sluice/contract';
import { requestIdOf } from '../request/request-id.ts';
import { SECURITY_HEADERS } from '../response/security-headers.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemOf(code: string | undefined): { code: ProblemCode; status: number; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The request line and headers must have at most 16 KiB.';
    return { code: 'headers_too_large', status: PROBLEMS.headers_too_large.status, message };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const message = 'The request was not sent in time.';
    return { code: 'request_timeout', status: PROBLEMS.request_timeout.status, message };
  }
  return { code: 'invalid_request', status: 400, message: 'This is not a valid HTTP/1.1 request.' };
}

/** `_httpMessage` is the response in progress, which Node exposes only on the socket. */
type ClientSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Whether the client would read an error as a part of the response in progress, or as the response to a request that was read. */
const hasOtherMeaning = ({ _httpMessage }: ClientSocket): boolean =>
  _httpMessage != null && (_httpMessage.headersSent || _httpMessage.req.complete);

/**
 * Sends the error JSON for a request that Node cannot parse, and closes the connection. Repeats nothing of the request. After a response
 * that ended the connection, none is sent.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: ClientSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasOtherMeaning(socket)) {
    socket.destroy();
    return;
  }
  const { code, status, message } = problemOf(error.code);
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify({ error: code, message, request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
