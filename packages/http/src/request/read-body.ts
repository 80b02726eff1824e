import { ProblemError } from '@sluice/contract';
import type { Request, Response } from 'express';
import type { AnonymousBodies } from './anonymous-bodies.ts';

export const tooLarge = (bytesMax: number) =>
  new ProblemError('payload_too_large', `The body must have at most ${bytesMax} bytes.`);

export const clientGone = () =>
  new ProblemError('query_cancelled', 'The client closed the connection before its request was complete.');

/** Time limit for a body that is read into memory, from the start of reading. */
const BODY_MS = 30_000;

const tooSlow = () => new ProblemError('request_timeout', `The body was not sent within ${BODY_MS / 1000} s.`);

interface ReadBodyOptions {
  readonly bytesMax: number;
  /** Set for an unauthenticated client, whose body counts against these limits. */
  readonly anonymousBodies?: AnonymousBodies | undefined;
}

/** Buffer for the bytes of a body as they arrive. */
interface BodyBuffer {
  /** Maximum memory of the buffer. */
  readonly capacity: number;
  add(chunk: Buffer, at: number): void;
  take(bytes: number): Buffer;
}

const FIRST_BYTES = 16 * 1024;

/** Buffer that doubles as needed. Chunks are not kept: a client may send each byte separately, and each chunk takes 100 bytes more. */
function growingBuffer(capacity: number): BodyBuffer {
  let buffer = Buffer.allocUnsafe(Math.min(capacity, FIRST_BYTES));
  const grow = (bytes: number): void => {
    const larger = Buffer.allocUnsafe(Math.min(capacity, Math.max(bytes, 2 * buffer.length)));
    buffer.copy(larger);
    buffer = larger;
  };
  return {
    capacity,
    add(chunk, at) {
      if (at + chunk.length > buffer.length) grow(at + chunk.length);
      chunk.copy(buffer, at);
    },
    take: (bytes) => buffer.subarray(0, bytes),
  };
}

/** Buffer of fixed size, whose memory counts from its start. */
const fixedBuffer = (capacity: number): BodyBuffer => {
  const buffer = Buffer.allocUnsafe(capacity);
  return { capacity, add: (chunk, at) => void chunk.copy(buffer, at), take: (bytes) => buffer.subarray(0, bytes) };
};

/**
 * Reads the whole body, at most `bytesMax` bytes. `100 Continue` is sent here, after all checks that can reject the request
 * without its body.
 */
export function readBody(req: Request, res: Response, { bytesMax, anonymousBodies }: ReadBodyOptions): Promise<Buffer> {
  const declared = req.headers['content-length'];
  if (Number(declared ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  if (req.destroyed) return Promise.reject(clientGone());
  const capacity = Number(declared ?? bytesMax);
  const buffer = anonymousBodies === undefined ? growingBuffer(capacity) : fixedBuffer(capacity);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let close: (() => void) | undefined;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      req.off('data', collect).off('end', end).off('close', gone).off('error', gone);
      close?.();
      outcome();
    };
    const refuse = (problem: ProblemError) => settle(() => reject(problem));
    const collect = (chunk: Buffer) => {
      if (bytes + chunk.length > bytesMax) return refuse(tooLarge(bytesMax));
      buffer.add(chunk, bytes);
      bytes += chunk.length;
    };
    const end = () => settle(() => resolve(buffer.take(bytes)));
    const gone = () => refuse(clientGone());
    const timer = setTimeout(() => refuse(tooSlow()), BODY_MS);
    close = anonymousBodies?.add({ bytes: buffer.capacity, refuse });
    req.on('data', collect).on('end', end).on('close', gone).on('error', gone);
  });
}
