import { streamOperations } from '@sluice/contract';
import { contentDisposition, type FormatSpec } from '@sluice/encoders';
import { type Route, type RouteRequest, type RouteResponse, route } from '@sluice/http';
import { type StartQueryDependencies, startQuery } from '../../use-cases/queries/start-query.ts';
import { sendFile } from '../send-file.ts';

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

async function download(
  dependencies: StartQueryDependencies,
  request: DownloadRequest,
  kind: DownloadKind,
): Promise<RouteResponse> {
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
    reader: request.reader,
  });
  return await sendFile(run, {
    mediaType: kind.mediaType,
    contentDisposition: contentDisposition(filename, kind.extension),
  });
}
