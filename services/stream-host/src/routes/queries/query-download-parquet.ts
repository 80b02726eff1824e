import { callerOf, ProblemError, streamOperations } from '@sluice/contract';
import { contentDisposition, PARQUET_MEDIA_TYPE } from '@sluice/encoders';
import { type Route, route } from '@sluice/http';
import type { EngineResolver } from '@sluice/tenant-engines';
import type { StartQuery } from '../../use-cases/queries/start-query.ts';
import { sendFile } from '../send-file.ts';

/** POST /query/download/parquet: a file that the engine writes; a failed one is cut before its footer, so that no reader takes it. */
export const queryDownloadParquetRoute = (startQuery: StartQuery, resolveEngine: EngineResolver): Route =>
  route(streamOperations.downloadParquet, async (request) => {
    const { sql, filename, time_zone } = request.body;
    const { tenant } = request.principal;
    if (resolveEngine(tenant).kind === 'trino') throw noParquet();
    const run = await startQuery(callerOf(request), {
      action: 'DOWNLOAD_QUERY',
      sql,
      format: { name: 'parquet', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      timeZone: time_zone ?? 'UTC',
      // The engine counts its rows at the end, so it is stopped behind the first that is too many; the limit itself is checked as ever.
      rowsMax: tenant.settings.rowsMax,
      metadata: { format: 'parquet', filename },
      signal: request.signal,
      reader: request.reader,
    });
    return await sendFile(run, {
      mediaType: PARQUET_MEDIA_TYPE,
      contentDisposition: contentDisposition(filename, 'parquet'),
    });
  });

const noParquet = (): ProblemError =>
  new ProblemError(
    'not_supported',
    'The engine of this tenant is Trino, which gives rows and not files, so there is no Parquet. Take CSV, JSON or XLSX.',
  );
