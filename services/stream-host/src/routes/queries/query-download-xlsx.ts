import { callerOf, streamOperations } from '@sluice/contract';
import { contentDisposition, XLSX_MEDIA_TYPE } from '@sluice/encoders';
import { type Route, route } from '@sluice/http';
import { bundleWorkbook } from '../../use-cases/marketplace/bundle-workbook.ts';
import type { StartQuery } from '../../use-cases/queries/start-query.ts';
import { sendFile } from '../send-file.ts';

/** POST /query/download/xlsx: a workbook; a failed one is cut, because a workbook has no words for a failure. */
export const queryDownloadXlsxRoute = (startQuery: StartQuery, overflowBytesMax: number): Route =>
  route(streamOperations.downloadXlsx, async (request) => {
    const { sql, filename, time_zone } = request.body;
    const run = await startQuery(callerOf(request), {
      action: 'DOWNLOAD_QUERY',
      sql,
      format: { name: 'xlsx', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      bundle: bundleWorkbook([{ name: filename, sql, about: sql }], overflowBytesMax),
      timeZone: time_zone ?? 'UTC',
      rowsMax: undefined,
      metadata: { format: 'xlsx', filename },
      signal: request.signal,
      reader: request.reader,
    });
    return await sendFile(run, {
      mediaType: XLSX_MEDIA_TYPE,
      contentDisposition: contentDisposition(filename, 'xlsx'),
    });
  });
