import type { IncomingMessage } from 'node:http';
import { type Operation, ProblemError } from '@sluice/contract';

/** Maximum of the request line and headers of an operation that sets no other. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** `HTTP/1.1`, two spaces and the end of the line. */
const LINE_EXTRA = 12;
/** A colon, a space and the end of the line. */
const HEADER_EXTRA = 4;

/** Node.js decodes headers as Latin-1, so a character is a byte. */
function headerBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = method.length + url.length + LINE_EXTRA;
  for (const text of rawHeaders) bytes += text.length;
  return bytes + (rawHeaders.length / 2) * HEADER_EXTRA;
}

/**
 * Throws `headers_too_large`. The limit of a server is the largest of its operations, and Node.js refuses what exceeds that.
 * @param operation - undefined: the path is unknown
 */
export function checkHeaderBytes(req: IncomingMessage, operation: Pick<Operation, 'headerBytesMax'> | undefined): void {
  const bytesMax = operation?.headerBytesMax ?? HEADER_BYTES_MAX;
  if (headerBytesOf(req) <= bytesMax) return;
  throw new ProblemError('headers_too_large', `The request line and headers must have at most ${bytesMax / 1024} KiB.`);
}
