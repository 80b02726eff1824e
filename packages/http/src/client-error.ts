import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode } from '@sluice/contract';
import { requestIdOf } from './request-id.ts';

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
    return { code: 'invalid_request', status: 408, message: 'The request was not sent in time.' };
  }
  return { code: 'invalid_request', status: 400, message: 'This is not a valid HTTP/1.1 request.' };
}

/**
 * Answers what Node cannot even parse, in our own form, and closes. There is no request to speak of, so nothing of what was
 * sent is repeated.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex & { bytesWritten?: number }): void {
  const isAnswered = '_httpMessage' in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
    // Within an answer any text of ours would be taken for a part of it.
    socket.destroy();
    return;
  }
  const { code, status, message } = problemOf(error.code);
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify({ error: code, message, request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
