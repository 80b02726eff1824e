import { linkParameters, streamOperations } from '@sluice/contract';
import { type DownloadRoute, downloadRoute } from '../../downloads/download-route.ts';
import type { DownloadDatamap } from '../../use-cases/datamaps/download-datamap.ts';

/** GET /datamap/{id}/download/{format}: a published datamap as a link. */
export const datamapDownload = (downloadDatamap: DownloadDatamap): DownloadRoute =>
  downloadRoute(streamOperations.getDatamapFile, (caller, { params, query }) =>
    downloadDatamap(caller, { ...params, parameters: linkParameters(query) }),
  );
