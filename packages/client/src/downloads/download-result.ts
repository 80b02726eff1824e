import { ResponseError } from '../errors.ts';
import type { DownloadOptions } from './download.ts';
import type { DownloadFormat } from './download-formats.ts';
import type { DownloadTarget, EarlierPart } from './download-target.ts';
import { ReceivedFile } from './received-file.ts';
import {
  type ResultFileContext,
  type ResultFormatOptions,
  type ResultPart,
  type ResultSource,
  ResultTransfer,
  requestPart,
} from './result-file.ts';

export interface ResultDownloadOptions extends DownloadOptions, ResultFormatOptions {}

/** Verified file of a kept result. */
export interface ResultDownload<Result> {
  /** Id of the query that ran. */
  readonly queryId: string;
  readonly bytes: number;
  /** SHA-256 in lower-case hex, which is that of the host. */
  readonly sha256: string;
  /** Result of the target: a Blob, the path of a file, or nothing for a stream. */
  readonly result: Result;
}

const RANGE_NOT_SATISFIABLE = 416;

/**
 * Requests a file, after the bytes of an earlier try if they are still of the same file.
 * @returns the first response, and the number of bytes of the earlier try that are used
 */
async function begin(
  context: ResultFileContext,
  source: ResultSource,
  earlier: EarlierPart | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly part: ResultPart; readonly startsAt: number }> {
  const whole = async () => ({
    part: await requestPart(context, source, { from: 0, etag: undefined, signal }),
    startsAt: 0,
  });
  if (earlier === undefined || earlier.bytes === 0) return await whole();
  const { bytes, etag } = earlier;
  try {
    const part = await requestPart(context, source, { from: bytes, etag, signal });
    if (part.start === 0) return { part, startsAt: 0 };
    if (etag === undefined || etag === part.etag) return { part, startsAt: bytes };
    await part.response.body?.cancel().catch(() => undefined);
  } catch (error) {
    // More bytes than the file has.
    if (!(error instanceof ResponseError) || error.status !== RANGE_NOT_SATISFIABLE) throw error;
  }
  return await whole();
}

/**
 * Downloads a kept result, across connections that are cut. Resolves only when length and SHA-256 of all bytes equal those of the host; until
 * then the target shows nothing under its name.
 * @throws ResponseError, IncompleteResultError, or SluiceError `target_failed`
 */
export async function downloadResult<Result>(
  context: ResultFileContext,
  source: Omit<ResultSource, 'options'>,
  target: DownloadTarget<Result>,
  options: ResultDownloadOptions = {},
): Promise<ResultDownload<Result>> {
  const { signal, idleTimeoutMs, onProgress, resumeAttempts, onResume, ...formatOptions } = options;
  const { queryId, format }: { readonly queryId: string; readonly format: DownloadFormat } = source;
  await target.prepare?.();
  const earlier = await target.findPart?.();
  const file = { queryId, format, options: formatOptions };
  const { part, startsAt } = await begin(context, file, earlier, signal);
  const { mediaType, etag, requestId } = part;
  const open = await target.open({ queryId, mediaType, etag, startsAt });
  const received = new ReceivedFile(open, { target, mediaType, ids: { queryId, requestId }, onProgress });
  try {
    if (startsAt > 0) await received.adopt(open.readEarlier?.(), startsAt);
    const transfer = new ResultTransfer(context, file, received, { idleTimeoutMs, signal, resumeAttempts, onResume });
    const sha256 = await transfer.receive(part);
    return { queryId, bytes: received.bytes, sha256, result: await open.commit() };
  } catch (error) {
    await part.response.body?.cancel().catch(() => undefined);
    await open.abort(error).catch(() => undefined);
    throw error;
  }
}
