import {
  callerOf,
  DOWNLOAD_FORMATS,
  type DownloadFormatName,
  downloadFormats,
  downloadOperation,
} from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import { type Route, route } from '@sluice/http';
import type { DownloadQuery } from '../../use-cases/queries/download-query.ts';
import { sendFile } from '../send-file.ts';

/** `POST /query/download/<format>` for every row of the table of formats. */
export const queryDownloadRoutes = (downloadQuery: DownloadQuery): Route[] =>
  downloadFormats.map(([name]) => queryDownloadRoute(downloadQuery, name));

const queryDownloadRoute = (downloadQuery: DownloadQuery, format: DownloadFormatName): Route =>
  route(downloadOperation(format), async (request) => {
    const { body, signal, reader } = request;
    const { mediaType, extension } = DOWNLOAD_FORMATS[format];
    const run = await downloadQuery(callerOf(request), { ...body, format, signal, reader });
    return await sendFile(run, { mediaType, contentDisposition: contentDisposition(body.filename, extension) });
  });
