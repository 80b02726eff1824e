import { streamOperations } from '@sluice/contract';
import { contentDisposition, XLSX_MEDIA_TYPE } from '@sluice/encoders';
import { type Route, route } from '@sluice/http';
import { bundleWorkbook } from '../../use-cases/marketplace/bundle-workbook.ts';
import { type StartQueryDependencies, startQuery } from '../../use-cases/queries/start-query.ts';
import { sendFile } from '../send-file.ts';

export interface QueryDownloadXlsxDependencies extends StartQueryDependencies {
  readonly settings: { readonly workerTempBytes: number };
}

/** POST /query/download/xlsx: a workbook; a failed one is cut, because a workbook has no words for a failure. */
export const queryDownloadXlsxRoute = (dependencies: QueryDownloadXlsxDependencies): Route =>
  route(streamOperations.downloadXlsx, async (request) => {
    const { sql, filename, time_zone } = request.body;
    const run = await startQuery(dependencies, {
      principal: request.principal,
      action: 'DOWNLOAD_QUERY',
      sql,
      format: { name: 'xlsx', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      bundle: bundleWorkbook([{ name: filename, sql, about: sql }], dependencies.settings.workerTempBytes),
      timeZone: time_zone ?? 'UTC',
      rowsMax: undefined,
      metadata: { format: 'xlsx', filename },
      requestId: request.requestId,
      address: request.address,
      userAgent: request.userAgent,
      signal: request.signal,
      reader: request.reader,
    });
    return await sendFile(run, {
      mediaType: XLSX_MEDIA_TYPE,
      contentDisposition: contentDisposition(filename, 'xlsx'),
    });
  });
