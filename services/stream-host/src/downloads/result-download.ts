import { ProblemError } from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import {
  contentRange,
  isMatched,
  json,
  notModified,
  type ResponseHeaders,
  type RouteRequest,
  type RouteResponse,
  requestedRange,
  stream,
  unsatisfiedRange,
} from '@sluice/http';
import type { RenderedFile } from '../queries/rendered-files.ts';
import type { ResultDownload } from '../use-cases/queries/download-kept-result.ts';
import { disposing } from '../use-cases/queries/open-kept-result.ts';

type FileRequest = Pick<RouteRequest, 'headers' | 'isHead' | 'requestId' | 'signal'>;

/**
 * Sends a file of a kept result, or the part of it that the request asks for (RFC 9110 sections 13 and 14). Only what is sent is recorded: not
 * HEAD, 304 and 416.
 */
export async function sendResultDownload(download: ResultDownload, request: FileRequest): Promise<RouteResponse> {
  const rendered = await download.open(request.signal);
  let isSent = false;
  try {
    const response = await respond(download, rendered, request);
    isSent = response.kind === 'stream' && !request.isHead;
    return response;
  } finally {
    if (!isSent) await rendered[Symbol.asyncDispose]();
  }
}

async function respond(
  download: ResultDownload,
  rendered: RenderedFile,
  { headers, isHead, requestId }: FileRequest,
): Promise<RouteResponse> {
  const { bytes } = rendered;
  const { mediaType } = download.file;
  // The entity tag is that of the content, so another version of the host that makes other bytes has another one.
  const entityTag = `"${rendered.sha256.toString('base64url')}"`;
  if (!isMatched(headers, entityTag))
    throw new ProblemError('precondition_failed', 'The file is not the one that If-Match names.');
  const unchanged = notModified(headers, entityTag);
  if (unchanged !== undefined) return unchanged;
  const common = headersOf(download, rendered, entityTag);
  const whole = { ...common, 'content-length': String(bytes) };
  if (isHead) return stream({ status: 200, mediaType, headers: whole, body: NOTHING });
  const range = requestedRange(headers, { bytes, entityTag });
  if (range === 'unsatisfiable') return unsatisfiable(bytes, requestId);
  if (range === undefined) {
    await download.record(undefined);
    return stream({ status: 200, mediaType, headers: whole, body: disposing(rendered.read(0, bytes), rendered) });
  }
  const { start, end } = range;
  await download.record(`${start}-${end - 1}`);
  const part = { 'content-length': String(end - start), 'content-range': contentRange(range, bytes) };
  const body = disposing(rendered.read(start, end), rendered);
  return stream({ status: 206, mediaType, headers: { ...common, ...part }, body });
}

const NOTHING: AsyncIterable<Uint8Array> = (async function* () {})();

const headersOf = (
  { queryId, file }: ResultDownload,
  { sha256 }: RenderedFile,
  entityTag: string,
): ResponseHeaders => ({
  'accept-ranges': 'bytes',
  // A proxy that compresses would change the ranges.
  'cache-control': 'no-store, no-transform',
  'content-disposition': contentDisposition(file.filename, file.extension),
  etag: entityTag,
  'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
  'x-query-id': queryId,
});

function unsatisfiable(bytes: number, requestId: string): RouteResponse {
  const { status, code, message } = new ProblemError(
    'range_not_satisfiable',
    `The file has ${bytes} bytes, and the range begins after its end.`,
  );
  return json(status, { error: code, message, request_id: requestId }, { 'content-range': unsatisfiedRange(bytes) });
}
