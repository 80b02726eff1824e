import { streamOperations } from '@sluice/contract';
import { type DownloadRoute, downloadRoute } from '../../downloads/download-route.ts';
import type { DownloadKeptResult } from '../../use-cases/queries/download-kept-result.ts';

/** GET /query/{id}/download/{format}: a kept result as a file, or a part of that file. */
export const keptResultDownload = (downloadKeptResult: DownloadKeptResult): DownloadRoute =>
  downloadRoute(streamOperations.downloadResult, (caller, { params, query }) =>
    downloadKeptResult(caller, { ...query, queryId: params.id, format: params.format }),
  );
