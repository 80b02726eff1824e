import { linkParameters, streamOperations } from '@sluice/contract';
import type { RouteRequest } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { type DownloadRoute, downloadRoute } from '../../downloads/download-route.ts';

/** Downloads of items: POST, and GET as a link. */
export const marketplaceDownloads = ({
  downloadMarketplaceItem,
}: Pick<UseCases, 'downloadMarketplaceItem'>): DownloadRoute[] => [
  downloadRoute(streamOperations.downloadMarketplaceCsv, (caller, { params, query, body }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'csv', parameters: body.parameters ?? [] }),
  ),
  downloadRoute(streamOperations.downloadMarketplaceJson, (caller, { params, query, body }) =>
    downloadMarketplaceItem(caller, { ...query, id: params.id, format: 'json', parameters: body.parameters ?? [] }),
  ),
  downloadRoute(streamOperations.downloadMarketplace, (caller, { query, body }) =>
    downloadMarketplaceItem(caller, { ...query, parameters: body.parameters ?? [] }),
  ),
  downloadRoute(streamOperations.getMarketplaceCsv, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...inputOf(query), id: params.id, format: 'csv' }),
  ),
  downloadRoute(streamOperations.getMarketplaceJson, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...inputOf(query), id: params.id, format: 'json' }),
  ),
  downloadRoute(streamOperations.getMarketplaceFile, (caller, { params, query }) =>
    downloadMarketplaceItem(caller, { ...inputOf(query), ...params }),
  ),
];

type LinkQuery = RouteRequest<typeof streamOperations.getMarketplaceCsv>['query'];

const inputOf = (query: LinkQuery) => ({ compression: query.compression, strings: linkParameters(query) });
