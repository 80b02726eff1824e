import { type DownloadFormatName, downloadFormats, downloadOperation } from '@sluice/contract';
import { type DownloadRoute, downloadRoute } from '../../downloads/download-route.ts';
import type { DownloadQuery } from '../../use-cases/queries/download-query.ts';

/** `POST /query/download/<format>` for every row of the table of formats. */
export const queryDownloads = (downloadQuery: DownloadQuery): DownloadRoute[] =>
  downloadFormats.map(([name]) => queryDownload(downloadQuery, name));

const queryDownload = (downloadQuery: DownloadQuery, format: DownloadFormatName): DownloadRoute =>
  downloadRoute(downloadOperation(format), (caller, { body }) => downloadQuery(caller, { ...body, format }));
