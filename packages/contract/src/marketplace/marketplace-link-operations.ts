import type { Operation } from '../operations/operation.ts';
import { archiveQuery, marketplaceLinkParams } from './marketplace.ts';
import { marketplaceOperations } from './marketplace-operations.ts';

const { downloadMarketplace, downloadMarketplaceCsv, downloadMarketplaceJson } = marketplaceOperations;

/** Downloads of items as links, with the rights, limits, audit record and file of the POST operations. */
export const marketplaceLinkOperations = {
  getMarketplaceCsv: {
    ...downloadMarketplaceCsv,
    id: 'getMarketplaceCsv',
    method: 'GET',
    summary: 'Download an item as CSV, by a link',
    isLink: true,
  },
  getMarketplaceJson: {
    ...downloadMarketplaceJson,
    id: 'getMarketplaceJson',
    method: 'GET',
    summary: 'Download an item as JSON, by a link',
    isLink: true,
  },
  getMarketplaceFile: {
    ...downloadMarketplace,
    id: 'getMarketplaceFile',
    method: 'GET',
    path: '/marketplace/{id}/download/{format}',
    summary: 'Download an item in a format of your choice, by a link',
    params: marketplaceLinkParams,
    query: archiveQuery,
    isLink: true,
  },
} as const satisfies Record<string, Operation>;
