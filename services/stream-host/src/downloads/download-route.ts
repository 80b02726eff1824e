import { type Caller, callerOf, type Operation } from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import { type Route, type RouteRequest, type RouteResponse, route, stream } from '@sluice/http';
import type { PreparedDownload, Transfer } from '../use-cases/queries/prepared-download.ts';
import { sendFile } from './send-file.ts';

type InputOf<O extends Operation> = Pick<RouteRequest<O>, 'params' | 'query' | 'body'>;

/** A download operation. It is prepared alike for a request of its own, for HEAD and for a ticket. */
export interface DownloadRoute {
  readonly operation: Operation;
  /** Checks that the caller may start the download now. The permission of the operation was checked before. */
  prepare(caller: Caller, input: InputOf<Operation>): Promise<PreparedDownload>;
}

export function downloadRoute<const O extends Operation>(
  operation: O,
  prepare: (caller: Caller, input: InputOf<O>) => Promise<PreparedDownload>,
): DownloadRoute {
  // The input was validated by the schemas of this operation, so the erased type equals the declared one.
  return { operation, prepare: prepare as unknown as DownloadRoute['prepare'] };
}

/** Serves a download at its own path. HEAD runs nothing and is not recorded. */
export const serveDownload = ({ operation, prepare }: DownloadRoute): Route =>
  route(operation, async (request) => {
    const download = await prepare(callerOf(request), request);
    return request.isHead ? fileHeaders(download) : await sendDownload(download, request);
  });

const headersOf = ({ file }: PreparedDownload): Readonly<Record<string, string>> => ({
  'content-disposition': contentDisposition(file.filename, file.extension),
});

/** Returns the headers of the file, without its length, hash and query id, which only a run has. */
const fileHeaders = (download: PreparedDownload): RouteResponse =>
  stream({
    status: 200,
    mediaType: download.file.mediaType,
    headers: { 'x-accel-buffering': 'no', ...headersOf(download) },
    body: NOTHING,
  });

const NOTHING: AsyncIterable<Uint8Array> = (async function* () {})();

/** Starts a download and sends its file. */
export async function sendDownload(
  download: PreparedDownload,
  { signal, reader, log, queryId }: Transfer & Pick<RouteRequest, 'log'>,
): Promise<RouteResponse> {
  const run = await download.start({ signal, reader, ...(queryId === undefined ? {} : { queryId }) });
  const { mediaType, filename, extension } = download.file;
  const answer = await sendFile(run, { mediaType, contentDisposition: contentDisposition(filename, extension) });
  // The download is already granted, so it continues when the count fails.
  if (answer.status === 200)
    await download.count?.().catch((err: unknown) => log.warn({ err }, 'a download was not counted'));
  return answer;
}
