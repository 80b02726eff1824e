import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ListQueryHistory } from '../../use-cases/queries/list-query-history.ts';

/** GET /query/history: the caller's own queries and downloads, newest first. */
export const queryHistoryRoute = (listQueryHistory: ListQueryHistory): Route =>
  route(streamOperations.listQueryHistory, async (request) =>
    json(200, await listQueryHistory(callerOf(request), request.query)),
  );
