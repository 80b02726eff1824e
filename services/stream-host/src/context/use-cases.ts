import { createDescribeCaller, type DescribeCaller } from '@sluice/host-runtime';
import {
  type CreateItem,
  createCreateItem,
  createPutItemGrants,
  createReadItemGrants,
  createRemoveItem,
  createUpdateItem,
  type PutItemGrants,
  type RemoveItem,
  type UpdateItem,
} from '@sluice/marketplace';
import {
  type CancelTenantQuery,
  createCancelTenantQuery,
  createListTenantQueries,
  type ListTenantQueries,
} from '../use-cases/administration/tenant-queries.ts';
import { createDownloadDatamap, type DownloadDatamap } from '../use-cases/datamaps/download-datamap.ts';
import { createCountMarketplaceDownload } from '../use-cases/marketplace/count-marketplace-download.ts';
import {
  createDownloadMarketplaceItem,
  type DownloadMarketplaceItem,
} from '../use-cases/marketplace/download-marketplace-item.ts';
import { createFindAccessRequests, type FindAccessRequests } from '../use-cases/marketplace/find-access-requests.ts';
import {
  createFindItemGrants,
  createFindMarketplaceItem,
  createFindMarketplaceItems,
  type FindItemGrants,
  type FindMarketplaceItem,
  type FindMarketplaceItems,
} from '../use-cases/marketplace/find-marketplace-items.ts';
import {
  createDecideAccess,
  createListAccessRequests,
  createRequestAccess,
  type DecideAccess,
  type ListAccessRequests,
  type RequestAccess,
} from '../use-cases/marketplace/marketplace-access.ts';
import { type CancelQuery, createCancelQuery } from '../use-cases/queries/cancel-query.ts';
import { createDownloadQuery, type DownloadQuery } from '../use-cases/queries/download-query.ts';
import { createFindReceipt, type FindReceipt } from '../use-cases/queries/find-receipt.ts';
import { createListQueries, type ListQueries } from '../use-cases/queries/list-queries.ts';
import { createListQueryHistory, type ListQueryHistory } from '../use-cases/queries/list-query-history.ts';
import { createStartQuery, type StartQuery } from '../use-cases/queries/start-query.ts';
import { createStopDueQueries } from '../use-cases/queries/stop-due-queries.ts';
import {
  type CreateTicket,
  createCreateTicket,
  createTakeTicket,
  type TakeTicket,
} from '../use-cases/queries/tickets.ts';
import type { StreamHostContext } from './context.ts';

/** The finished use-cases that the routes of this host call. */
export interface UseCases {
  readonly describeCaller: DescribeCaller;
  readonly listTenantQueries: ListTenantQueries;
  readonly cancelTenantQuery: CancelTenantQuery;
  readonly startQuery: StartQuery;
  readonly downloadQuery: DownloadQuery;
  readonly findReceipt: FindReceipt;
  readonly listQueries: ListQueries;
  readonly listQueryHistory: ListQueryHistory;
  readonly cancelQuery: CancelQuery;
  readonly findMarketplaceItems: FindMarketplaceItems;
  readonly findMarketplaceItem: FindMarketplaceItem;
  readonly findItemGrants: FindItemGrants;
  readonly createItem: CreateItem;
  readonly updateItem: UpdateItem;
  readonly removeItem: RemoveItem;
  readonly putItemGrants: PutItemGrants;
  readonly requestAccess: RequestAccess;
  readonly listAccessRequests: ListAccessRequests;
  readonly findAccessRequests: FindAccessRequests;
  readonly decideAccess: DecideAccess;
  readonly downloadMarketplaceItem: DownloadMarketplaceItem;
  readonly downloadDatamap: DownloadDatamap;
  readonly createTicket: CreateTicket;
  readonly takeTicket: TakeTicket;
}

export function createUseCases(context: StreamHostContext): UseCases {
  const startQuery = createStartQuery({ ...context, stopDueQueries: createStopDueQueries(context) });
  const { marketplace, settings } = context;
  const { oneTimeValues } = context.shared.state;
  const { ticketLifetimeMs, ticketsPerUser } = settings;
  const tickets = { ...context, oneTimeValues, ticketLifetimeMs, ticketsPerUser };
  return {
    describeCaller: createDescribeCaller(context),
    listTenantQueries: createListTenantQueries(context),
    cancelTenantQuery: createCancelTenantQuery(context),
    startQuery,
    downloadQuery: createDownloadQuery({
      startQuery,
      resolveEngine: context.resolveEngine,
      overflowBytesMax: settings.workerTempBytes,
    }),
    findReceipt: createFindReceipt(context),
    listQueries: createListQueries(context),
    listQueryHistory: createListQueryHistory({ ...context, historyMs: settings.historyMs }),
    cancelQuery: createCancelQuery(context),
    findMarketplaceItems: createFindMarketplaceItems(context),
    findMarketplaceItem: createFindMarketplaceItem(context),
    findItemGrants: createFindItemGrants({ readItemGrants: createReadItemGrants(context), audit: context.audit }),
    createItem: createCreateItem(context),
    updateItem: createUpdateItem(context),
    removeItem: createRemoveItem(context),
    putItemGrants: createPutItemGrants(context),
    requestAccess: createRequestAccess(context),
    listAccessRequests: createListAccessRequests(context),
    findAccessRequests: createFindAccessRequests(context),
    decideAccess: createDecideAccess(context),
    downloadMarketplaceItem: createDownloadMarketplaceItem({
      marketplace,
      startQuery,
      countMarketplaceDownload: createCountMarketplaceDownload(context),
      overflowBytesMax: settings.workerTempBytes,
    }),
    downloadDatamap: createDownloadDatamap({
      ...context,
      startQuery,
      overflowBytesMax: settings.workerTempBytes,
    }),
    createTicket: createCreateTicket(tickets),
    takeTicket: createTakeTicket(tickets),
  };
}
