import { callerOf, streamOperations } from '@sluice/contract';
import { contentDisposition, type FormatSpec } from '@sluice/encoders';
import { type Route, type RouteRequest, type RouteResponse, route } from '@sluice/http';
import type { StartQuery } from '../../use-cases/queries/start-query.ts';
import { sendFile } from '../send-file.ts';

/** POST /query/download/json: a result set that stays valid JSON however it ends. */
export const queryDownloadJsonRoute = (startQuery: StartQuery): Route =>
  route(streamOperations.downloadJson, (request) =>
    download(startQuery, request, {
      mediaType: 'application/json',
      extension: 'json',
      format: { name: 'json', formulas: 'keep' },
    }),
  );

/** POST /query/download/csv: a failed one is cut, because CSV has no words for a failure. */
export const queryDownloadCsvRoute = (startQuery: StartQuery): Route =>
  route(streamOperations.downloadCsv, (request) =>
    download(startQuery, request, {
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

async function download(startQuery: StartQuery, request: DownloadRequest, kind: DownloadKind): Promise<RouteResponse> {
  const { sql, filename, big_numbers, time_zone } = request.body;
  const run = await startQuery(callerOf(request), {
    action: 'DOWNLOAD_QUERY',
    sql,
    format: { ...kind.format, bigNumbers: big_numbers ?? 'number', progress: 'hidden' },
    timeZone: time_zone ?? 'UTC',
    rowsMax: undefined,
    metadata: { format: kind.format.name, filename },
    signal: request.signal,
    reader: request.reader,
  });
  return await sendFile(run, {
    mediaType: kind.mediaType,
    contentDisposition: contentDisposition(filename, kind.extension),
  });
}
