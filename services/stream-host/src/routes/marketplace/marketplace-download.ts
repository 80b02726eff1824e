import { type MarketplaceFormat, streamOperations } from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import { type ClientReader, type Route, type RouteResponse, route } from '@sluice/http';
import type { Logger } from '@sluice/observability';
import type { Caller } from '@sluice/store/audit';
import type { DatamapCounters } from '@sluice/store/datamaps';
import type { MarketplaceStore } from '@sluice/store/marketplace';
import {
  type DownloadMarketplaceDependencies,
  downloadMarketplaceItem,
} from '../../use-cases/marketplace/download-marketplace-item.ts';
import { sendFile } from '../send-file.ts';

export interface MarketplaceDownloadDependencies extends DownloadMarketplaceDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'find' | 'beginDownload' | 'countDownload'>;
  readonly datamapCounters: Pick<DatamapCounters, 'noteQuery'>;
}

/** POST /marketplace/{id}/download/csv and /json, and POST /marketplace/download?id=&format= */
export const marketplaceDownloadRoutes = (dependencies: MarketplaceDownloadDependencies): Route[] => [
  route(streamOperations.downloadMarketplaceCsv, (request) =>
    download(dependencies, request, { id: request.params.id, format: 'csv' }),
  ),
  route(streamOperations.downloadMarketplaceJson, (request) =>
    download(dependencies, request, { id: request.params.id, format: 'json' }),
  ),
  route(streamOperations.downloadMarketplace, (request) => download(dependencies, request, request.query)),
];

interface DownloadRequest extends Caller {
  readonly signal: AbortSignal;
  readonly reader: ClientReader;
  readonly log: Logger;
}

async function download(
  dependencies: MarketplaceDownloadDependencies,
  request: DownloadRequest,
  { id, format }: { readonly id: string; readonly format: MarketplaceFormat },
): Promise<RouteResponse> {
  const { principal, requestId, address, userAgent, signal, reader, log } = request;
  const started = await downloadMarketplaceItem(dependencies, {
    ...{ principal, requestId, address, userAgent, signal, reader },
    ...{ id, format },
  });
  const { run, item, mediaType, extension } = started;
  const answer = await sendFile(run, { mediaType, contentDisposition: contentDisposition(item.id, extension) });
  if (answer.status === 200) {
    const tenantId = principal.tenant.id;
    for (const { datamapId } of item.queries) dependencies.datamapCounters.noteQuery({ tenantId, factId: datamapId });
    await dependencies.marketplace
      .countDownload(tenantId, item.id)
      // A count that is lost is no reason to refuse what was granted.
      .catch((err: unknown) => log.warn({ err }, 'a download was not counted'));
  }
  return answer;
}
