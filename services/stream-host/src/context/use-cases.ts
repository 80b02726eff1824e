import { createDescribeCaller, type DescribeCaller } from '@sluice/host-runtime';
import { createDownloadDatamap, type DownloadDatamap } from '../use-cases/datamaps/download-datamap.ts';
import {
  createDownloadMarketplaceItem,
  type DownloadMarketplaceItem,
} from '../use-cases/marketplace/download-marketplace-item.ts';
import { type CancelQuery, createCancelQuery } from '../use-cases/queries/cancel-query.ts';
import { createDownloadKeptResult, type DownloadKeptResult } from '../use-cases/queries/download-kept-result.ts';
import { createDownloadQuery, type DownloadQuery } from '../use-cases/queries/download-query.ts';
import { createFindReceipt, type FindReceipt } from '../use-cases/queries/find-receipt.ts';
import { createListQueries, type ListQueries } from '../use-cases/queries/list-queries.ts';
import { createListQueryHistory, type ListQueryHistory } from '../use-cases/queries/list-query-history.ts';
import { createReadKeptRows, type ReadKeptRows } from '../use-cases/queries/read-kept-rows.ts';
import { createResumeEvents, type ResumeEvents } from '../use-cases/queries/resume-events.ts';
import { createReuseResult, type ReuseResult } from '../use-cases/queries/reuse-result.ts';
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
  readonly startQuery: StartQuery;
  readonly downloadQuery: DownloadQuery;
  readonly downloadKeptResult: DownloadKeptResult;
  readonly findReceipt: FindReceipt;
  readonly listQueries: ListQueries;
  readonly listQueryHistory: ListQueryHistory;
  readonly readKeptRows: ReadKeptRows;
  readonly resumeEvents: ResumeEvents;
  readonly reuseResult: ReuseResult;
  readonly cancelQuery: CancelQuery;
  readonly downloadMarketplaceItem: DownloadMarketplaceItem;
  readonly downloadDatamap: DownloadDatamap;
  readonly createTicket: CreateTicket;
  readonly takeTicket: TakeTicket;
}

export function createUseCases(context: StreamHostContext): UseCases {
  const startQuery = createStartQuery({ ...context, stopDueQueries: createStopDueQueries(context) });
  const { settings } = context;
  const { oneTimeValues } = context.shared.state;
  const { ticketLifetimeMs, ticketsPerUser } = settings;
  const tickets = { ...context, oneTimeValues, ticketLifetimeMs, ticketsPerUser };
  return {
    describeCaller: createDescribeCaller(context),
    startQuery,
    downloadQuery: createDownloadQuery({
      startQuery,
      resolveEngine: context.resolveEngine,
      overflowBytesMax: settings.workerTempBytes,
      keepDefaults: settings,
    }),
    downloadKeptResult: createDownloadKeptResult({ ...context, overflowBytesMax: settings.workerTempBytes }),
    findReceipt: createFindReceipt(context),
    listQueries: createListQueries(context),
    listQueryHistory: createListQueryHistory({ ...context, historyMs: settings.historyMs }),
    readKeptRows: createReadKeptRows(context),
    resumeEvents: createResumeEvents(context),
    reuseResult: createReuseResult(context),
    cancelQuery: createCancelQuery(context),
    downloadMarketplaceItem: createDownloadMarketplaceItem({
      ...context,
      database: context.resources,
      startQuery,
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
