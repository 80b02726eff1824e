import { asProblem, type ProblemError, streamOperations } from '@sluice/contract';
import { contentDisposition, type FormatSpec } from '@sluice/encoders';
import { type Answer, bytes, type Route, type RouteRequest, route, stream } from '@sluice/http';
import type { QueryRun } from '../use-cases/query-run.ts';
import { type StartQueryDependencies, startQuery } from '../use-cases/start-query.ts';

/** POST /query/download/json: a result set that stays valid JSON however it ends. */
export const queryDownloadJsonRoute = (dependencies: StartQueryDependencies): Route =>
  route(streamOperations.downloadJson, (request) =>
    download(dependencies, request, {
      mediaType: 'application/json',
      extension: 'json',
      format: { name: 'json', formulas: 'keep' },
    }),
  );

/** POST /query/download/csv: a failed one is cut, because CSV has no words for a failure. */
export const queryDownloadCsvRoute = (dependencies: StartQueryDependencies): Route =>
  route(streamOperations.downloadCsv, (request) =>
    download(dependencies, request, {
      mediaType: 'text/csv',
      extension: 'csv',
      format: { name: 'csv', formulas: request.body.excel_safe === true ? 'prefix' : 'keep' },
    }),
  );

type DownloadRequest =
  | RouteRequest<typeof streamOperations.downloadJson>
  | RouteRequest<typeof streamOperations.downloadCsv>;

interface DownloadKind {
  readonly mediaType: string;
  readonly extension: string;
  readonly format: Pick<FormatSpec, 'name' | 'formulas'>;
}

/** Nothing leaves before the first rows are there, so whatever fails until then is an ordinary error answer. */
async function download(
  dependencies: StartQueryDependencies,
  request: DownloadRequest,
  kind: DownloadKind,
): Promise<Answer> {
  const { sql, filename, big_numbers, time_zone } = request.body;
  const run = await startQuery(dependencies, {
    principal: request.principal,
    action: 'DOWNLOAD_QUERY',
    sql,
    format: { ...kind.format, bigNumbers: big_numbers ?? 'number', progress: 'hidden' },
    timeZone: time_zone ?? 'UTC',
    rowsMax: undefined,
    metadata: { format: kind.format.name, filename },
    requestId: request.requestId,
    address: request.address,
    userAgent: request.userAgent,
    signal: request.signal,
  });
  try {
    await run.begin();
  } catch (thrown) {
    return failedDownload(run, asProblem(thrown));
  }
  return stream({
    status: 200,
    mediaType: kind.mediaType,
    headers: {
      'x-query-id': run.queryId,
      'x-accel-buffering': 'no',
      'content-disposition': contentDisposition(filename, kind.extension),
    },
    body: run.fileBody(),
  });
}

/** Either way with the id, by which the receipt is found. The usual error is what the kernel makes of a body that throws. */
function failedDownload(run: QueryRun, problem: ProblemError): Answer {
  const headers = { 'x-query-id': run.queryId };
  const body = run.failedBody(problem);
  if (body === undefined) {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
    return stream({ status: problem.status, mediaType: 'application/json', headers, body: failing });
  }
  const retry = problem.retryAfterSeconds ?? (problem.status === 503 ? 1 : undefined);
  return bytes(problem.status, 'application/json', body, {
    ...headers,
    ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
  });
}
