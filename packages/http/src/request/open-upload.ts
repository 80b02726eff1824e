import { type OperationUpload, ProblemError, type UploadMediaType } from '@sluice/contract';
import type { Request, Response } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { Upload } from '../model/upload.ts';
import { mediaTypeOf } from './media-type.ts';
import { clientGone, tooLarge } from './read-body.ts';

/** Longest wait for the next bytes of an upload. */
const STALL_MS = 30_000;

/** Upload with the bytes that were read so far, which are charged if it is refused. */
export interface OpenUpload extends Upload {
  readonly bytesRead: () => number;
}

/**
 * Opens the body of a request as a stream. Throws `unsupported_media_type`, and `payload_too_large` if the declared length exceeds the
 * limit, before a byte is read.
 */
export function openUpload({ contents, bytesMax }: OperationUpload, { req, res }: Exchange): OpenUpload {
  const mediaType = mediaTypeOf(req, Object.keys(contents) as UploadMediaType[]);
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  let bytesRead = 0;
  const bytes = readUpload(req, res, (count) => {
    bytesRead += count;
    if (bytesRead > bytesMax) throw tooLarge(bytesMax);
  });
  return { mediaType, bytes, bytesRead: () => bytesRead };
}

async function* readUpload(req: Request, res: Response, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  // A handler that stops early still has to send its response, so the socket stays open.
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { done, value } = await orStalled(chunks.next());
      if (done === true) return;
      count(value.length);
      yield value;
    }
  } finally {
    void chunks.return?.().catch(() => undefined);
  }
}

/** Resolves like the read. Rejects with a problem when the client stalls or is gone. */
async function orStalled<T>(read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow()), STALL_MS);
  });
  try {
    return await Promise.race([read, stalled]);
  } catch (thrown) {
    // Any other error of the socket means that the client is gone.
    throw thrown instanceof ProblemError ? thrown : clientGone();
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): ProblemError =>
  new ProblemError('request_timeout', `No byte of the body arrived within ${STALL_MS / 1000} s.`);
