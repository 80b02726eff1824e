import { ProblemError } from '@sluice/contract';
import type { Request, Response } from 'express';

const tooLarge = (bytesMax: number) =>
  new ProblemError('payload_too_large', `The body must have at most ${bytesMax} bytes.`);

const clientGone = () => new ProblemError('query_cancelled', 'The client closed the connection within its request.');

/**
 * The whole body, at most `bytesMax` of it. A client that waits for `100 Continue` is told to send only here, after
 * everything that can refuse it unread.
 */
export function readBody(req: Request, res: Response, bytesMax: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  if (req.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (outcome: () => void) => {
      req.off('data', collect).off('end', end).off('close', gone).off('error', gone);
      outcome();
    };
    const collect = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) settle(() => reject(tooLarge(bytesMax)));
      else chunks.push(chunk);
    };
    const end = () => settle(() => resolve(Buffer.concat(chunks, bytes)));
    const gone = () => settle(() => reject(clientGone()));
    req.on('data', collect).on('end', end).on('close', gone).on('error', gone);
  });
}
