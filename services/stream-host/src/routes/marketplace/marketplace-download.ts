import { streamOperations } from '@sluice/contract';
import type { UseCases } from '../../context/use-cases.ts';
import { type DownloadRoute, downloadRoute } from '../download-route.ts';

/** Downloads of items: POST, and GET as a link. */
export const marketplaceDownloads = ({
  downloadMarketplaceItem,
}: Pick<UseCases, 'downloadMarketplaceItem'>): DownloadRoute[] => [
  downloadRoute(streamOperations.downloadMarketplaceCsv, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'csv' }),
  ),
  downloadRoute(streamOperations.downloadMarketplaceJson, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'json' }),
  ),
  downloadRoute(streamOperations.downloadMarketplace, (caller, { query }) => downloadMarketplaceItem(caller, query)),
  downloadRoute(streamOperations.getMarketplaceCsv, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'csv' }),
  ),
  downloadRoute(streamOperations.getMarketplaceJson, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'json' }),
  ),
  downloadRoute(streamOperations.getMarketplaceFile, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...query, ...params }),
  ),
];
