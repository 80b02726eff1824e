import type { Operation } from '../operations/operation.ts';
import { archiveLinkQuery, marketplaceLinkParams } from './marketplace.ts';
import { marketplaceOperations } from './marketplace-operations.ts';

const { downloadMarketplace, downloadMarketplaceCsv, downloadMarketplaceJson } = marketplaceOperations;

/** A link has its parameters in the query string. */
const withoutBody = <O extends { readonly body: unknown }>({ body, ...operation }: O): Omit<O, 'body'> => operation;

/** Downloads of items as links, with the rights, limits, audit record and file of the POST operations. */
export const marketplaceLinkOperations = {
  getMarketplaceCsv: {
    ...withoutBody(downloadMarketplaceCsv),
    query: archiveLinkQuery,
    id: 'getMarketplaceCsv',
    method: 'GET',
    summary: 'Download an item as CSV, by a link',
    isLink: true,
  },
  getMarketplaceJson: {
    ...withoutBody(downloadMarketplaceJson),
    query: archiveLinkQuery,
    id: 'getMarketplaceJson',
    method: 'GET',
    summary: 'Download an item as JSON, by a link',
    isLink: true,
  },
  getMarketplaceFile: {
    ...withoutBody(downloadMarketplace),
    query: archiveLinkQuery,
    id: 'getMarketplaceFile',
    method: 'GET',
    path: '/marketplace/{id}/download/{format}',
    summary: 'Download an item in a format of your choice, by a link',
    params: marketplaceLinkParams,
    isLink: true,
  },
} as const satisfies Record<string, Operation>;
