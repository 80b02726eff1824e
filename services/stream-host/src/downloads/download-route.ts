import { asProblem, type Caller, callerOf, type Operation, type ProblemError } from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import { bytes, type Route, type RouteRequest, type RouteResponse, route, stream } from '@sluice/http';
import type { ResultDownload } from '../use-cases/queries/download-kept-result.ts';
import type { PreparedDownload, Transfer } from '../use-cases/queries/prepared-download.ts';
import type { QueryRun } from '../use-cases/queries/query-run.ts';
import { sendResultDownload } from './result-download.ts';

interface SentFile {
  readonly mediaType: string;
  readonly contentDisposition: string;
}

/** Sends nothing before the first rows are available, so that an earlier failure is an ordinary error response. */
async function sendFile(run: QueryRun, file: SentFile): Promise<RouteResponse> {
  try {
    await run.begin();
  } catch (thrown) {
    return failedFile(run, asProblem(thrown));
  }
  return stream({
    status: 200,
    mediaType: file.mediaType,
    headers: {
      'x-query-id': run.queryId,
      'x-accel-buffering': 'no',
      'content-disposition': file.contentDisposition,
    },
    body: run.fileBody(),
    onWritten: (chunk) => run.releaseChunk(chunk),
    logsFailures: true,
  });
}

/** Includes the query id, so that the client can find the receipt. The kernel writes the error when the format has no body for a failure. */
function failedFile(run: QueryRun, problem: ProblemError): RouteResponse {
  const headers = { 'x-query-id': run.queryId };
  const body = run.failedBody(problem);
  if (body === undefined) {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
    return stream({
      status: problem.status,
      mediaType: 'application/json',
      headers,
      body: failing,
      logsFailures: true,
    });
  }
  const retry = problem.retryAfterSeconds ?? (problem.status === 503 ? 1 : undefined);
  return bytes(problem.status, 'application/json', body, {
    ...headers,
    ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
  });
}

type InputOf<O extends Operation> = Pick<RouteRequest<O>, 'params' | 'query' | 'body'>;

/** A download operation. It is prepared alike for a request of its own, for HEAD and for a ticket. */
export interface DownloadRoute {
  readonly operation: Operation;
  /** Checks that the caller may start the download now. The permission of the operation was checked before. */
  prepare(caller: Caller, input: InputOf<Operation>): Promise<AnyDownload>;
}

/** A download that runs statements, or one of a kept result. */
export type AnyDownload = PreparedDownload | ResultDownload;

export function downloadRoute<const O extends Operation>(
  operation: O,
  prepare: (caller: Caller, input: InputOf<O>) => Promise<AnyDownload>,
): DownloadRoute {
  // The input was validated by the schemas of this operation, so the erased type equals the declared one.
  return { operation, prepare: prepare as unknown as DownloadRoute['prepare'] };
}

/** Serves a download at its own path. */
export const serveDownload = ({ operation, prepare }: DownloadRoute): Route =>
  route(operation, async (request) => sendDownload(await prepare(callerOf(request), request), request));

type SentRequest = Transfer & Pick<RouteRequest, 'headers' | 'isHead' | 'log' | 'requestId'>;

/** Sends the file of a download. HEAD runs no statement and is not recorded. */
export async function sendDownload(download: AnyDownload, request: SentRequest): Promise<RouteResponse> {
  if ('record' in download) return await sendResultDownload(download, request);
  return request.isHead ? fileHeaders(download) : await startDownload(download, request);
}

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

async function startDownload(
  download: PreparedDownload,
  { signal, reader, log, queryId }: SentRequest,
): Promise<RouteResponse> {
  const run = await download.start({ signal, reader, ...(queryId === undefined ? {} : { queryId }) });
  const { mediaType, filename, extension } = download.file;
  const answer = await sendFile(run, { mediaType, contentDisposition: contentDisposition(filename, extension) });
  // The download is already granted, so it continues when the count fails.
  if (answer.status === 200)
    await download.count?.().catch((err: unknown) => log.warn({ err }, 'a download was not counted'));
  return answer;
}
